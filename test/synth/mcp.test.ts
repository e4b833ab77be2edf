/**
 * An environment behind a real MCP server: in memory, and in a process of its own.
 */

import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openEnvironment } from '../../src/synth/environment.js'
import { environments } from '../../src/synth/environments/index.js'
import { tickets } from '../../src/synth/environments/tickets.js'
import { connectMcp, connectMcpProgram } from '../../src/synth/mcp-client.js'
import { serveInMemory } from '../../src/synth/mcp-server.js'
import type { ToolDefinition } from '../../src/synth/types.js'
import { broken } from './tiny.js'

const definitions = (tools: readonly ToolDefinition[]): object[] =>
  tools.map(({ name, description, kind, inputSchema, outputSchema, after, inert }) => ({
    name,
    description,
    kind,
    inputSchema,
    outputSchema,
    after,
    inert,
  }))

describe('an environment in memory', () => {
  for (const source of environments) {
    it(`${source.name} gives its definitions to a client, hints too`, async () => {
      const tools = await connectMcp(await serveInMemory(openEnvironment(source)))
      expect({ name: tools.name, description: tools.description }).toEqual({
        name: source.name,
        description: source.description,
      })
      expect(definitions(tools.tools)).toEqual(definitions(source.tools))
      await tools.close()
    })
  }

  it('answers calls as the environment does, and keeps its state', async () => {
    const direct = openEnvironment(tickets, { seed: 9 })
    const served = await connectMcp(await serveInMemory(openEnvironment(tickets, { seed: 9 })))
    const calls: [string, unknown][] = [
      ['ticket-read', { ticket_id: 'T-3301' }],
      ['ticket-prioritize', { ticket_id: 'T-3301', new_priority: 'urgent' }],
      ['ticket-prioritize', { ticket_id: 'T-3301', new_priority: 'urgent' }],
      ['ticket-comment', { ticket_id: 'T-3301', message: 'Hello' }],
      ['ticket-comment', { ticket_id: 'T-3301', mesage: 'Hello' }],
      ['ticket-read', { ticket_id: 'T-1' }],
      ['ticket-close', {}],
      ['ticket-read', 'T-3301'],
      ['ticket-read', null],
    ]
    for (const [name, args] of calls) {
      const expected = await direct.call(name, args)
      const given = await served.call(name, args)
      if (expected.ok) expect(given).toEqual(expected)
      else expect(given).toMatchObject({ ok: false, error: { code: expected.error.code } })
    }
    await served.close()
  })

  it('serves a client that is not ours: refusals are results, an unknown tool is an error of the protocol', async () => {
    const client = new Client({ name: 'another', version: '1' })
    await client.connect(await serveInMemory(openEnvironment(tickets)))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(tickets.tools.map(({ name }) => name))
    const read = { name: 'article-read', arguments: { article_id: 'A-11' } }
    expect(await client.callTool(read)).toMatchObject({
      structuredContent: { content: 'Exports above 10,000 rows are sent by email as several files.' },
    })
    expect(await client.callTool({ name: 'article-read', arguments: { article_id: 'A-99' } })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'There is no article A-99.' }],
    })
    expect(await client.callTool({ name: 'article-read', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('article_id') }],
    })
    await expect(client.callTool({ name: 'article-burn', arguments: {} })).rejects.toThrow('there is no tool')
    await client.close()
  })

  it('passes on that a handler hangs', async () => {
    const source = broken('delete_note', () => () => new Promise(() => {}))
    const served = await connectMcp(await serveInMemory(openEnvironment(source, { timeout: 20 })))
    expect(await served.call('delete_note', { note_id: 'note-a' })).toMatchObject({
      ok: false,
      error: { code: 'timeout' },
    })
    await served.close()
  })
})

describe('a server in a process of its own', () => {
  const file = fileURLToPath(new URL('stdio-server.ts', import.meta.url))
  const program = { command: process.execPath, args: ['--import', 'tsx', file] }
  const connected = connectMcpProgram(program)
  afterAll(async () => (await connected).close())

  it('lists tools and answers calls over stdio', async () => {
    const tools = await connected
    expect(definitions(tools.tools)).toEqual(definitions(tickets.tools))
    const direct = openEnvironment(tickets, { seed: 3 })
    const args = { requester_email: 'yuki@harborlab.example', subject: 'Hello', topic: 'exports' }
    expect(await tools.call('ticket-open', args)).toEqual(await direct.call('ticket-open', args))
    expect(await tools.call('ticket-open', { ...args, topic: 'weather' })).toMatchObject({
      ok: false,
      error: { code: 'invalid-arguments' },
    })
    expect(await tools.call('ticket-burn', {})).toMatchObject({ ok: false, error: { code: 'unknown-tool' } })
  })

  it('says that a program does not start, or is no server', async () => {
    await expect(connectMcpProgram({ command: '/no/such/program' })).rejects.toThrow(
      /^connectMcpProgram: command: expected a program that starts, got spawn/,
    )
    await expect(connectMcpProgram({ command: process.execPath, args: ['-e', ''] })).rejects.toThrow(
      /^connectMcp: expected a server that answers, got /,
    )
  })
})

describe('a server of others', () => {
  /** A server written with the SDK alone. */
  async function other(): Promise<Awaited<ReturnType<typeof connectMcp>>> {
    const server = new McpServer({ name: 'other', version: '2' })
    const text = (value: string): { content: { type: 'text'; text: string }[] } => ({
      content: [{ type: 'text', text: value }],
    })
    server.registerTool('say', { inputSchema: { word: z.string() } }, ({ word }) => text(word))
    server.registerTool('fail', { annotations: { readOnlyHint: true } }, () => {
      throw new Error('out of paper')
    })
    server.registerTool('wait', {}, () => new Promise(() => {}))
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await server.connect(theirs)
    return connectMcp(ours, { timeout: 200 })
  }

  it('gives texts, objects, refusals and timeouts', async () => {
    const tools = await other()
    expect(tools.tools.map(({ name, kind }) => [name, kind])).toEqual([
      ['say', 'update'],
      ['fail', 'query'],
      ['wait', 'update'],
    ])
    expect(tools.tools[0]).toMatchObject({ description: '', outputSchema: { type: 'object' } })
    expect(await tools.call('say', { word: 'hi' })).toEqual({ ok: true, output: { text: 'hi' } })
    expect(await tools.call('say', { word: '{"a":1}' })).toEqual({ ok: true, output: { a: 1 } })
    expect(await tools.call('say', { word: 1 })).toMatchObject({ ok: false })
    expect(await tools.call('fail', {})).toEqual({
      ok: false,
      error: { code: 'refused', message: 'out of paper' },
    })
    expect(await tools.call('wait', {})).toMatchObject({ ok: false, error: { code: 'timeout' } })
    expect('snapshot' in tools).toBe(false)
    await tools.close()
    await expect(tools.call('say', { word: 'hi' })).rejects.toThrow('expected a server that answers')
  })
})
