/**
 * How tools of the calendar name an event, and when it takes place.
 */
import type { JsonSchema } from '../types.js'
import type { Event } from './calendar-data.js'
import { text, whole } from './define.js'

/** In milliseconds. */
export const MINUTE: number = 60_000
export const eventId: JsonSchema = text('Identifier of the event.')
export const email: JsonSchema = text('Email address of the person.')
export const length: JsonSchema = whole('Length in minutes.', {
  minimum: 15,
  maximum: 120,
  examples: [30, 45, 60],
})

/** When an event starts, in milliseconds. */
export const start = ({ startsAt }: Event): number => Date.parse(startsAt)

/** When an event ends, in milliseconds. */
export const end = (event: Event): number => start(event) + event.minutes * MINUTE

/** Whether an event takes place at some of this time. */
export const meets = (event: Event, from: number, to: number): boolean =>
  event.state === 'planned' && start(event) < to && from < end(event)
