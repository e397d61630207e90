import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiServer } from '#rest/host.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { differences } from './compare.ts'
import { coverageDifferences } from './coverage.ts'
import { realRecordsPresent, stormEventFiles } from './files.ts'
import { askFacts } from './oracle-data.ts'
import { randomPlaces } from './sentences/places.ts'
import { readTexts } from './sentences/read-texts.ts'
import { askService, importContext, importFiles, importZones } from './service.ts'

/** Two years are imported, not three: one has floods, the other has county rows. The whole comparison is `npm run test:oracle`. */
const YEARS = ['1993', '2019']
const QUESTIONS = 40
/** Random places for which the grammar of `sentences/` reads every sentence. */
const PLACES = 24
const SEED = 1
/** Two year files are imported and 65 reports compiled, on a busy machine. */
const TIMEOUT_MS = 240_000

describe.skipIf(!realRecordsPresent)(
  `reports against the raw files${realRecordsPresent ? '' : ' (skipped: real records not present)'}`,
  () => {
    let world: World

    beforeAll(async () => {
      world = await openWorld({ config: { rate_limit_per_minute: 10_000 } })
    })
    afterAll(() => world.close())

    test('cite the same events, at the same distances, with the same findings, and attribute figures to single records only', {
      timeout: TIMEOUT_MS,
    }, async () => {
      const { requests, zones, context } = askFacts(QUESTIONS, SEED, YEARS)
      const api = await createApiServer(world.app)
      const url = await api.listen({ host: '127.0.0.1', port: 0 })
      try {
        const connection = { url, token: null, operator_key: OPERATOR_KEY }
        for (const which of ['details', 'locations'] as const) await importFiles(connection, 'storm-events', stormEventFiles(which, YEARS))
        await importZones(connection, zones)
        await importContext(connection, context)
        const answers = await askService(
          connection,
          requests.map(({ question }) => question),
          () => world.drain(),
        )
        expect(
          requests.flatMap(({ question, expected, coverage }, at) => {
            const answer = answers[at] as (typeof answers)[number]
            return [...differences(question, expected, answer), ...coverageDifferences(question, coverage, answer)]
          }),
        ).toEqual([])
        const read = await readTexts(connection, randomPlaces(PLACES, SEED, YEARS), () => world.drain())
        expect(read.flatMap(({ faults }) => faults)).toEqual([])
        expect(read.filter(({ stated }) => stated.records.length > 0).length).toBeGreaterThan(PLACES / 2)
      } finally {
        await api.close()
      }
    })
  },
)
