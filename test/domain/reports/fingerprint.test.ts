import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { findReport, listReportEvents } from '#domain/reports/find.ts'
import { evidenceDocument, fingerprint, type ReportEvidence } from '#domain/reports/fingerprint.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

interface Golden {
  report: ReportEvidence
  records: CitedRecordView[]
  document: unknown
  fingerprint: string
}

const folder = 'test/golden/fingerprint'
const goldens = readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Golden] as const)

/** RFC 8785 for the content of an evidence document, implemented independently. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`).join()}}`
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

test.each(goldens)('%s has the document and hash that independent code computed', (_name, golden) => {
  expect(sha256(canonical(golden.document))).toBe(golden.fingerprint)
  expect(evidenceDocument(golden.report, golden.records)).toBe(canonical(golden.document))
  expect(fingerprint(golden.report, golden.records)).toBe(golden.fingerprint)
})

test.each(goldens)('%s has the same hash in any order of its records, and another when a fact changes', (_name, golden) => {
  expect(fingerprint(golden.report, [...golden.records].reverse())).toBe(golden.fingerprint)
  expect(fingerprint({ ...golden.report, window: { ...golden.report.window, end: '2031-01-01' } }, golden.records)).not.toBe(
    golden.fingerprint,
  )
  const [first, ...others] = golden.records
  if (first)
    expect(fingerprint(golden.report, [{ ...first, description: `${first.description}!` }, ...others])).not.toBe(golden.fingerprint)
})

test('two installs with the same records give the same fingerprint, and anyone can rebuild it from the API', async () => {
  const installs = [await openWorld(), await openWorld()] as const
  const prints = []
  for (const world of installs) {
    await seedSample(world.app)
    prints.push(await rebuilt(world))
    await world.checkInvariants()
  }
  expect(prints[0]).toEqual(prints[1])
})

test('a later import, withdrawal or deletion changes nothing in a completed report', async () => {
  const world = await openWorld()
  await seedSample(world.app)
  const before = await rebuilt(world)
  await world.app.db.archiveRecord.updateMany({ data: { hail_size_in: 4, description: 'changed', withdrawn_at: new Date() } })
  await world.app.db.archiveRecord.deleteMany({ where: { type: 'tornado' } })
  const caller = await callerOf(world)
  const [report] = await world.app.db.report.findMany()
  const after = await fromApi(world, caller, report?.id as string)
  expect(after).toEqual(before)
})

const teams = new WeakMap<World, Awaited<ReturnType<typeof aCaller>>>()

async function callerOf(world: World) {
  const known = teams.get(world)
  if (known) return known
  const caller = await aCaller(world, await aTeam(world))
  teams.set(world, caller)
  return caller
}

async function rebuilt(world: World) {
  const caller = await callerOf(world)
  const { address, window_start, window_end, radius_miles } = sampleStorm
  const { report } = await requestReport(world.app, caller, { address, window_start, window_end, radius_miles }, null)
  await world.drain()
  return fromApi(world, caller, report.id)
}

/** The fingerprint that the report states and the one rebuilt from its parts in the API, page by page. */
async function fromApi(world: World, caller: Awaited<ReturnType<typeof aCaller>>, id: string) {
  const report = await findReport(world.app, caller, id)
  const records: CitedRecordView[] = []
  for (let page = 1; records.length < report.event_count; page++) {
    records.push(...(await listReportEvents(world.app, caller, id, { page, per_page: 5 })).data)
  }
  expect(records.length).toBeGreaterThan(5)
  expect(fingerprint(report, records)).toBe(report.fingerprint)
  return { stated: report.fingerprint, records: records.map(({ id: _, ...facts }) => facts) }
}
