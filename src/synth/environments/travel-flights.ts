/**
 * Tools of the travel agency on flights and their bookings.
 */
import type { Tool } from '../types.js'
import { choice, listOf, record, refuse, text, the, tool, whole } from './define.js'
import type { TravelData } from './travel-data.js'
import { bookingId, totalUsd, travelerId } from './travel-schemas.js'

const BAG_FEE = 40

/** From the search to check-in, in their order. */
export const flightTools: readonly Tool[] = [
  tool<TravelData, { origin: string; destination: string; max_price_usd?: number }>(
    {
      name: 'search_flights',
      description: 'Search flights between two airports.',
      kind: 'query',
      inputSchema: record(
        {
          origin: text('Airport code of the departure.', { pattern: '^[A-Z]{3}$' }),
          destination: text('Airport code of the arrival.', { pattern: '^[A-Z]{3}$' }),
          max_price_usd: whole('Leave out flights that cost more.', { minimum: 1, examples: [400, 900] }),
        },
        ['max_price_usd'],
      ),
      outputSchema: record({
        flights: listOf('Flights, the cheapest first.', {
          flight_id: text('Identifier of the flight.'),
          departs_at: text('Time of departure.'),
          price_usd: totalUsd,
          seats_left: whole('Seats that can still be booked.'),
        }),
      }),
    },
    ({ flights }, { origin, destination, max_price_usd = Number.MAX_SAFE_INTEGER }) => {
      const route = flights.filter((one) => one.origin === origin && one.destination === destination)
      if (route.length === 0) refuse(`No flights go from ${origin} to ${destination}.`)
      return {
        flights: route
          .filter(({ price_usd }) => price_usd <= max_price_usd)
          .sort((a, b) => a.price_usd - b.price_usd)
          .map(({ flight_id, departs_at, price_usd, seats_left }) => ({
            flight_id,
            departs_at,
            price_usd,
            seats_left,
          })),
      }
    },
  ),
  tool<TravelData, { flight_id: string }>(
    {
      name: 'get_flight_details',
      description: 'Get the aircraft, meal and arrival time of a flight.',
      kind: 'query',
      inputSchema: record({ flight_id: text('Identifier of the flight.') }),
      outputSchema: record({
        aircraft: text('Type of aircraft.'),
        arrives_at: text('Time of arrival.'),
        meal: choice('What is served.', ['none', 'snack', 'hot meal']),
      }),
    },
    ({ flights }, { flight_id }) => {
      const { aircraft, arrives_at, meal } = the(flights, 'flight_id', flight_id, 'flight')
      return { aircraft, arrives_at, meal }
    },
  ),
  tool<TravelData, { traveler_id: string; flight_id: string }>(
    {
      name: 'book_flight',
      description: 'Book a flight for a traveler.',
      kind: 'update',
      after: ['get_flight_details'],
      inputSchema: record({ traveler_id: travelerId, flight_id: text('Identifier of the flight.') }),
      outputSchema: record({
        booking_id: bookingId,
        assigned_seat: text('Seat given on booking.'),
        total_usd: totalUsd,
      }),
    },
    ({ travelers, flights, bookings }, { traveler_id, flight_id }, { newId }) => {
      the(travelers, 'traveler_id', traveler_id, 'traveler')
      const flight = the(flights, 'flight_id', flight_id, 'flight')
      if (flight.seats_left === 0) refuse(`Flight ${flight_id} is sold out.`)
      flight.seats_left -= 1
      const booking_id = newId('booking')
      const seat = `${30 - bookings.length}D`
      const total_usd = flight.price_usd
      bookings.push({ booking_id, traveler_id, flight_id, seat, bags: 0, total_usd, status: 'confirmed' })
      return { booking_id, assigned_seat: seat, total_usd }
    },
  ),
  tool<TravelData, { booking_id: string; seat: string }>(
    {
      name: 'choose_seat',
      description: 'Choose another seat for a booked flight.',
      kind: 'update',
      inputSchema: record({
        booking_id: bookingId,
        seat: text('Row and letter.', { pattern: '^[1-9][0-9]?[A-F]$', examples: ['12A', '7F', '18C'] }),
      }),
      outputSchema: record({ previous_seat: text('Seat that is free again.') }),
    },
    ({ bookings }, { booking_id, seat }) => {
      const booking = the(bookings, 'booking_id', booking_id, 'booking')
      if (booking.status !== 'confirmed') refuse(`Booking ${booking_id} is ${booking.status}.`)
      const isTaken = bookings.some((one) => one.flight_id === booking.flight_id && one.seat === seat)
      if (isTaken) refuse(`Seat ${seat} is taken.`)
      const previous_seat = booking.seat
      booking.seat = seat
      return { previous_seat }
    },
  ),
  tool<TravelData, { booking_id: string; bags: number }>(
    {
      name: 'add_bags',
      description: 'Add checked bags to a booked flight.',
      kind: 'update',
      inputSchema: record({
        booking_id: bookingId,
        bags: whole('Number of bags to add.', { minimum: 1, maximum: 3, examples: [1, 2] }),
      }),
      outputSchema: record({
        bags_in_total: whole('Bags of the booking.'),
        fee_usd: whole('Price of the new bags.'),
      }),
    },
    ({ bookings }, { booking_id, bags }) => {
      const booking = the(bookings, 'booking_id', booking_id, 'booking')
      if (booking.status !== 'confirmed') refuse(`Booking ${booking_id} is ${booking.status}.`)
      if (booking.bags + bags > 5)
        refuse(`A booking takes 5 bags at most; ${booking_id} has ${booking.bags}.`)
      booking.bags += bags
      booking.total_usd += BAG_FEE * bags
      return { bags_in_total: booking.bags, fee_usd: BAG_FEE * bags }
    },
  ),
  tool<TravelData, { booking_id: string }>(
    {
      name: 'check_in',
      description: 'Check in for a booked flight.',
      kind: 'update',
      after: ['choose_seat', 'add_bags'],
      inputSchema: record({ booking_id: bookingId }),
      outputSchema: record({
        boarding_pass: text('Number of the boarding pass.'),
        gate: text('Gate of departure.'),
      }),
    },
    ({ flights, bookings }, { booking_id }, { newId }) => {
      const booking = the(bookings, 'booking_id', booking_id, 'booking')
      if (booking.status !== 'confirmed') refuse(`Booking ${booking_id} is ${booking.status}.`)
      booking.status = 'checked in'
      return {
        boarding_pass: newId('pass'),
        gate: the(flights, 'flight_id', booking.flight_id, 'flight').gate,
      }
    },
  ),
]

/** Cancels a booked flight. */
export const cancelBooking: Tool = tool<TravelData, { booking_id: string; reason: string }>(
  {
    name: 'cancel_booking',
    description: 'Cancel a booked flight.',
    kind: 'update',
    after: ['check_in'],
    inputSchema: record({
      booking_id: bookingId,
      reason: choice('Why; an illness is paid back in full.', ['change of plans', 'illness', 'schedule']),
    }),
    outputSchema: record({ refund_usd: whole('What is paid back.') }),
  },
  ({ flights, bookings }, { booking_id, reason }) => {
    const booking = the(bookings, 'booking_id', booking_id, 'booking')
    if (booking.status === 'canceled') refuse(`Booking ${booking_id} is canceled already.`)
    booking.status = 'canceled'
    the(flights, 'flight_id', booking.flight_id, 'flight').seats_left += 1
    return { refund_usd: reason === 'illness' ? booking.total_usd : Math.floor(booking.total_usd / 2) }
  },
)
