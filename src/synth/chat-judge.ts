/**
 * A judge of dependencies between tools that is a language model.
 *
 * Edges between tools that do not exist come through: the sanitizer drops them and says so.
 */
import type { ChatEndpoint } from './chat-endpoint.js'
import { askJson } from './chat-json.js'
import type { EdgeJudge } from './judge.js'
import type { JsonSchema, ToolDefinition, ToolEdge } from './types.js'

const instruction = [
  'You are given the tools of one environment. List the dependencies between them.',
  '"parameter": an output of "from" is, or can provide, a required argument of "to"; bind output paths of "from" to',
  'arguments of "to". "semantic": in the logic of the scenario "to" comes only after "from", though it takes nothing from it.',
  'Give each a confidence from 0 to 1. List only direct dependencies.',
  'Reply as JSON: {"edges": [{"from", "to", "kind", "confidence", "bindings": [["output.path", "argument"], …]}, …]}.',
].join('\n')

const schema: JsonSchema = {
  type: 'object',
  required: ['edges'],
  additionalProperties: false,
  properties: {
    edges: {
      type: 'array',
      items: {
        type: 'object',
        required: ['from', 'to', 'kind'],
        additionalProperties: false,
        properties: {
          from: { type: 'string' },
          to: { type: 'string' },
          kind: { enum: ['parameter', 'semantic'] },
          confidence: { type: 'number', minimum: 0, maximum: 1 },
          bindings: {
            type: 'array',
            items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string' } },
          },
        },
      },
    },
  },
}

/** A judge over a chat endpoint. The seed is sent: three seeds, three judgements.
 * @throws TaraError (from `infer`) as `ChatEndpoint.ask`
 */
export function chatJudge(endpoint: ChatEndpoint): EdgeJudge {
  return {
    async infer(tools: readonly ToolDefinition[], seed: number): Promise<ToolEdge[]> {
      const shown = tools.map(({ name, description, inputSchema, outputSchema, kind }) => ({
        name,
        description,
        kind,
        arguments: inputSchema,
        output: outputSchema,
      }))
      const messages = [
        { role: 'system', content: instruction },
        { role: 'user', content: JSON.stringify(shown) },
      ] as const
      const { edges } = await askJson<{ readonly edges: ToolEdge[] }>(
        endpoint,
        'edges',
        { messages, seed },
        schema,
      )
      return edges
    },
  }
}
