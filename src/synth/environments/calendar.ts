/**
 * A shared calendar: people, events, rooms, invitations.
 */
import type { EnvironmentSource, Tool } from '../types.js'
import { type CalendarData, calendarData, type Event } from './calendar-data.js'
import { email, end, eventId, length, meets, start } from './calendar-events.js'
import { calendarQueries } from './calendar-queries.js'
import { choice, record, refuse, text, the, tool, whole } from './define.js'

const time = (description: string, examples: readonly string[]): ReturnType<typeof text> =>
  text(description, {
    pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:00.000Z$',
    examples,
  })

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

const calendarUpdates: readonly Tool[] = [
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
]

export const calendar: EnvironmentSource = {
  name: 'team-calendar',
  description: 'The calendar of a team: people meet in rooms and answer invitations.',
  database: calendarData,
  tools: [...calendarQueries, ...calendarUpdates],
}
