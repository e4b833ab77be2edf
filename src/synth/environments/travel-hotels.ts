/**
 * Tools of the travel agency on hotels and stays.
 */
import type { Tool } from '../types.js'
import { listOf, record, refuse, text, the, tool, whole } from './define.js'
import type { TravelData } from './travel-data.js'
import { totalUsd, travelerId } from './travel-schemas.js'

/** Search and reservation, in their order. */
export const hotelTools: readonly Tool[] = [
  tool<TravelData, { city: string }>(
    {
      name: 'search_hotels',
      description: 'Search hotels in a city.',
      kind: 'query',
      inputSchema: record({ city: text('Name of the city.') }),
      outputSchema: record({
        hotels: listOf('Hotels with free rooms.', {
          hotel_id: text('Identifier of the hotel.'),
          hotel_name: text('Name of the hotel.'),
          nightly_rate_usd: whole('Price of a night in US dollars.'),
        }),
      }),
    },
    ({ hotels }, { city }) => {
      const free = hotels.filter((one) => one.city === city && one.rooms_left > 0)
      if (free.length === 0) refuse(`No hotel in ${city} has a free room.`)
      return {
        hotels: free.map(({ hotel_id, hotel_name, nightly_rate_usd }) => ({
          hotel_id,
          hotel_name,
          nightly_rate_usd,
        })),
      }
    },
  ),
  tool<TravelData, { traveler_id: string; hotel_id: string; check_in_date: string; nights: number }>(
    {
      name: 'reserve_room',
      description: 'Reserve a hotel room for a traveler.',
      kind: 'update',
      inputSchema: record({
        traveler_id: travelerId,
        hotel_id: text('Identifier of the hotel.'),
        check_in_date: text('First night.', {
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
          examples: ['2026-06-14', '2026-07-02'],
        }),
        nights: whole('Number of nights.', { minimum: 1, maximum: 14, examples: [2, 3, 5] }),
      }),
      outputSchema: record({ stay_id: text('Identifier of the hotel stay.'), total_usd: totalUsd }),
    },
    ({ travelers, hotels, stays }, { traveler_id, hotel_id, check_in_date, nights }, { newId }) => {
      the(travelers, 'traveler_id', traveler_id, 'traveler')
      const hotel = the(hotels, 'hotel_id', hotel_id, 'hotel')
      if (hotel.rooms_left === 0) refuse(`Hotel ${hotel_id} has no free room.`)
      hotel.rooms_left -= 1
      const stay_id = newId('stay')
      stays.push({ stay_id, traveler_id, hotel_id, check_in_date, nights, status: 'reserved' })
      return { stay_id, total_usd: nights * hotel.nightly_rate_usd }
    },
  ),
]

/** Cancels a hotel stay. */
export const cancelStay: Tool = tool<TravelData, { stay_id: string }>(
  {
    name: 'cancel_stay',
    description: 'Cancel a hotel stay.',
    kind: 'update',
    after: ['get_itinerary'],
    inputSchema: record({ stay_id: text('Identifier of the hotel stay.') }),
    outputSchema: record({ refund_usd: whole('What is paid back.') }),
  },
  ({ hotels, stays }, { stay_id }) => {
    const stay = the(stays, 'stay_id', stay_id, 'stay')
    if (stay.status !== 'reserved') refuse(`Stay ${stay_id} is ${stay.status}.`)
    const hotel = the(hotels, 'hotel_id', stay.hotel_id, 'hotel')
    stay.status = 'canceled'
    hotel.rooms_left += 1
    return { refund_usd: stay.nights * hotel.nightly_rate_usd }
  },
)
