/**
 * A small environment that is fit, for tests that break it in one place.
 */
import type { EnvironmentSource, Handler, JsonSchema, Tool } from '../../src/synth/types.js'

const record = (
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
})

type Note = { note_id: string; text: string; stars: number }

const notesOf = (database: object): Note[] => (database as { notes: Note[] }).notes

function noteOf(database: object, note_id: unknown): Note {
  const note = notesOf(database).find((one) => one.note_id === note_id)
  if (note === undefined) throw new Error(`There is no note ${String(note_id)}.`)
  return note
}

const noteId = { type: 'string', description: 'Identifier of the note.' }
const stars = { type: 'integer', minimum: 0, maximum: 5 }

const tools: readonly Tool[] = [
  {
    name: 'list_notes',
    description: 'List the notes.',
    kind: 'query',
    inputSchema: record({ least_stars: stars }, ['least_stars']),
    outputSchema: record({ notes: { type: 'array', items: record({ note_id: noteId }) } }),
    handler: (database, { least_stars = 0 }) => ({
      notes: notesOf(database)
        .filter((note) => note.stars >= (least_stars as number))
        .map(({ note_id }) => ({ note_id })),
    }),
  },
  {
    name: 'read_note',
    description: 'Read a note.',
    kind: 'query',
    inputSchema: record({ note_id: noteId }),
    outputSchema: record({ text: { type: 'string' } }),
    handler: (database, { note_id }) => ({ text: noteOf(database, note_id).text }),
  },
  {
    name: 'write_note',
    description: 'Write a note.',
    kind: 'update',
    inputSchema: record({ text: { type: 'string', minLength: 1 } }),
    outputSchema: record({ note_id: noteId }),
    handler: (database, { text }, { newId }) => {
      const note_id = newId('note')
      notesOf(database).push({ note_id, text: text as string, stars: 0 })
      return { note_id }
    },
  },
  {
    name: 'rate_note',
    description: 'Give stars to a note.',
    kind: 'update',
    after: ['read_note'],
    inputSchema: record({ note_id: noteId, stars }),
    outputSchema: record({ before: stars }),
    handler: (database, args) => {
      const note = noteOf(database, args.note_id)
      const before = note.stars
      note.stars = args.stars as number
      return { before }
    },
  },
  {
    name: 'delete_note',
    description: 'Delete a note.',
    kind: 'update',
    inputSchema: record({ note_id: noteId }),
    outputSchema: record({ left: { type: 'integer' } }),
    handler: (database, { note_id }) => {
      const notes = notesOf(database)
      notes.splice(notes.indexOf(noteOf(database, note_id)), 1)
      return { left: notes.length }
    },
  },
]

export const tiny: EnvironmentSource = {
  name: 'notes',
  description: 'A few notes.',
  database: {
    notes: [
      { note_id: 'note-a', text: 'buy milk', stars: 2 },
      { note_id: 'note-b', text: 'water the plants', stars: 5 },
      { note_id: 'note-c', text: 'call Ada', stars: 0 },
    ],
  },
  tools,
}

/** The small environment with one tool changed. */
export function broken(
  name: string,
  change: Partial<Tool> | ((handler: Handler) => Handler),
): EnvironmentSource {
  return {
    ...tiny,
    tools: tools.map((tool) =>
      tool.name !== name
        ? tool
        : { ...tool, ...(typeof change === 'function' ? { handler: change(tool.handler) } : change) },
    ),
  }
}
