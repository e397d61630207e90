import type { Source } from '#domain/archive/sources/source.ts'
import { readStormEvents } from '#domain/archive/storm-events/read.ts'

/** https://www.ncdc.noaa.gov/stormevents/eventdetails.jsp?id=801726: the key is year/EVENT_ID. */
const cite = (record: { source_key: string }) =>
  `https://www.ncdc.noaa.gov/stormevents/eventdetails.jsp?id=${record.source_key.split('/').at(-1)}`

/** The Storm Events Database of the National Centers for Environmental Information: the final record. */
export const stormEvents = {
  id: 'noaa_storm_events',
  slug: 'storm-events',
  label: 'NOAA Storm Events Database',
  lane: 'record',
  evidence_kind: 'ground',
  methodology:
    'The official record of the National Centers for Environmental Information, compiled each month from what National Weather Service offices verify: spotters, officials, stations, surveys and the press; published 75 to 120 days after the month.',
  cite,
  read: (document) => readStormEvents(document, { source: 'noaa_storm_events', cite }),
} as const satisfies Source
