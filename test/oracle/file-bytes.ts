import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { faultOf, filesByHash, type TracedRecord } from './cited-bytes.ts'
import { realFolder, realRecordsPresent, stormEventFiles } from './files.ts'
import { type Spot, stateHolding } from './geography.ts'
import { startService } from './own-service.ts'
import { allYears, randomPlaces } from './sentences/places.ts'
import { importAddressPoints, importFiles, openTeam, poll, readAnswer, requestReports } from './service.ts'

/**
 * npm run test:bytes [-- --records 10000 --seed 1]
 * Traces cited records of the real year files and of real local storm reports to their file by SHA-256 and to their
 * bytes there. Independent code reads the bytes. Starts a service of its own in a temporary folder.
 */
const { values } = parseArgs({ options: { records: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } } })

/** Miles: the widest circle of a plan cites the most. */
const RADIUS = 100
const PLACES_A_ROUND = 25
const ROUNDS_MAX = 60

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (!realRecordsPresent) {
  console.log('skipped: real records not present')
  process.exit(0)
}

const texts = path.join(realFolder, 'lsr', 'text')
const folders = ['storm-events', 'lsr', 'mrms'].map((name) => path.join(realFolder, name)).concat(texts)
const files = filesByHash(folders)
const service = await startService({ RATE_LIMIT_PER_MINUTE: '100000' })
const traced = new Map<string, { record: TracedRecord; fault: string | null }>()
try {
  const { connection } = service
  for (const which of ['details', 'locations'] as const) await importFiles(connection, 'storm-events', stormEventFiles(which, allYears))
  const products = textProducts()
  for (const { file } of products)
    await importFiles(connection, 'local-reports', [file]).catch((fault: Error) => console.log(`${path.basename(file)}: ${fault.message}`))
  const call = await openTeam(connection)
  const wanted = Number(values.records)
  for (let round = 0; traced.size < wanted; round++) {
    if (round === ROUNDS_MAX) throw new Error(`${ROUNDS_MAX} rounds found ${traced.size} records`)
    const searches = round === 0 ? products.flatMap(({ questions }) => questions) : questionsOfYears(Number(values.seed) + round)
    const addresses = await importAddressPoints(
      connection,
      searches.map(({ spot }) => spot),
    )
    const reports = searches.map(({ start, end }, at) => ({
      address: addresses[at] as string,
      window_start: start,
      window_end: end,
      radius_miles: RADIUS,
    }))
    for (const id of await requestReports(call, reports, poll)) {
      const { records } = await readAnswer<{ report: unknown; records: TracedRecord[] }>(call, id)
      for (const record of records) traced.set(`${record.provenance.source} ${record.id}`, { record, fault: faultOf(record, files) })
    }
    console.log(`${traced.size} records`)
  }
} finally {
  await service.stop()
}

const all = [...traced.values()]
console.table(countBy(all, ({ record }) => `${record.provenance.source} ${record.provenance.file?.name ?? 'no file'}`))
const faults = all.filter(({ fault }) => fault !== null)
for (const { record, fault } of faults.slice(0, 50))
  console.error(`${record.provenance.citation_url} ${JSON.stringify(record.provenance.file)}: ${fault}`)
console.log(`${faults.length} faults in ${all.length} cited records, each traced to its file's SHA-256 and to its bytes there`)
process.exit(faults.length > 0 ? 1 : 0)

function questionsOfYears(seed: number): { spot: Spot; start: string; end: string }[] {
  return randomPlaces(PLACES_A_ROUND * 2, seed).flatMap(({ spot, start }) =>
    spot ? [{ spot, start: `${start.slice(0, 4)}-01-01`, end: `${start.slice(0, 4)}-12-31` }] : [],
  )
}

/** Products over land whose month is not in a year file, with a place and a window around the first report of each. */
function textProducts() {
  return readdirSync(texts).flatMap((name) => {
    const file = path.join(texts, name)
    const text = readFileSync(file, 'latin1')
    const [, latitude, longitude] = / (\d+\.\d+)N +(\d+\.\d+)W\s*$/m.exec(text) ?? []
    const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4}) /m.exec(text) ?? []
    const spot: Spot = [-Number(longitude), Number(latitude)]
    if (!latitude || !year || !stateHolding(spot) || Number(year) > new Date().getFullYear()) return []
    const at = Date.parse(`${year}-${month}-${day}`)
    const around = (days: number) => new Date(at + days * 86_400_000).toISOString().slice(0, 10)
    return [{ file, questions: [{ spot, start: around(-3), end: around(3) }] }]
  })
}

function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of items.map(nameOf).sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
