/**
 * The page's style: light and dark, narrow and wide. The scale of advantages is symmetric about 0: n5 … n1, zero, p1 … p5.
 */

const light = `
--page:#fff;--card:#f6f8fa;--text:#1f2328;--soft:#57606a;--line:#d0d7de;--link:#0550ae;--bar:#2f6fc0;--wrong:#c2570c;--track:#e4e8ec;
--p1:#e3eefb;--p2:#cfe2f8;--p3:#b4d2f4;--p4:#8fbcee;--p5:#6ea7e6;--n1:#fdeadb;--n2:#fbdabf;--n3:#f8c497;--n4:#f2a868;--n5:#ea8f45;
--zero:#eceff2;--good:#116329;--bad:#a40e26;--mark:#fff3b0`

const dark = `
--page:#0d1117;--card:#161b22;--text:#e6edf3;--soft:#a5adb8;--line:#30363d;--link:#79b8ff;--bar:#4c95ee;--wrong:#e5812f;--track:#262d36;
--p1:#12243a;--p2:#163153;--p3:#1a3f6e;--p4:#1d4f8c;--p5:#1f5fab;--n1:#33210f;--n2:#4a2c10;--n3:#643a11;--n4:#804810;--n5:#97540f;
--zero:#21262d;--good:#56d364;--bad:#ff8b83;--mark:#5a4a00`

const scale = ['1', '2', '3', '4', '5']
  .flatMap((step) =>
    ['p', 'n'].map((side) => `.${side}${step}{background:var(--${side}${step});fill:var(--${side}${step})}`),
  )
  .join('\n')

export const pageStyle: string = `:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1400px;padding:0 16px 48px;background:var(--page);color:var(--text);overflow-wrap:anywhere;font:15px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
h1{font-size:24px;margin:24px 0 4px;overflow-wrap:anywhere}h2{font-size:20px;margin:32px 0 8px}h3{font-size:16px;margin:0 0 8px}#group h3{margin:24px 0 8px}h4{font-size:15px;margin:16px 0 4px}
a{color:var(--link)}nav a{margin-right:16px}
.note{color:var(--soft);font-size:13px;margin:8px 0 0}
.cards{display:grid;grid-auto-flow:dense;gap:16px;grid-template-columns:repeat(auto-fill,minmax(min(100%,420px),1fr))}
.card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px;min-width:0}
#cell{margin-top:16px}
#cell h4:first-child{margin-top:0}
#distribution{grid-column:1/-1}
.plots{display:flex;flex-wrap:wrap;gap:8px 24px}.plot{margin:0;max-width:100%}.plot figcaption{font-size:13px;color:var(--soft)}
dl{display:grid;grid-template-columns:1fr auto;gap:2px 16px;margin:0 0 8px}dt{color:var(--soft)}dd{margin:0;text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.chart{max-width:100%;height:auto;font-size:13px}.chart text{fill:var(--text)}.chart .label{text-anchor:end;fill:var(--soft)}.chart .small{font-size:10px;text-anchor:middle}
.bar{fill:var(--bar)}.wrong{fill:var(--wrong)}.gap{fill:var(--card)}.track{fill:var(--track)}.axis{stroke:var(--soft)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:4px 8px;border-bottom:1px solid var(--line);text-align:right}th:first-child,td:first-child{text-align:left}th{font-weight:600}
.scroll{overflow-x:auto;max-width:100%}
.scroll:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,td:focus-visible,h3:focus-visible{outline:3px solid var(--link);outline-offset:1px}
button,input,select{font:inherit;color:var(--text);background:var(--page);border:1px solid var(--line);border-radius:6px;padding:4px 10px;max-width:100%}
button{cursor:pointer}th button{border:0;background:none;padding:4px 0;font-weight:600;white-space:nowrap}
.controls{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:end;margin:8px 0}.controls label{display:grid;font-size:13px;color:var(--soft);max-width:100%}
.id{min-width:120px;max-width:340px;overflow-wrap:anywhere}.id button{text-align:left;overflow-wrap:anywhere}
tr[aria-current=true]{background:var(--card)}
.heat td{min-width:86px;text-align:center;cursor:pointer;border:2px solid var(--page)}.heat th{white-space:nowrap}
.heat .mark{font-weight:700;margin-right:4px}
.zero,rect.zero{background:var(--zero);fill:var(--zero)}
.out{color:var(--soft);background:repeating-linear-gradient(45deg,var(--page),var(--page) 5px,var(--zero) 5px,var(--zero) 7px)}
${scale}
.columns{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));margin-top:16px}
.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}
.call{border-left:4px solid var(--line);padding:2px 8px;margin:4px 0;font:13px/1.45 ui-monospace,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
.call.covered{border-color:var(--good)}.call.missed,.call.malformed{border-color:var(--bad)}.call.extra{border-color:var(--wrong);border-left-style:dashed}.call.untested{border-left-style:dotted}
.call mark{background:var(--mark);color:inherit;font-weight:600}
.message{margin:8px 0;white-space:pre-wrap;overflow-wrap:anywhere}.message .who{font-weight:600;color:var(--soft);margin-right:8px}
.strip{display:block;width:100%;height:26px}.strip .masked{fill:var(--track)}
.legend{display:flex;flex-wrap:wrap;gap:4px 12px;font-size:13px;color:var(--soft);margin:4px 0}.legend span span{padding:0 8px;margin-right:4px;border:1px solid var(--line);color:var(--text)}
.turn{border-top:1px solid var(--line);margin-top:12px;padding-top:4px}
`
