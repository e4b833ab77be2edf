/**
 * The model of a report → one page that needs nothing else: no network, no other file, no script but its own.
 *
 * The overview is in the markup. Groups, cells and rollouts are data in the page; its script writes them with
 * `textContent` only. A content security policy allows this script and this style by their hashes, and nothing else.
 */
import { embeddedJson } from './embed.js'
import type { ReportModel } from './model-types.js'
import { facts, overviewHtml } from './overview.js'
import { pageScript } from './page/script.js'
import { sha256 } from './sha256.js'
import { pageStyle } from './style.js'
import { count, escaped } from './text.js'

/** Fields of a line of the list, in the order in which the page has them. */
const rowFields = ['group', 'role', 'K', 'T', 'reward', 'sigma', 'size', 'disagree', 'silent'] as const

/** What the page's script reads. */
function pageData({ groups, details, lambda, distribution, comparison }: ReportModel): object {
  return {
    fields: rowFields,
    rows: groups.map((row) => rowFields.map((name) => row[name] ?? null)),
    details,
    lambda,
    limit: distribution.limit,
    other: comparison.pairs[0]?.name.toUpperCase() ?? '',
  }
}

const policy = (): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${sha256(pageScript)}'`,
    `style-src 'sha256-${sha256(pageStyle)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** What the page leaves out, in a sentence. */
function limitsText({ groups, details, unlisted, left }: ReportModel): string {
  const parts = [
    `The overview is over all groups. Details are kept for the ${count(details.length)} most informative of ${count(groups.length + unlisted)} groups (--details).`,
  ]
  if (unlisted > 0) parts.push(`The list leaves out the ${count(unlisted)} least informative ones.`)
  if (left.groups > 0)
    parts.push(`${count(left.groups)} more were asked for, but the page would grow too large.`)
  if (left.conversations > 0)
    parts.push(`For the same reason ${count(left.conversations)} of them have no messages.`)
  return parts.join(' ')
}

/** Draws a report.
 * @param model - from `reportModel`, also after it was JSON
 * @returns the page; the same model gives the same bytes. Never throws for what `reportModel` returned
 */
export function reportHtml(model: ReportModel): string {
  const title = `TARA report: ${model.source}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<nav aria-label="Sections"><a href="#overview">Overview</a><a href="#groups">Groups</a></nav>
</header>
<main>
<section id="overview" aria-labelledby="overview-title">
<h2 id="overview-title">Overview</h2>
${overviewHtml(model)}
<details class="note"><summary>Settings</summary>${facts(model.settings.map(({ name, value }) => [name, value] as const))}</details>
</section>
<section id="groups" aria-labelledby="groups-title">
<h2 id="groups-title">Groups</h2>
<p class="note">${escaped(limitsText(model))} Most informative first: σ is the mean over the turns of the standard deviation of the rewards.</p>
<noscript><p>The list of groups needs the script of this page.</p></noscript>
<div id="list"></div>
<div id="group"></div>
</section>
</main>
<script type="application/json" id="data">${embeddedJson(pageData(model))}</script>
<script>${pageScript}</script>
</body>
</html>
`
}
