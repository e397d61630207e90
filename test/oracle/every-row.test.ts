import { describe, expect, test } from 'vitest'
import { isExtentCaveat } from '#domain/archive/plausibility.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { details, recordsOf } from '#test/domain/archive/files.ts'
import { readCsv } from './csv.ts'
import { expresses } from './doubts.ts'
import { type Fact, factsOf } from './facts.ts'
import { realRecordsPresent, stormEventFiles } from './files.ts'

const YEARS = ['1990', '1991', '1992', '1993', '1994', '1995', '2019']

/** Returns every difference between a record and its row; the extent of a flood is not known from its row alone. */
function differencesOf(fact: Fact, record: ArchiveRecord | undefined): string[] {
  if (!record) return ['it is not there']
  const doubts = fact.doubts.filter(({ about }) => about !== 'no corners')
  const caveats = record.caveats.filter((caveat) => !isExtentCaveat(caveat))
  const complete = doubts.every((doubt) => caveats.some((caveat) => expresses(caveat, doubt)))
  return [
    ...(complete && caveats.length === doubts.length ? [] : [`it expresses ${JSON.stringify(caveats)}, not ${JSON.stringify(doubts)}`]),
    ...[
      ['type', record.type, fact.type],
      ['severity', record.severity, fact.severity],
      ['date', record.occurred_on, fact.occurred_on],
      ['beginning', record.begins_at.toISOString().replace('.000Z', 'Z'), fact.begins_at],
      ['hail', record.hail_size_in, fact.hail_size_in],
      ['gust', record.wind_gust_mph, fact.wind_gust_mph],
      ['wind', record.wind_speed_mph, fact.wind_speed_mph],
      ['rating', record.tornado_ef_scale, fact.tornado_ef_scale],
      ['place', placeOf(record), placeIn(fact)],
    ].flatMap(([what, have, want]) => (have === want ? [] : [`its ${what} is ${have}, not ${want}`])),
  ]
}

function placeOf({ precision, latitude, longitude, end_latitude, end_longitude, county_fips, zone }: ArchiveRecord): string {
  if (precision === 'county') return `county ${county_fips}`
  if (precision === 'zone') return `zone ${zone}`
  return `${precision} ${longitude} ${latitude}${precision === 'path' ? ` ${end_longitude} ${end_latitude}` : ''}`
}

function placeIn({ location }: Fact): string {
  if (location.as === 'county') return `county ${location.fips}`
  if (location.as === 'zone') return `zone ${location.zone}`
  const spots = location.as === 'point' ? location.ends.slice(0, 1) : location.spots
  return [location.as, ...spots.flat()].join(' ')
}

/** A narrative's words, whatever the spacing. */
const wordsOf = (text: string) =>
  text
    .split(/[\p{Cc}\s]+/u)
    .filter(Boolean)
    .join(' ')

describe.skipIf(!realRecordsPresent)(
  `every row of the agency's files${realRecordsPresent ? '' : ' (skipped: real records not present)'}`,
  () => {
    test.each(YEARS)('of %s gives the record that independent code makes of it', async (year) => {
      const rows = stormEventFiles('details', [year]).flatMap(readCsv)
      const facts = factsOf(rows, [])
      const records = new Map((await recordsOf(details(Number(year)))).map((record) => [record.source_key.split('/')[1], record]))
      expect(records.size).toBe(facts.length)
      const found = facts.flatMap((fact) =>
        differencesOf(fact, records.get(fact.event_id)).map((difference) => `${fact.event_id}: ${difference}`),
      )
      expect(found.slice(0, 20)).toEqual([])
      const garbled = rows.flatMap((row) => {
        const words = wordsOf(row.EVENT_NARRATIVE ?? '') || wordsOf(row.EPISODE_NARRATIVE ?? '')
        const description = wordsOf(records.get(row.EVENT_ID as string)?.description ?? '')
        return description.startsWith(words) ? [] : [`${row.EVENT_ID}: "${description.slice(0, 80)}" is not "${words.slice(0, 80)}"`]
      })
      expect(garbled.slice(0, 20)).toEqual([])
    })
  },
)
