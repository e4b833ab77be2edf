/**
 * Generation stops at a tool that is at fault; a tool that refuses is left out.
 */
import { describe, expect, it } from 'vitest'
import { eventCounter, taskSummary } from '../../src/cli/synth-summary.js'
import { openEnvironment } from '../../src/synth/environment.js'
import { type GenerateOptions, generateTasks } from '../../src/synth/generate.js'
import { statsCounter } from '../../src/synth/stats.js'
import type { Handler, Task } from '../../src/synth/types.js'
import { broken } from './tiny.js'

class NotAllowed extends Error {}

const breaks = (thrown: unknown): Handler => {
  return () => {
    throw thrown
  }
}

async function tasksWith(handler: Handler, options?: Partial<GenerateOptions>): Promise<Task[]> {
  const tasks: Task[] = []
  for await (const task of generateTasks([broken('rate_note', () => handler)], options)) tasks.push(task)
  return tasks
}

describe('generateTasks, where a tool', () => {
  it.each<[string, Handler, string]>([
    ['hangs', () => new Promise(() => {}), 'gave no answer in 20 ms'],
    ['gives the wrong shape', () => ({ before: 'two' }), 'gave what it does not promise: output.before'],
    ['gives what is no object', () => undefined as never, 'gave what it does not promise: '],
    ['breaks', breaks(new TypeError('x is undefined')), 'breaks: TypeError: x is undefined'],
    ['breaks later', async (...given) => breaks(new RangeError('no'))(...given), 'breaks: RangeError: no'],
    ['throws what is no Error', breaks('no'), 'throws what is not an Error: "no"'],
  ])('%s, stops at once with its name and the reason', async (_name, handler, reason) => {
    let calls = 0
    const counted: Handler = (...given) => {
      calls++
      return handler(...given)
    }
    await expect(tasksWith(counted, { timeout: 20 })).rejects.toThrow(
      `notes.rate_note: expected an output or an honest refusal, got a tool that ${reason}`,
    )
    expect(calls).toBe(1)
  })

  it('is at fault only when an agent calls it, stops too', async () => {
    let isTried = false
    const agent: GenerateOptions['agent'] = {
      name: 'prober',
      solve: async (_task, environment) => {
        isTried = true
        await environment.call('rate_note', { note_id: 'note-a', stars: 1 })
        return []
      },
    }
    const handler: Handler = (database, args) => {
      if (isTried) throw new ReferenceError('y is not defined')
      const note = (database.notes as { note_id: string; stars: number }[]).find(
        (one) => one.note_id === args.note_id,
      )
      if (note === undefined) throw new Error('There is no such note.')
      const before = note.stars
      note.stars = args.stars as number
      return { before }
    }
    await expect(tasksWith(handler, { agent })).rejects.toThrow('ReferenceError: y is not defined')
  })

  it.each([
    ['an Error', new Error('It is locked.')],
    ['an Error of a class of its own', new NotAllowed('It is locked.')],
  ])('refuses honestly with %s, goes on, and the summary says why no task has it', async (_name, error) => {
    const events = eventCounter()
    const stats = statsCounter()
    const tasks = await tasksWith(breaks(error), { onEvent: events.add })
    expect(tasks.length).toBeGreaterThan(0)
    for (const task of tasks) stats.addTask(task)
    expect(taskSummary(stats.stats(), events.counts())).toContain(
      '\ntools in no task: notes.rate_note (refused: It is locked.)\n',
    )
  })
})

describe('an environment with throwFaults', () => {
  it('still gives a refusal and a call that is not valid as results', async () => {
    const source = broken('rate_note', () => breaks(new Error('It is locked.')))
    const environment = openEnvironment(source, { throwFaults: true })
    expect(await environment.call('rate_note', { note_id: 'note-a', stars: 1 })).toMatchObject({
      error: { code: 'refused' },
    })
    expect(await environment.call('rate_note', {})).toMatchObject({ error: { code: 'invalid-arguments' } })
    expect(await environment.call('nothing', {})).toMatchObject({ error: { code: 'unknown-tool' } })
  })
})
