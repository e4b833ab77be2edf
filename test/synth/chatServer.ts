/**
 * A local server that speaks the chat protocol: each request takes the next of a list of answers.
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface Asked {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly model: string
    readonly messages: { role: string; content: string }[]
  } & Record<string, unknown>
}

export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown
  /** Gives no answer at all. */
  readonly hangs?: true
}

export interface ChatServer {
  readonly baseUrl: string
  /** What was asked, in order. */
  readonly asked: Asked[]
}

/** A reply of the assistant. */
export const says = (content: string): Answer => ({
  body: { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] },
})

/** A reply that makes calls; arguments are the text as the model wrote it. */
export const makesCalls = (...calls: readonly (readonly [name: string, args: string])[]): Answer => ({
  body: {
    choices: [
      {
        message: {
          role: 'assistant',
          content: null,
          tool_calls: calls.map(([name, args], k) => ({
            id: `c${k}`,
            type: 'function',
            function: { name, arguments: args },
          })),
        },
      },
    ],
  },
})

const open: Server[] = []

/** Starts a server that is closed after the tests of the file. The last answer is given again and again. */
export async function chatServer(...answers: readonly Answer[]): Promise<ChatServer> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      asked.push({
        path: request.url,
        headers: request.headers,
        body: JSON.parse(Buffer.concat(parts).toString()) as Asked['body'],
      })
      const answer = answers[Math.min(asked.length, answers.length) - 1]!
      if (answer.hangs) return
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  open.push(server)
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

afterAll(() => {
  for (const server of open) {
    server.closeAllConnections()
    server.close()
  }
})
