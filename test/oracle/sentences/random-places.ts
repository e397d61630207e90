import { stormEventFiles } from '../files.ts'
import { startService } from '../own-service.ts'
import { importFiles, poll } from '../service.ts'
import { allYears, randomPlaces } from './places.ts'
import { type Read, readTexts } from './read-texts.ts'

/**
 * Reads every headline, statement, key figure and caption of reports on random places of all year files, and checks
 * each against the records that its report cites. Starts a service of its own, whose archive contains those files
 * and no others.
 */
export async function readRandomPlaces(count: number, seed: number): Promise<Read[]> {
  const service = await startService({ RATE_LIMIT_PER_MINUTE: '100000' })
  try {
    for (const which of ['details', 'locations'] as const)
      await importFiles(service.connection, 'storm-events', stormEventFiles(which, allYears))
    return await readTexts(service.connection, randomPlaces(count, seed), poll)
  } finally {
    await service.stop()
  }
}

/** How many places test what: sentences without a tornado prove nothing about tornadoes. */
export function summariseTexts(read: readonly Read[]) {
  const having = (test: (one: Read['stated']) => boolean) => read.filter(({ stated }) => test(stated)).length
  const headlines = read.flatMap(({ stated }) => stated.report.headline ?? [])
  return {
    places: read.length,
    with_records: having(({ records }) => records.length > 0),
    located_to_zip_or_city: having(({ report }) => ['zip', 'city'].includes(report.address.precision ?? '')),
    with_county_records: having(({ records }) => records.some(({ location }) => location.precision === 'county')),
    with_a_tornado: having(({ records }) => records.some(({ type }) => type === 'tornado')),
    with_caveats: having(({ records }) => records.some(({ provenance }) => provenance.caveats.length > 0)),
    coverage_incomplete: headlines.filter((headline) => headline.endsWith('; coverage incomplete')).length,
    statements: read.reduce((sum, { stated }) => sum + (stated.report.findings ?? []).length, 0),
    records: read.reduce((sum, { stated }) => sum + stated.records.length, 0),
    longest_headline: Math.max(...headlines.map(({ length }) => length)),
  }
}
