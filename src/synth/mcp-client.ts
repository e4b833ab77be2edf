/**
 * Tools from any MCP server: their definitions, and calls.
 *
 * It is less than an environment: the state is the server's, and MCP has no way to copy it or to put it back. Golden
 * traces cannot be replayed there; agents can be run there. Needs the package `@modelcontextprotocol/sdk`.
 */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { fail, show } from '../errors.js'
import { type Check, resolveOptions } from '../options.js'
import type { JsonObject } from '../reward/call.js'
import { copyObject, isObject } from './copy.js'
import { mcpMeta } from './mcp-server.js'
import type { CallError, CallResult, ToolDefinition } from './types.js'
import { schemaCompiler, type Validate } from './validators.js'

/** What an MCP server gives: like an environment, but without snapshot and restore. */
export interface McpTools {
  /** As the server calls itself. */
  readonly name: string
  /** The server's instructions. */
  readonly description: string
  /** `kind` is `query` where the server says `readOnlyHint`, else `update`. A tool without an output schema may give
   * any object. */
  readonly tools: readonly ToolDefinition[]
  /** Calls a tool. A fault of the caller or of the tool is a result; only a server that is gone is an exception. */
  call(name: string, args: unknown): Promise<CallResult>
  close(): Promise<void>
}

export interface McpOptions {
  /** How long an answer may take, in milliseconds. */
  readonly timeout: number
}

export const mcpDefaults: Readonly<McpOptions> = Object.freeze({ timeout: 10_000 })

/** A program that serves MCP on its stdin and stdout. */
export interface McpProgram {
  readonly command: string
  readonly args?: readonly string[]
  /** Beside the few variables that MCP hands on. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

const aTimeout: Check = (value) =>
  typeof value === 'number' && value > 0 && value <= 0x7fffffff ? undefined : 'milliseconds, more than 0'

const codes: readonly CallError['code'][] = [
  'unknown-tool',
  'invalid-arguments',
  'refused',
  'timeout',
  'invalid-output',
]

const failed = (code: CallError['code'], message: string): CallResult => ({
  ok: false,
  error: { code, message },
})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : show(error))

function hint(tool: McpTool, name: string): readonly string[] | undefined {
  const value = tool._meta?.[name]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined
}

function asDefinition(tool: McpTool): ToolDefinition {
  const after = hint(tool, mcpMeta.after)
  const inert = hint(tool, mcpMeta.inert)
  return {
    name: tool.name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema ?? { type: 'object' },
    kind: tool.annotations?.readOnlyHint === true ? 'query' : 'update',
    ...(after === undefined ? {} : { after }),
    ...(inert === undefined ? {} : { inert }),
  }
}

function textOf({ content }: CallToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

/** What a call gave as an object: the structured content, a text that is JSON of an object, or `{ text }`. */
function outputOf(result: CallToolResult): JsonObject {
  if (result.structuredContent !== undefined) return copyObject(result.structuredContent, 'output')
  const text = textOf(result)
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {} // a text like any other
  return { text }
}

function asResult(result: CallToolResult, check: Validate): CallResult {
  if (result.isError === true) {
    const code = codes.find((one) => one === result._meta?.[mcpMeta.code])
    return failed(code ?? 'refused', textOf(result))
  }
  const output = outputOf(result)
  const wrong = check(output)
  return wrong === undefined ? { ok: true, output } : failed('invalid-output', wrong)
}

/** Connects to an MCP server and asks for all its tools.
 * @param transport - of the client's end
 * @throws TaraError where the server names a tool twice or gives a schema that is none
 */
export async function connectMcp(transport: Transport, options?: Partial<McpOptions>): Promise<McpTools> {
  const { timeout } = resolveOptions('connectMcp', options, mcpDefaults, { timeout: aTimeout })
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { CallToolResultSchema, ErrorCode, McpError } = await import('@modelcontextprotocol/sdk/types.js')
  const client = new Client({ name: 'tara-rl', version: '1.0.0' })
  const compile = schemaCompiler()
  const tools: ToolDefinition[] = []
  const outputs = new Map<string, Validate>()
  try {
    await client.connect(transport, { timeout })
    let cursor: string | undefined
    do {
      const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout })
      for (const tool of page.tools) {
        const place = `connectMcp: tools[${tools.length}]`
        if (outputs.has(tool.name)) fail('DUPLICATE', `${place}.name`, 'a name of its own', show(tool.name))
        const definition = asDefinition(tool)
        outputs.set(tool.name, compile(`${place}.outputSchema`, 'output', definition.outputSchema))
        tools.push(definition)
      }
      cursor = page.nextCursor
    } while (cursor !== undefined)
  } catch (error) {
    await client.close()
    if (!(error instanceof McpError)) throw error
    fail('MISSING', 'connectMcp', 'a server that answers', error.message)
  }

  async function call(name: string, args: unknown): Promise<CallResult> {
    const check = outputs.get(name)
    if (check === undefined)
      return failed(
        'unknown-tool',
        `there is no tool ${show(name)}; there are ${[...outputs.keys()].join(', ')}`,
      )
    if (!isObject(args ?? {}))
      return failed('invalid-arguments', `arguments must be object, got ${show(args)}`)
    try {
      const request = {
        method: 'tools/call',
        params: { name, arguments: { ...((args ?? {}) as object) } },
      } as const
      return asResult(await client.request(request, CallToolResultSchema, { timeout }), check)
    } catch (error) {
      if (error instanceof McpError && error.code === ErrorCode.RequestTimeout)
        return failed('timeout', `${name} gave no answer in ${timeout} ms`)
      if (error instanceof McpError && error.code === ErrorCode.InvalidParams)
        return failed('invalid-arguments', error.message)
      if (error instanceof McpError && error.code !== ErrorCode.ConnectionClosed)
        return failed('refused', error.message)
      return fail('MISSING', `connectMcp: call of ${show(name)}`, 'a server that answers', messageOf(error))
    }
  }
  return {
    name: client.getServerVersion()?.name ?? '',
    description: client.getInstructions() ?? '',
    tools,
    call,
    close: () => client.close(),
  }
}

/** Starts a program that serves MCP and connects to it. `close` ends the program.
 * @throws TaraError `MISSING` where the program does not start or does not answer
 */
export async function connectMcpProgram(
  { command, args = [], env = {}, cwd }: McpProgram,
  options?: Partial<McpOptions>,
): Promise<McpTools> {
  const { getDefaultEnvironment, StdioClientTransport } = await import(
    '@modelcontextprotocol/sdk/client/stdio.js'
  )
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    ...(cwd === undefined ? {} : { cwd }),
  })
  try {
    return await connectMcp(transport, options)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    return fail('MISSING', 'connectMcpProgram: command', 'a program that starts', error.message)
  }
}
