/**
 * Travel booking: flights, seats, bags, hotel rooms.
 */
import type { EnvironmentSource, Tool } from '../types.js'
import { listOf, record, text, the, tool, whole } from './define.js'
import { type TravelData, travelData } from './travel-data.js'
import { cancelBooking, flightTools } from './travel-flights.js'
import { cancelStay, hotelTools } from './travel-hotels.js'
import { bookingId, travelerId } from './travel-schemas.js'

const findTraveler: Tool = tool<TravelData, { email: string }>(
  {
    name: 'find_traveler',
    description: 'Find a traveler by email address.',
    kind: 'query',
    inputSchema: record({ email: text('Email address of the traveler.') }),
    outputSchema: record({
      traveler_id: travelerId,
      full_name: text('Name as in the passport.'),
      home_airport: text('Airport code.'),
      loyalty_points: whole('Points collected so far.'),
    }),
  },
  ({ travelers }, { email }) => {
    const { traveler_id, full_name, home_airport, loyalty_points } = the(
      travelers,
      'email',
      email,
      'traveler with the email address',
    )
    return { traveler_id, full_name, home_airport, loyalty_points }
  },
)

const getItinerary: Tool = tool<TravelData, { traveler_id: string }>(
  {
    name: 'get_itinerary',
    description: 'Get the flights and hotel stays of a traveler.',
    kind: 'query',
    after: ['book_flight', 'reserve_room'],
    inputSchema: record({ traveler_id: travelerId }),
    outputSchema: record({
      trips: listOf('Flights that are booked.', {
        booking_id: bookingId,
        departs_at: text('Time of departure.'),
      }),
      hotel_nights: whole('Hotel nights that are reserved.'),
    }),
  },
  ({ travelers, flights, bookings, stays }, { traveler_id }) => {
    the(travelers, 'traveler_id', traveler_id, 'traveler')
    const booked = bookings.filter((one) => one.traveler_id === traveler_id && one.status === 'confirmed')
    const reserved = stays.filter((one) => one.traveler_id === traveler_id && one.status === 'reserved')
    return {
      trips: booked.map(({ booking_id, flight_id }) => ({
        booking_id,
        departs_at: the(flights, 'flight_id', flight_id, 'flight').departs_at,
      })),
      hotel_nights: reserved.reduce((sum, { nights }) => sum + nights, 0),
    }
  },
)

export const travel: EnvironmentSource = {
  name: 'travel-booking',
  description: 'A travel agency: travelers book flights and hotel rooms, choose seats, check in and cancel.',
  database: travelData,
  tools: [findTraveler, ...flightTools, ...hotelTools, getItinerary, cancelStay, cancelBooking],
}
