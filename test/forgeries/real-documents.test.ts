import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPrinter, type Printer } from '#domain/engines/printer.ts'
import { reportPdf } from '#domain/reports/document-store/pdf.ts'
import { findReport } from '#domain/reports/find.ts'
import { requestReport } from '#domain/reports/request.ts'
import { createApiServer } from '#rest/host.ts'
import { browserSettings } from '#test/support/browser.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { upload } from '../../cli/api.ts'
import { checkFile } from '../../cli/verify/check-file.ts'
import { readCsv } from '../oracle/csv.ts'
import { factsOf } from '../oracle/facts.ts'
import { realRecordsPresent, stormEventFiles } from '../oracle/files.ts'
import { stateHolding } from '../oracle/geography.ts'
import { askQuestions } from '../oracle/questions.ts'
import { importFiles } from '../oracle/service.ts'
import { zoneTable } from '../oracle/zone-table.ts'
import { EVERY_ELEMENT, EVERY_SECTION } from './genuine.ts'

/** One year has county rows, the other floods. */
const YEARS = ['1993', '2019']
const DOCUMENTS = 80
const SEED = Number(process.env.PROPERTY_SEED ?? 3)
/** A document of hundreds of records takes seconds to print and as long to read. */
const SLOW_MS = 120_000 + DOCUMENTS * 15_000
/** Without a list of records, the usual one, and everything. */
const LAYOUTS = [{ sections: ['summary'], elements: ['key_figures'] }, undefined, { sections: EVERY_SECTION, elements: EVERY_ELEMENT }]

const skipped = !realRecordsPresent
  ? ' (skipped: real records not present)'
  : process.env.FORGERIES
    ? ''
    : ' (skipped: npm run test:forgeries)'

describe.skipIf(skipped !== '')(`documents of real records${skipped}`, () => {
  let world: World
  let printer: Printer
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'documents-'))
    printer = openPrinter(browserSettings({ home }), pino({ level: 'silent' }))
    world = await openWorld({ replace: { printer } })
  })
  afterAll(async () => {
    await world.close()
    await printer.close()
    await rm(home, { recursive: true, force: true })
  })

  it('match their evidence, figure by figure', { timeout: SLOW_MS }, async () => {
    const api = await createApiServer(world.app)
    const connection = { url: await api.listen({ host: '127.0.0.1', port: 0 }), token: null, operator_key: OPERATOR_KEY }
    const rows = stormEventFiles('details', YEARS).flatMap(readCsv)
    const facts = factsOf(rows, stormEventFiles('locations', YEARS).flatMap(readCsv))
    const questions = askQuestions(facts, zoneTable(rows), DOCUMENTS, SEED)
    for (const which of ['details', 'locations'] as const) await importFiles(connection, 'storm-events', stormEventFiles(which, YEARS))
    const points = questions.map(({ place: [lon, lat] }, at) => `${lon},${lat},${101 + at},Question St,Oracle,${stateHolding([lon, lat])},`)
    const csv = ['LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE', ...points].join('\n')
    await upload(connection, '/operator/archive/address-points?file_name=places.csv', Readable.from(csv), () => {})
    const caller = await aCaller(world, await aTeam(world, { plan: 'enterprise' }))
    const faults: string[] = []
    for (const [at, { place, start, end, radius_miles }] of questions.entries()) {
      const address = `${101 + at} Question St, Oracle, ${stateHolding(place)}`
      const window = { window_start: start, window_end: end, radius_miles: Math.min(25, Math.max(1, radius_miles)) }
      const request = { address, ...window, layout: LAYOUTS[at % LAYOUTS.length] }
      const verifyReport = async (date_of_loss: string | null) => {
        const { id } = (await requestReport(world.app, caller, { ...request, date_of_loss }, null)).report
        await world.drain()
        const found = await reportPdf(world.app, caller, id)
        if (!('bytes' in found)) throw new Error('the report was not printed')
        const { checks } = await checkFile(found.bytes, { fingerprint: null, keys: null, ask: null })
        const differing = checks.filter(({ outcome }) => outcome === 'differs')
        faults.push(...differing.map(({ detail }) => `${address}, ${start} to ${end}, ${date_of_loss}: ${detail}`))
        return findReport(world.app, caller, id)
      }
      const { findings } = await verifyReport(null)
      // The newest day with a record if there is one, else a day without.
      if (at % 4 === 0) await verifyReport(findings?.[0]?.dates[0] ?? start)
    }
    await api.close()
    expect(faults).toEqual([])
  })
})
