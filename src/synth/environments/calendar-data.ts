/**
 * What the calendar starts from.
 */

export type CalendarData = {
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

export const calendarData: CalendarData = {
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

export type Event = CalendarData['events'][number]
