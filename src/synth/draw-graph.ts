/**
 * A tool graph as text for two drawing programs: Mermaid and Graphviz. Parameter edges are solid and named for their
 * arguments, semantic edges are dashed.
 */
import type { ToolEdge, ToolGraph } from './types.js'

function labelOf({ bindings, kind }: ToolEdge): string {
  return kind === 'parameter' ? [...new Set(bindings?.map(([, argument]) => argument))].join(', ') : ''
}

function entities(text: string): string {
  return text.replace(/[#"&<>|\n]/g, (char) => `#${char.charCodeAt(0)};`)
}

/** Writes a graph as a Mermaid flowchart; never throws. */
export function toMermaid({ nodes, edges }: ToolGraph): string {
  const id = new Map(nodes.map((node, k) => [node, `t${k}`]))
  const lines = nodes.map((node) => `  ${id.get(node)}["${entities(node)}"]`)
  for (const edge of edges) {
    const label = labelOf(edge)
    const arrow = edge.kind === 'semantic' ? '-.->' : label === '' ? '-->' : `-->|"${entities(label)}"|`
    lines.push(`  ${id.get(edge.from)} ${arrow} ${id.get(edge.to)}`)
  }
  return `${['flowchart TD', ...lines].join('\n')}\n`
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
}

/** Writes a graph in the DOT language of Graphviz; never throws. */
export function toDot({ nodes, edges }: ToolGraph): string {
  const lines = nodes.map((node) => `  ${quoted(node)};`)
  for (const edge of edges) {
    const label = labelOf(edge)
    const style =
      edge.kind === 'semantic' ? ' [style=dashed]' : label === '' ? '' : ` [label=${quoted(label)}]`
    lines.push(`  ${quoted(edge.from)} -> ${quoted(edge.to)}${style};`)
  }
  return `${['digraph tools {', ...lines, '}'].join('\n')}\n`
}
