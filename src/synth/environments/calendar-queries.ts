/**
 * Queries of the calendar: people, events, free time, rooms.
 */
import type { Tool } from '../types.js'
import type { CalendarData } from './calendar-data.js'
import { email, end, eventId, length, MINUTE, meets, start } from './calendar-events.js'
import { listOf, record, refuse, text, the, tool, whole } from './define.js'

const day = text('Day, such as 2026-06-01.', {
  pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$',
  examples: ['2026-06-01', '2026-06-02', '2026-06-03'],
})

/** The queries, in their order. */
export const calendarQueries: readonly Tool[] = [
  tool<CalendarData, { name: string }>(
    {
      name: 'LookUpPerson',
      description: 'Look up the email address of a person.',
      kind: 'query',
      inputSchema: record({ name: text('Full name.') }),
      outputSchema: record({ email, timeZone: text('Time zone of the person.') }),
    },
    ({ people }, { name }) => {
      const { email, timeZone } = the(people, 'name', name, 'person named')
      return { email, timeZone }
    },
  ),
  tool<CalendarData, { email: string; day?: string }>(
    {
      name: 'ListEvents',
      description: 'List the events that a person organizes.',
      kind: 'query',
      inputSchema: record({ email, day }, ['day']),
      outputSchema: record({
        events: listOf('Events, the first one first.', {
          eventId,
          topic: text('What it is about.'),
          startsAt: text('Time of the start.'),
        }),
      }),
    },
    ({ people, events }, { email, day = '' }) => {
      the(people, 'email', email, 'person with the email address')
      return {
        events: events
          .filter((one) => one.organizer === email && one.state === 'planned' && one.startsAt.startsWith(day))
          .sort((a, b) => start(a) - start(b))
          .map(({ eventId, topic, startsAt }) => ({ eventId, topic, startsAt })),
      }
    },
  ),
  tool<CalendarData, { email: string; day: string; durationMinutes: number }>(
    {
      name: 'FindFreeTime',
      description: 'Find the first free time of a person on a day.',
      kind: 'query',
      inputSchema: record({ email, day, durationMinutes: length }),
      outputSchema: record({
        start: text('Start of the free time.'),
        minutesUntilBusy: whole('How long it lasts.'),
      }),
    },
    ({ people, events }, { email, day, durationMinutes }) => {
      the(people, 'email', email, 'person with the email address')
      const opens = Date.parse(`${day}T08:00:00Z`)
      const closes = Date.parse(`${day}T18:00:00Z`)
      const own = events
        .filter((one) => one.organizer === email && meets(one, opens, closes))
        .sort((a, b) => start(a) - start(b))
      let free = opens
      for (const event of own) {
        if (start(event) - free >= durationMinutes * MINUTE) break
        free = Math.max(free, end(event))
      }
      if (closes - free < durationMinutes * MINUTE) refuse(`${email} has no such time on ${day}.`)
      const next = own.find((one) => start(one) >= free)
      const until = next === undefined ? closes : start(next)
      return { start: new Date(free).toISOString(), minutesUntilBusy: (until - free) / MINUTE }
    },
  ),
  tool<CalendarData, { seatsNeeded: number }>(
    {
      name: 'FindRooms',
      description: 'Find rooms with enough seats.',
      kind: 'query',
      inputSchema: record({
        seatsNeeded: whole('Number of people.', { minimum: 1, maximum: 16, examples: [3, 6, 10] }),
      }),
      outputSchema: record({
        rooms: listOf('Rooms, the smallest first.', {
          roomId: text('Identifier of the room.'),
          roomName: text('Name of the room.'),
          seats: whole('Number of seats.'),
        }),
      }),
    },
    ({ rooms }, { seatsNeeded }) => ({
      rooms: rooms.filter(({ seats }) => seats >= seatsNeeded).sort((a, b) => a.seats - b.seats),
    }),
  ),
]
