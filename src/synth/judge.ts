/**
 * Who proposes the edges of a tool graph.
 *
 * The paper asks a language model. The judge built in here is a stand-in that reads schemas and hints: an output
 * property provides a required argument of the same name and JSON type, and `after` puts one tool behind another.
 */
import { type Check, resolveOptions } from '../options.js'
import { drawFrom, sample } from './draw.js'
import { areCompatible, type Input, inputsOf, outputPaths } from './schema.js'
import type { ToolDefinition, ToolEdge } from './types.js'
import { aPositiveCount } from './unlock.js'

export interface EdgeJudge {
  /** Proposes edges; they are sanitized afterwards.
   * @param seed - another seed may see another graph in the same tools
   */
  infer(tools: readonly ToolDefinition[], seed: number): Promise<readonly ToolEdge[]>
}

export interface SchemaJudgeOptions {
  /** How many tools may provide one argument in one graph; `Infinity`: all that can. */
  readonly providers: number
}

export const schemaJudgeDefaults: Readonly<SchemaJudgeOptions> = Object.freeze({ providers: 1 })

const aProviderCount: Check = (value) => (value === Infinity ? undefined : aPositiveCount(value))

interface Provider {
  readonly tool: string
  readonly path: string
}

/** The tools that give an argument without having been given it: one path each, the outermost. */
function providersOf(tools: readonly ToolDefinition[], taker: ToolDefinition, input: Input): Provider[] {
  return tools.flatMap((tool) => {
    if (tool === taker || inputsOf(tool).some(({ name }) => name === input.name)) return []
    const output = outputPaths(tool.outputSchema).find(
      ({ name, types }) => name === input.name && areCompatible(types, input.types),
    )
    return output === undefined ? [] : [{ tool: tool.name, path: output.path }]
  })
}

/** Edges from schemas and hints, in the order of the tools that take. */
function inferEdges(tools: readonly ToolDefinition[], seed: number, most: number): ToolEdge[] {
  const edges: ToolEdge[] = []
  for (const taker of tools) {
    const bindings = new Map<string, [string, string][]>()
    for (const input of inputsOf(taker)) {
      if (!input.isRequired) continue
      const all = providersOf(tools, taker, input)
      const draw = drawFrom(seed, 'judge', taker.name, input.name)
      const kept = new Set(sample(draw, all, Math.min(most, all.length)))
      for (const provider of all)
        if (kept.has(provider))
          bindings.set(provider.tool, [...(bindings.get(provider.tool) ?? []), [provider.path, input.name]])
    }
    for (const [from, pairs] of bindings)
      edges.push({ from, to: taker.name, kind: 'parameter', bindings: pairs })
    for (const from of taker.after ?? []) edges.push({ from, to: taker.name, kind: 'semantic' })
  }
  return edges
}

/** Makes the built-in judge.
 *
 * An argument often has several tools that could provide it: a search, a list, the call that made the thing. The seed
 * chooses which of them a graph asks for, so three seeds see three graphs where the tools leave a choice. A tool that
 * takes an argument does not provide it by saying it again.
 * @throws TaraError `OPTION`
 */
export function schemaJudge(options?: Partial<SchemaJudgeOptions>): EdgeJudge {
  const { providers } = resolveOptions('schemaJudge', options, schemaJudgeDefaults, {
    providers: aProviderCount,
  })
  return { infer: async (tools, seed) => inferEdges(tools, seed, providers) }
}
