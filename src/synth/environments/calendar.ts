/**
 * A shared calendar: people, events, rooms, invitations.
 */
import type { EnvironmentSource } from '../types.js'
import { choice, listOf, record, refuse, text, the, tool, whole } from './define.js'

type CalendarData = {
  people: { name: string; email: string; timeZone: string }[]
  rooms: { roomId: string; roomName: string; seats: number }[]
  events: {
    eventId: string
    organizer: string
    topic: string
    startsAt: string
    minutes: number
    roomId: string | null
    state: string
  }[]
  invitations: { invitationId: string; eventId: string; guestEmail: string; answer: string }[]
}

const calendarData: CalendarData = {
  people: [
    { name: 'Aiko Mori', email: 'aiko.mori@example.org', timeZone: 'Asia/Tokyo' },
    { name: 'Ben Castellano', email: 'ben.castellano@example.org', timeZone: 'Europe/Rome' },
    { name: 'Chidi Eze', email: 'chidi.eze@example.org', timeZone: 'Africa/Lagos' },
    { name: 'Dana Whitfield', email: 'dana.whitfield@example.org', timeZone: 'Europe/London' },
  ],
  rooms: [
    { roomId: 'room-birch', roomName: 'Birch', seats: 4 },
    { roomId: 'room-cedar', roomName: 'Cedar', seats: 8 },
    { roomId: 'room-oak', roomName: 'Oak', seats: 16 },
  ],
  events: [
    {
      eventId: 'event-101',
      organizer: 'aiko.mori@example.org',
      topic: 'Sprint review',
      startsAt: '2026-06-01T09:00:00.000Z',
      minutes: 60,
      roomId: 'room-cedar',
      state: 'planned',
    },
    {
      eventId: 'event-102',
      organizer: 'ben.castellano@example.org',
      topic: 'Supplier call',
      startsAt: '2026-06-01T10:30:00.000Z',
      minutes: 30,
      roomId: null,
      state: 'planned',
    },
    {
      eventId: 'event-103',
      organizer: 'chidi.eze@example.org',
      topic: 'Interview, data engineer',
      startsAt: '2026-06-02T13:00:00.000Z',
      minutes: 45,
      roomId: null,
      state: 'planned',
    },
    {
      eventId: 'event-104',
      organizer: 'dana.whitfield@example.org',
      topic: 'Budget for the autumn',
      startsAt: '2026-06-03T08:00:00.000Z',
      minutes: 90,
      roomId: 'room-oak',
      state: 'planned',
    },
    {
      eventId: 'event-105',
      organizer: 'aiko.mori@example.org',
      topic: 'Design critique',
      startsAt: '2026-06-02T09:00:00.000Z',
      minutes: 60,
      roomId: null,
      state: 'planned',
    },
  ],
  invitations: [
    {
      invitationId: 'invite-31',
      eventId: 'event-101',
      guestEmail: 'ben.castellano@example.org',
      answer: 'none',
    },
    {
      invitationId: 'invite-32',
      eventId: 'event-103',
      guestEmail: 'dana.whitfield@example.org',
      answer: 'yes',
    },
    { invitationId: 'invite-33', eventId: 'event-104', guestEmail: 'chidi.eze@example.org', answer: 'none' },
  ],
}

type Event = CalendarData['events'][number]

const MINUTE = 60_000
const eventId = text('Identifier of the event.')
const email = text('Email address of the person.')
const day = text('Day, such as 2026-06-01.', {
  pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$',
  examples: ['2026-06-01', '2026-06-02', '2026-06-03'],
})
const time = (description: string, examples: readonly string[]): ReturnType<typeof text> =>
  text(description, {
    pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:00.000Z$',
    examples,
  })
const length = whole('Length in minutes.', { minimum: 15, maximum: 120, examples: [30, 45, 60] })

const start = ({ startsAt }: Event): number => Date.parse(startsAt)
const end = (event: Event): number => start(event) + event.minutes * MINUTE

/** Whether an event takes place at some of this time. */
const meets = (event: Event, from: number, to: number): boolean =>
  event.state === 'planned' && start(event) < to && from < end(event)

function planned({ events }: CalendarData, id: string): Event {
  const event = the(events, 'eventId', id, 'event')
  return event.state === 'planned' ? event : refuse(`Event ${id} is ${event.state}.`)
}

/** Refuses a time at which the organizer or the room has something else. */
function checkTime({ events }: CalendarData, event: Event): void {
  for (const other of events) {
    if (other.eventId === event.eventId || !meets(other, start(event), end(event))) continue
    if (other.organizer === event.organizer) refuse(`${event.organizer} has ${other.eventId} at that time.`)
    if (other.roomId !== null && other.roomId === event.roomId)
      refuse(`${event.roomId} has ${other.eventId} at that time.`)
  }
}

export const calendar: EnvironmentSource = {
  name: 'team-calendar',
  description: 'The calendar of a team: people meet in rooms and answer invitations.',
  database: calendarData,
  tools: [
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
            .filter(
              (one) => one.organizer === email && one.state === 'planned' && one.startsAt.startsWith(day),
            )
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
    tool<CalendarData, { email: string; title: string; start: string; durationMinutes: number }>(
      {
        name: 'CreateEvent',
        description: 'Create an event for its organizer.',
        kind: 'update',
        after: ['ListEvents'],
        inputSchema: record({
          email,
          title: text('What it is about.', {
            minLength: 3,
            examples: ['Project kickoff', 'One on one', 'Demo for sales'],
          }),
          start: time('Start of the event.', ['2026-06-04T09:00:00.000Z', '2026-06-05T14:00:00.000Z']),
          durationMinutes: length,
        }),
        outputSchema: record({ eventId, endsAt: text('End of the event.') }),
      },
      (database, { email, title, start, durationMinutes }, { newId }) => {
        the(database.people, 'email', email, 'person with the email address')
        const event: Event = {
          eventId: newId('event'),
          organizer: email,
          topic: title,
          startsAt: start,
          minutes: durationMinutes,
          roomId: null,
          state: 'planned',
        }
        checkTime(database, event)
        database.events.push(event)
        return { eventId: event.eventId, endsAt: new Date(end(event)).toISOString() }
      },
    ),
    tool<CalendarData, { eventId: string; guestEmail: string }>(
      {
        name: 'InviteGuest',
        description: 'Invite a guest to an event.',
        kind: 'update',
        inputSchema: record({ eventId, guestEmail: text('Email address of the guest.') }),
        outputSchema: record({ invitationId: text('Identifier of the invitation.') }),
      },
      (database, { eventId, guestEmail }, { newId }) => {
        const event = planned(database, eventId)
        the(database.people, 'email', guestEmail, 'person with the email address')
        const isThere =
          event.organizer === guestEmail ||
          database.invitations.some((one) => one.eventId === eventId && one.guestEmail === guestEmail)
        if (isThere) refuse(`${guestEmail} takes part in ${eventId} already.`)
        const invitationId = newId('invite')
        database.invitations.push({ invitationId, eventId, guestEmail, answer: 'none' })
        return { invitationId }
      },
    ),
    tool<CalendarData, { invitationId: string; reply: string }>(
      {
        name: 'AnswerInvitation',
        description: 'Answer an invitation.',
        kind: 'update',
        inputSchema: record({
          invitationId: text('Identifier of the invitation.'),
          reply: choice('The answer.', ['yes', 'no', 'maybe']),
        }),
        outputSchema: record({ guestsComing: whole('Guests who said yes.') }),
      },
      (database, { invitationId, reply }) => {
        const invitation = the(database.invitations, 'invitationId', invitationId, 'invitation')
        planned(database, invitation.eventId)
        if (invitation.answer === reply) refuse(`The answer to ${invitationId} is ${reply} already.`)
        invitation.answer = reply
        const { eventId } = invitation
        return {
          guestsComing: database.invitations.filter((one) => one.eventId === eventId && one.answer === 'yes')
            .length,
        }
      },
    ),
    tool<CalendarData, { eventId: string; newStart: string }>(
      {
        name: 'MoveEvent',
        description: 'Move an event to another time.',
        kind: 'update',
        inputSchema: record({
          eventId,
          newStart: time('New start of the event.', [
            '2026-06-08T07:00:00.000Z',
            '2026-06-09T15:30:00.000Z',
            '2026-06-11T11:00:00.000Z',
          ]),
        }),
        outputSchema: record({ movedFrom: text('Start until now.') }),
      },
      (database, { eventId, newStart }) => {
        const event = planned(database, eventId)
        const movedFrom = event.startsAt
        if (movedFrom === newStart) refuse(`Event ${eventId} starts then already.`)
        checkTime(database, { ...event, startsAt: newStart })
        event.startsAt = newStart
        return { movedFrom }
      },
    ),
    tool<CalendarData, { eventId: string; roomId: string }>(
      {
        name: 'BookRoom',
        description: 'Book a room for an event.',
        kind: 'update',
        after: ['MoveEvent', 'InviteGuest'],
        inputSchema: record({ eventId, roomId: text('Identifier of the room.') }),
        outputSchema: record({ seatsLeft: whole('Seats beyond organizer and guests.') }),
      },
      (database, { eventId, roomId }) => {
        const event = planned(database, eventId)
        const { seats } = the(database.rooms, 'roomId', roomId, 'room')
        if (event.roomId === roomId) refuse(`Event ${eventId} has ${roomId} already.`)
        const seatsLeft = seats - 1 - database.invitations.filter((one) => one.eventId === eventId).length
        if (seatsLeft < 0) refuse(`Room ${roomId} is too small for ${eventId}.`)
        checkTime(database, { ...event, roomId })
        event.roomId = roomId
        return { seatsLeft }
      },
    ),
    tool<CalendarData, { eventId: string; notice: string }>(
      {
        name: 'CancelEvent',
        description: 'Cancel an event and tell its guests.',
        kind: 'update',
        after: ['BookRoom', 'AnswerInvitation', 'InviteGuest'],
        inputSchema: record({
          eventId,
          notice: text('What the guests are told.', {
            minLength: 3,
            examples: ['We will find another date.', 'The topic is settled.'],
          }),
        }),
        outputSchema: record({ guestsTold: whole('Number of guests.'), message: text('What they got.') }),
      },
      (database, { eventId, notice }) => {
        const event = planned(database, eventId)
        event.state = 'canceled'
        const guestsTold = database.invitations.filter((one) => one.eventId === eventId).length
        return { guestsTold, message: `${event.topic} is canceled. ${notice}` }
      },
    ),
  ],
}
