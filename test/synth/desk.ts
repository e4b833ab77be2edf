/**
 * A small environment and a task in it, for tests of agents and writers.
 */
import type { JsonObject, JsonValue } from '../../src/reward/call.js'
import type { EnvironmentSource, GroundedCall, Task, Tool } from '../../src/synth/types.js'

type Guest = { id: string; name: string; room: number | null }

const text = { type: 'string' } as const
const object = (properties: object): Tool['inputSchema'] => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const guestsIn = (database: Record<string, JsonValue>): Guest[] => database.guests as Guest[]

const tools: readonly Tool[] = [
  {
    name: 'find_guest',
    description: 'Find a guest by name. Names are exact.',
    inputSchema: object({ name: text }),
    outputSchema: object({ guest_id: text }),
    kind: 'query',
    handler: (database, { name }) => {
      const guest = guestsIn(database).find((one) => one.name === name)
      if (guest === undefined) throw new Error(`no guest is called ${String(name)}`)
      return { guest_id: guest.id }
    },
  },
  {
    name: 'list_rooms',
    description: 'List free rooms',
    inputSchema: object({}),
    outputSchema: object({ rooms: { type: 'array', items: { type: 'integer' } } }),
    kind: 'query',
    handler: (database) => ({
      rooms: [101, 102].filter((room) => guestsIn(database).every((guest) => guest.room !== room)),
    }),
  },
  {
    name: 'checkIn',
    description: 'Check a guest in.',
    inputSchema: object({ guest_id: text, room: { type: 'integer' }, bed: { enum: ['single', 'double'] } }),
    outputSchema: object({ key: text }),
    kind: 'update',
    handler: (database, { guest_id, room }, context) => {
      const guest = guestsIn(database).find((one) => one.id === guest_id)
      if (guest === undefined) throw new Error(`no guest has the id ${String(guest_id)}`)
      guest.room = room as number
      return { key: context.newId('key') }
    },
  },
]

/** The front desk of a hotel. */
export const desk: EnvironmentSource = {
  name: 'desk',
  description: 'The front desk of a hotel.',
  tools,
  database: { guests: [{ id: 'guest-7', name: 'Mina Okafor', room: null }] },
}

const grounded = (
  name: string,
  args: JsonObject,
  output: JsonObject,
  provenance: GroundedCall['provenance'],
): GroundedCall => ({ name, arguments: args, output, provenance })

const trace: Task['trace'] = [
  [
    grounded(
      'find_guest',
      { name: 'Mina Okafor' },
      { guest_id: 'guest-7' },
      { name: { from: 'database', path: 'guests[0].name' } },
    ),
    grounded('list_rooms', {}, { rooms: [101, 102] }, {}),
  ],
  [
    grounded(
      'checkIn',
      { guest_id: 'guest-7', room: 102, bed: 'single' },
      { key: 'key-1' },
      {
        guest_id: { from: 'edge', turn: 0, call: 0, path: 'guest_id' },
        room: { from: 'default' },
        bed: { from: 'default' },
      },
    ),
  ],
]

/** Two turns: find guest and rooms, then check in. */
export const deskTask: Task = {
  group: 'desk-0',
  environment: 'desk',
  seed: 5,
  requests: ['Find Mina Okafor and list free rooms.', 'Check her in to 102, single.'],
  golden: trace.map((calls) => calls.map(({ name, arguments: args }) => ({ name, arguments: args }))),
  trace,
  graph: { nodes: ['find_guest', 'list_rooms', 'checkIn'], edges: [] },
  attempts: 0,
  passed: 0,
}
