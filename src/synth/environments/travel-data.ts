/**
 * What the travel agency starts from.
 */

export type TravelData = {
  travelers: {
    traveler_id: string
    full_name: string
    email: string
    home_airport: string
    loyalty_points: number
  }[]
  flights: {
    flight_id: string
    origin: string
    destination: string
    departs_at: string
    arrives_at: string
    aircraft: string
    meal: string
    gate: string
    price_usd: number
    seats_left: number
  }[]
  hotels: {
    hotel_id: string
    hotel_name: string
    city: string
    nightly_rate_usd: number
    rooms_left: number
  }[]
  bookings: {
    booking_id: string
    traveler_id: string
    flight_id: string
    seat: string
    bags: number
    total_usd: number
    status: string
  }[]
  stays: {
    stay_id: string
    traveler_id: string
    hotel_id: string
    check_in_date: string
    nights: number
    status: string
  }[]
}

export const travelData: TravelData = {
  travelers: [
    {
      traveler_id: 'traveler-ines',
      full_name: 'Inês Carvalho',
      email: 'ines.carvalho@example.com',
      home_airport: 'LIS',
      loyalty_points: 18200,
    },
    {
      traveler_id: 'traveler-tomas',
      full_name: 'Tomás Lindqvist',
      email: 'tomas.lindqvist@example.com',
      home_airport: 'ARN',
      loyalty_points: 3150,
    },
    {
      traveler_id: 'traveler-mei',
      full_name: 'Mei Nakagawa',
      email: 'mei.nakagawa@example.com',
      home_airport: 'NRT',
      loyalty_points: 64000,
    },
    {
      traveler_id: 'traveler-david',
      full_name: 'David Okafor',
      email: 'david.okafor@example.com',
      home_airport: 'LHR',
      loyalty_points: 740,
    },
  ],
  flights: [
    {
      flight_id: 'TP553',
      origin: 'LIS',
      destination: 'OSL',
      departs_at: '2026-06-14T07:25:00Z',
      arrives_at: '2026-06-14T11:20:00Z',
      aircraft: 'Airbus A321neo',
      meal: 'snack',
      gate: 'S18',
      price_usd: 240,
      seats_left: 9,
    },
    {
      flight_id: 'TP561',
      origin: 'LIS',
      destination: 'OSL',
      departs_at: '2026-06-14T15:10:00Z',
      arrives_at: '2026-06-14T19:05:00Z',
      aircraft: 'Airbus A320',
      meal: 'none',
      gate: 'S21',
      price_usd: 185,
      seats_left: 4,
    },
    {
      flight_id: 'SK1429',
      origin: 'ARN',
      destination: 'LHR',
      departs_at: '2026-06-15T06:50:00Z',
      arrives_at: '2026-06-15T09:35:00Z',
      aircraft: 'Boeing 737-800',
      meal: 'snack',
      gate: 'F34',
      price_usd: 210,
      seats_left: 12,
    },
    {
      flight_id: 'JL43',
      origin: 'NRT',
      destination: 'LHR',
      departs_at: '2026-07-01T02:40:00Z',
      arrives_at: '2026-07-01T16:55:00Z',
      aircraft: 'Boeing 787-9',
      meal: 'hot meal',
      gate: '71',
      price_usd: 1180,
      seats_left: 3,
    },
    {
      flight_id: 'BA762',
      origin: 'LHR',
      destination: 'OSL',
      departs_at: '2026-06-20T06:15:00Z',
      arrives_at: '2026-06-20T08:30:00Z',
      aircraft: 'Airbus A319',
      meal: 'none',
      gate: 'B40',
      price_usd: 160,
      seats_left: 21,
    },
  ],
  hotels: [
    {
      hotel_id: 'hotel-fjordlys',
      hotel_name: 'Fjordlys Hotel',
      city: 'Oslo',
      nightly_rate_usd: 170,
      rooms_left: 5,
    },
    {
      hotel_id: 'hotel-grunerlokka',
      hotel_name: 'Grünerløkka Rooms',
      city: 'Oslo',
      nightly_rate_usd: 115,
      rooms_left: 2,
    },
    {
      hotel_id: 'hotel-bankside',
      hotel_name: 'Bankside Court',
      city: 'London',
      nightly_rate_usd: 230,
      rooms_left: 7,
    },
    {
      hotel_id: 'hotel-alfama',
      hotel_name: 'Casa de Alfama',
      city: 'Lisbon',
      nightly_rate_usd: 95,
      rooms_left: 3,
    },
  ],
  bookings: [
    {
      booking_id: 'booking-4k2p',
      traveler_id: 'traveler-ines',
      flight_id: 'TP553',
      seat: '12A',
      bags: 1,
      total_usd: 280,
      status: 'confirmed',
    },
    {
      booking_id: 'booking-9x7d',
      traveler_id: 'traveler-mei',
      flight_id: 'JL43',
      seat: '22F',
      bags: 2,
      total_usd: 1260,
      status: 'confirmed',
    },
    {
      booking_id: 'booking-1m5c',
      traveler_id: 'traveler-tomas',
      flight_id: 'SK1429',
      seat: '4C',
      bags: 0,
      total_usd: 210,
      status: 'checked in',
    },
    {
      booking_id: 'booking-7b3q',
      traveler_id: 'traveler-david',
      flight_id: 'BA762',
      seat: '16D',
      bags: 0,
      total_usd: 160,
      status: 'confirmed',
    },
  ],
  stays: [
    {
      stay_id: 'stay-2h8r',
      traveler_id: 'traveler-ines',
      hotel_id: 'hotel-fjordlys',
      check_in_date: '2026-06-14',
      nights: 3,
      status: 'reserved',
    },
    {
      stay_id: 'stay-5w1n',
      traveler_id: 'traveler-mei',
      hotel_id: 'hotel-bankside',
      check_in_date: '2026-07-01',
      nights: 6,
      status: 'reserved',
    },
    {
      stay_id: 'stay-8t4v',
      traveler_id: 'traveler-david',
      hotel_id: 'hotel-grunerlokka',
      check_in_date: '2026-06-20',
      nights: 2,
      status: 'canceled',
    },
  ],
}
