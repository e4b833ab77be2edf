/**
 * An environment as a real MCP server, for any MCP client: over stdio, or in memory.
 *
 * Needs the package `@modelcontextprotocol/sdk`. A server has one state: that of the environment it was given. What a
 * graph needs to know beside MCP's own fields stands in `_meta`; whether a tool is a query, in `readOnlyHint`.
 */
import type { Readable, Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import type { CallResult, Environment, ToolDefinition } from './types.js'

/** Where the hints of a tool and the code of a refusal stand in `_meta`. */
export const mcpMeta: Readonly<Record<'after' | 'inert' | 'code', string>> = Object.freeze({
  after: 'tara-rl/after',
  inert: 'tara-rl/inert',
  code: 'tara-rl/code',
})

function asMcpTool({
  name,
  description,
  inputSchema,
  outputSchema,
  kind,
  after,
  inert,
}: ToolDefinition): McpTool {
  return {
    name,
    description,
    inputSchema: inputSchema as McpTool['inputSchema'],
    outputSchema: outputSchema as NonNullable<McpTool['outputSchema']>,
    annotations: { readOnlyHint: kind === 'query', openWorldHint: false },
    _meta: {
      ...(after === undefined ? {} : { [mcpMeta.after]: after }),
      ...(inert === undefined ? {} : { [mcpMeta.inert]: inert }),
    },
  }
}

function asMcpResult(result: CallResult): CallToolResult {
  if (result.ok)
    return {
      content: [{ type: 'text', text: JSON.stringify(result.output) }],
      structuredContent: result.output,
    }
  const { code, message } = result.error
  return { isError: true, content: [{ type: 'text', text: message }], _meta: { [mcpMeta.code]: code } }
}

/** Makes an MCP server of an environment.
 *
 * A call that is refused, or whose arguments are not valid, is a result with `isError`, so that a model reads why. An
 * unknown tool is an error of the protocol, as MCP says.
 * @throws the error of Node where `@modelcontextprotocol/sdk` is not installed
 */
export async function mcpServer(environment: Environment): Promise<Server> {
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js')
  const { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } = await import(
    '@modelcontextprotocol/sdk/types.js'
  )
  const { name, description, tools } = environment.source
  const server = new Server(
    { name, version: '1.0.0' },
    { capabilities: { tools: {} }, instructions: description },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(asMcpTool) }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const result = await environment.call(params.name, params.arguments ?? {})
    if (!result.ok && result.error.code === 'unknown-tool')
      throw new McpError(ErrorCode.InvalidParams, result.error.message)
    return asMcpResult(result)
  })
  return server
}

/** Serves an environment in this process.
 * @returns the client's end, for `connectMcp` or any MCP client; closing it ends the server
 * @throws the error of Node where `@modelcontextprotocol/sdk` is not installed
 */
export async function serveInMemory(environment: Environment): Promise<Transport> {
  const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js')
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const server = await mcpServer(environment)
  await server.connect(ours)
  return theirs
}

/** Serves an environment over stdin and stdout until the client closes them. Nothing else may write to stdout.
 * @param input - instead of stdin
 * @param output - instead of stdout
 * @throws the error of Node where `@modelcontextprotocol/sdk` is not installed
 */
export async function serveStdio(
  environment: Environment,
  input: Readable = process.stdin,
  output: Writable = process.stdout,
): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const server = await mcpServer(environment)
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
    input.once('end', resolve)
    input.once('close', resolve)
  })
  await server.connect(new StdioServerTransport(input, output))
  await closed
  await server.close()
}
