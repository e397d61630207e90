/**
 * A made-up storm day around Frisco, Texas, with enough events to show every kind of finding. Each text states that it is
 * made up, and so does each file's name.
 */
export const sampleStorm = {
  address: '100 Main Street, Frisco, TX 75034',
  latitude: 33.1499,
  longitude: -96.8241,
  radius_miles: 5,
  window_start: '2025-01-01',
  window_end: '2025-12-31',
  storm_date: '2025-05-28',
} as const

/** One made-up event; times are local standard time, hhmm. */
export interface MadeUpEvent {
  /** MMDD */
  day: string
  begin: number
  end: number
  type: string
  county?: [fips: number, name: string]
  source: string
  magnitude?: string
  magnitude_type?: string
  rating?: string
  from: [latitude: number, longitude: number]
  to?: [latitude: number, longitude: number]
  /** Corners of a flood, [latitude, longitude]. */
  corners?: [number, number][]
  text: string
}

const DENTON: [number, string] = [121, 'DENTON']

/** The events of the made-up year, in time order. */
export const madeUpEvents: MadeUpEvent[] = [
  {
    day: '0304',
    begin: 515,
    end: 515,
    type: 'Thunderstorm Wind',
    source: 'Emergency Manager',
    magnitude: '52.00',
    magnitude_type: 'EG',
    from: [33.1801, -96.7602],
    text: 'A line of storms brought gusts estimated at 60 mph to the east side of Frisco.',
  },
  {
    day: '0420',
    begin: 1642,
    end: 1650,
    type: 'Hail',
    source: 'Public',
    magnitude: '.88',
    from: [33.1052, -96.8115],
    text: 'Hail the size of nickels fell for eight minutes.',
  },
  {
    day: '0528',
    begin: 1731,
    end: 1734,
    type: 'Funnel Cloud',
    source: 'Storm Chaser',
    county: DENTON,
    from: [33.1893, -96.9024],
    text: 'A funnel cloud was seen for three minutes northwest of the town; it did not reach the ground.',
  },
  {
    day: '0528',
    begin: 1738,
    end: 1744,
    type: 'Tornado',
    source: 'NWS Storm Survey',
    rating: 'EF1',
    county: DENTON,
    from: [33.1871, -96.8893],
    to: [33.1962, -96.8514],
    text: 'A short tornado crossed open ground and a road north of the town.',
  },
  {
    day: '0528',
    begin: 1746,
    end: 1752,
    type: 'Hail',
    source: 'Trained Spotter',
    magnitude: '1.75',
    from: [33.1611, -96.8187],
    text: 'A spotter reported hail the size of golf balls.',
  },
  {
    day: '0528',
    begin: 1749,
    end: 1749,
    type: 'Hail',
    source: 'Public',
    magnitude: '2.00',
    from: [33.1413, -96.8339],
    text: 'Hail two inches across was photographed beside a ruler.',
  },
  {
    day: '0528',
    begin: 1751,
    end: 1758,
    type: 'Hail',
    source: 'Broadcast Media',
    magnitude: '1.25',
    from: [33.1335, -96.7986],
    text: 'Hail the size of half dollars covered a lawn.',
  },
  {
    day: '0528',
    begin: 1755,
    end: 1755,
    type: 'Thunderstorm Wind',
    source: 'AWOS',
    magnitude: '57.00',
    magnitude_type: 'MG',
    from: [33.1764, -96.8402],
    text: 'The automatic station of an airfield measured a gust of 57 knots.',
  },
  {
    day: '0528',
    begin: 1758,
    end: 1803,
    type: 'Thunderstorm Wind',
    source: 'Law Enforcement',
    magnitude: '61.00',
    magnitude_type: 'EG',
    from: [33.1502, -96.8055],
    to: [33.1447, -96.7829],
    text: 'Tree limbs were down along a mile of road.',
  },
  {
    day: '0528',
    begin: 1806,
    end: 1806,
    type: 'Lightning',
    source: 'Fire Department/Rescue',
    from: [33.1566, -96.8321],
    text: 'Lightning struck a pine beside a park.',
  },
  {
    day: '0528',
    begin: 1820,
    end: 2015,
    type: 'Flash Flood',
    source: 'Law Enforcement',
    from: [33.1275, -96.8461],
    corners: [
      [33.1275, -96.8461],
      [33.1311, -96.8267],
      [33.1196, -96.8188],
      [33.1148, -96.8399],
    ],
    text: 'Two feet of water ran over a low crossing of a creek.',
  },
  {
    day: '0609',
    begin: 2312,
    end: 2315,
    type: 'Hail',
    source: 'Trained Spotter',
    magnitude: '1.00',
    from: [33.1719, -96.7874],
    text: 'Hail the size of quarters fell shortly after midnight by the clocks of the town.',
  },
  {
    day: '0917',
    begin: 1525,
    end: 1610,
    type: 'Heavy Rain',
    source: 'CoCoRaHS',
    from: [33.1478, -96.8633],
    text: 'An observer measured 2.61 inches of rain.',
  },
  {
    day: '1109',
    begin: 1420,
    end: 1420,
    type: 'Thunderstorm Wind',
    source: 'Amateur Radio',
    magnitude: '50.00',
    magnitude_type: 'EG',
    from: [33.1004, -96.8611],
    county: DENTON,
    text: 'Gusts were estimated at 58 mph.',
  },
]
