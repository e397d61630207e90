import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { rowsFrom } from '../rows.ts'
import { bytesOf, call, objectOf, page, query, type Schemas } from '../service.ts'
import { fingerprintOf } from '../verify/evidence.ts'
import {
  ask,
  booleanFrom,
  type Columns,
  confirm,
  doing,
  type Given,
  keyed,
  keyOf,
  list,
  numberFrom,
  paged,
  perform,
  pickOptions,
  segment,
  show,
} from './command.ts'
import { until, waits } from './until.ts'

type Report = Schemas['Report']

export const reportColumns: Columns<Report> = {
  id: 'id',
  status: 'status',
  address: 'address.query',
  from: 'window.start',
  to: 'window.end',
  miles: 'window.radius_miles',
  events: 'event_count',
  headline: (row) => row.headline ?? row.failure_message,
}

const eventColumns: Columns<Schemas['CitedRecord']> = {
  id: 'id',
  date: 'occurred_on',
  type: 'type',
  severity: 'severity',
  hail_in: 'measurements.hail_size_in',
  gust_mph: 'measurements.wind_gust_mph',
  miles: 'relevance.distance_miles',
  bearing: 'relevance.bearing',
  evidence: 'provenance.evidence_kind',
  source: 'provenance.source_label',
  caveats: 'provenance.caveats',
}

/** weather reports: request them, wait for them, read them and check them. */
export function addReports(program: Command): void {
  const reports = program.command('reports').description('reports: request, wait for, read and verify')

  paged(ask(reports, 'list', 'reports, newest first', 'reports list --status complete --address frisco'))
    .option('--status <status>', 'pending, complete or failed')
    .option('--address <text>', 'addresses that contain it')
    .option('--property <id>', 'those filed under a property')
    .action(doing((given) => list(given, '/reports', pickOptions(given.options, ['status', 'address', 'property']), reportColumns)))

  ask(reports, 'show', 'one report with its findings', 'reports show 01a1fc40-5460-7012-88d9-6d8d22c93881')
    .argument('<report>', 'id of the report')
    .action(doing(showReport))

  addCreate(reports)
  addBatch(reports)
  addDiff(reports)

  waits(ask(reports, 'wait', 'wait until a report is complete or has failed', 'reports wait ID --timeout 120'))
    .argument('<report>', 'id of the report')
    .action(doing((given) => awaitReport(given, given.arguments[0] as string)))

  paged(ask(reports, 'events', 'the records that a report cites', 'reports events ID --family thunderstorm --min-hail-in 1'))
    .argument('<report>', 'id of the report')
    .option('--type <type>', 'hail, thunderstorm_wind, tornado, ...')
    .option('--family <family>', 'thunderstorm, flash_flood, ...')
    .option('--from <date>', 'from this day on')
    .option('--to <date>', 'until this day')
    .option('--min-hail-in <inches>', 'hail of this size or larger', numberFrom)
    .option('--min-gust-mph <mph>', 'gusts of this strength or stronger', numberFrom)
    .option('--observed <boolean>', 'true: only what was seen or measured; false: only estimates', booleanFrom)
    .action(
      doing((given) =>
        list(
          given,
          `${pathOf(given)}/events`,
          pickOptions(given.options, ['type', 'family', 'from', 'to', 'min_hail_in', 'min_gust_mph', 'observed']),
          eventColumns,
        ),
      ),
    )

  ask(reports, 'verify', 'rebuild the fingerprint of a report from its records; exit status 9 where it differs', 'reports verify ID')
    .argument('<report>', 'id of the report')
    .action(doing(verifyReport))

  waits(ask(reports, 'pdf', 'the document of a report', 'reports pdf ID --out report.pdf'))
    .argument('<report>', 'id of the report')
    .option('--out <file>', 'where to put it; - for standard output', 'report.pdf')
    .option('--link', 'answer a link that is good for 15 minutes')
    .action(doing(fetchPdf))

  ask(reports, 'delete', 'delete a report and its document', 'reports delete ID --yes')
    .argument('<report>', 'id of the report')
    .action(
      doing(async (given) => {
        await confirm(given.setting, `Delete report ${given.arguments[0]}?`)
        await perform(given, { method: 'DELETE', path: pathOf(given) })
      }),
    )
}

function addDiff(reports: Command): void {
  ask(reports, 'diff', 'what came, went and changed between two reports of a place, and which import did it', 'reports diff A B')
    .argument('<report>', 'id of the first report')
    .argument('[other]', 'id of the second; left out, with what a report would say now')
    .option('--today', 'compare with what a report would say now')
    .action(doing(async ({ setting, arguments: [a, b] }) => void (await showDiff(setting, a as string, b))))

  waits(ask(reports, 'refresh', 'a report of today under the window of an older one: free, once a day', 'reports refresh ID --yes'))
    .argument('<report>', 'id of the older report')
    .option('--wait', 'wait until it is complete')
    .action(
      doing(async (given) => {
        const { setting, options } = given
        const report = given.arguments[0] as string
        if (!(await showDiff(setting, report))) return
        await confirm(setting, 'Make the report of today?')
        const made = await query<Report>(setting.connection, REFRESH, { report })
        if (options.wait) return awaitReport(given, made.id)
        show(setting, { data: made }, reportColumns)
      }),
    )
}

const CHANGES = 'change fields { field old new }'
const CITED = '{ type occurred_on provenance { source_label } }'
const DIFF = `query ($a: UUID!, $b: UUID) { reportDiff(a: $a, b: $b) { object differs
  a { report_id known_at fingerprint } b { report_id known_at fingerprint }
  records { ${CHANGES} old ${CITED} new ${CITED} revisions { known_at source file_name import_id forgot } }
  findings { ${CHANGES} old { family_label } new { family_label } } statements { field old new } } }`
const REFRESH = `mutation ($report: UUID!) { refreshReport(report: $report) {
  id object status address { query } window { start end radius_miles } event_count headline failure_message } }`

interface ChangedField {
  field: string
  old: string | null
  new: string | null
}
interface Changed<Thing> {
  change: 'came' | 'went' | 'changed'
  old: Thing | null
  new: Thing | null
  fields: ChangedField[]
}
interface Diff {
  differs: boolean
  records: (Changed<{ type: string; occurred_on: string; provenance: { source_label: string } }> & {
    revisions: { known_at: string; file_name: string | null; forgot: boolean }[]
  })[]
  findings: Changed<{ family_label: string }>[]
  statements: ChangedField[]
}

/** Shows what differs between two reports; answers whether anything does. */
async function showDiff(setting: Given['setting'], a: string, b?: string): Promise<boolean> {
  const diff = await query<Diff>(setting.connection, DIFF, { a, b: b ?? null })
  print(diff, setting, diffRows(diff))
  if (!diff.differs) printLine('Nothing differs.')
  return diff.differs
}

/** A line for each value that is another one, and for each thing that came or went. */
function diffRows({ records, findings, statements }: Diff): Record<string, unknown>[] {
  const lines = (what: string, { change, fields }: Changed<unknown>, by: string | null) =>
    (fields.length > 0 ? fields : [{ field: null, old: null, new: null }]).map((field) => ({ what, change, ...field, by }))
  return [
    ...records.flatMap((changed) => {
      const cited = changed.new ?? changed.old
      const by = changed.revisions.map(({ known_at, file_name, forgot }) => `${forgot ? 'forgotten' : file_name} at ${known_at}`)
      return lines(`${cited?.type} of ${cited?.occurred_on}, ${cited?.provenance.source_label}`, changed, by.join('; ') || null)
    }),
    ...findings.flatMap((changed) => lines(`finding: ${(changed.new ?? changed.old)?.family_label}`, changed, null)),
    ...statements.map((field) => ({ what: 'report', change: 'changed', ...field, by: null })),
  ]
}

/** Cards on a terminal, else what the service answers. */
async function showReport(given: Given): Promise<void> {
  const { setting } = given
  if (!setting.is_interactive) return void (await perform(given, { method: 'GET', path: pathOf(given) }))
  const { printCards, reportCards } = await import('../screens/cards.ts')
  printCards(await reportCards(setting.connection, segment(given.arguments[0] as string)))
}

const pathOf = ({ arguments: [id] }: Given) => `/reports/${segment(id as string)}`

/** What each of them is in a request, as options give it. */
const REQUEST = [
  ...['address', 'latitude', 'longitude', 'window_start', 'window_end', 'radius_miles', 'as_of', 'reference', 'recipient', 'property_id'],
]
/** The same of a row of a batch. */
const ROW = REQUEST.filter((name) => name !== 'recipient')

function addCreate(reports: Command): void {
  keyed(
    waits(
      ask(
        reports,
        'create',
        'request a report: one credit',
        "reports create --address '100 Main Street, Frisco, TX 75034' --start 2025-01-01 --end 2025-12-31 --wait",
      ),
    ),
  )
    .option('--address <text>', 'street, city, state and ZIP; left out, the coordinates are the address')
    .option('--latitude <degrees>', 'degrees north: where it is, whatever the address', numberFrom)
    .option('--longitude <degrees>', 'degrees east: negative in the Americas', numberFrom)
    .requiredOption('--start <date>', 'first day, YYYY-MM-DD')
    .requiredOption('--end <date>', 'last day, YYYY-MM-DD')
    .option('--radius <miles>', 'how far around, 1 to 100', numberFrom)
    .option('--as-of <moment>', 'as the archive knew it then: 2026-05-20T12:00:00Z')
    .option('--reference <text>', 'a reference of your own')
    .option('--recipient <text>', 'printed on the cover')
    .option('--property <id>', 'the property to file it under')
    .option('--wait', 'wait until it is complete')
    .action(doing((given) => createReport(given, '/reports', placed(pickOptions(longNames(given.options), REQUEST)))))
}

/** @throws Failure where nothing says where */
export function placed(body: Record<string, unknown>): Record<string, unknown> {
  if (body.address !== undefined || body.latitude !== undefined || body.longitude !== undefined) return body
  throw failure(exits.usage, 'Say where: --address, or --latitude and --longitude.')
}

const longNames = (options: Record<string, unknown>) => ({
  ...options,
  windowStart: options.start,
  windowEnd: options.end,
  radiusMiles: options.radius,
  propertyId: options.property,
})

/** Requests a report, and with --wait waits for it. */
export async function createReport(given: Given, path: string, body: Record<string, unknown>): Promise<void> {
  const { setting, options } = given
  const answer = await call<{ data: Report }>(setting.connection, { method: 'POST', path, body, key: keyOf(options) })
  if (!options.wait) return show(setting, answer.body, reportColumns)
  await awaitReport(given, answer.body.data.id)
}

function addBatch(reports: Command): void {
  keyed(ask(reports, 'batch', 'request up to 25 reports, a credit each', 'reports batch addresses.csv --start 2025-01-01 --end 2025-12-31'))
    .argument('<csv>', `columns ${ROW.join(', ')}; - for standard input`)
    .option('--start <date>', 'first day where a row has none')
    .option('--end <date>', 'last day where a row has none')
    .option('--radius <miles>', 'how far around where a row does not say', numberFrom)
    .option('--as-of <moment>', 'as the archive knew it then, where a row does not say')
    .action(
      doing(async (given) => {
        const reports = await rowsFrom(given.arguments[0] as string, ROW)
        const usual = pickOptions(longNames(given.options), ['window_start', 'window_end', 'radius_miles', 'as_of'])
        await runBatch(given, '/reports/batch', { ...usual, reports })
      }),
    )
}

/** Sends rows and prints what became of each; exit status 7 where one was refused. */
export async function runBatch({ setting, options }: Given, path: string, body: unknown): Promise<void> {
  const { status, body: answer } = await call(setting.connection, { method: 'POST', path, body, key: keyOf(options) })
  const { results } = answer as { results: Record<string, unknown>[] }
  print(
    answer,
    setting,
    results.map(({ index, address, status, message }) => ({ row: index, address, status, message })),
  )
  if (status !== 207) return
  printLine('Not every row went through.')
  process.exitCode = (answer as { out_of_credits?: boolean }).out_of_credits ? exits.plan_or_credits : exits.validation
}

/** Waits until a report is complete, prints it, and ends with 9 where it failed and 75 where it is still pending. */
async function awaitReport({ setting, options }: Given, id: string): Promise<void> {
  const answer = await until(
    Number(options.timeout),
    (seconds) => `report ${id} is pending, ${seconds} s`,
    () => call<{ data: Report }>(setting.connection, { method: 'GET', path: `/reports/${segment(id)}` }, [429]),
    ({ status, body }) => status !== 429 && body.data.status !== 'pending',
  )
  if (answer.status === 429) throw failure(exits.pending, `Report ${id} is still pending.`)
  const { status, failure_reason, failure_message } = answer.body.data
  show(setting, answer.body, reportColumns)
  if (status === 'failed') {
    printLine(`The report failed (${failure_reason}): ${failure_message}`)
    process.exitCode = exits.failed_or_mismatch
  }
  if (status !== 'pending') return
  printLine(`Report ${id} is still pending.`)
  process.exitCode = exits.pending
}

/** Rebuilds a report's fingerprint from what the service answers of it. */
export async function verifyReport(given: Given): Promise<void> {
  const { connection } = given.setting
  const report = await objectOf<Report>(connection, { method: 'GET', path: pathOf(given) })
  const statement = await call(connection, { method: 'GET', path: `${pathOf(given)}/verification` })
  const records: unknown[] = []
  for (let number = 1; ; number++) {
    const { data, links } = await page(connection, `${pathOf(given)}/events`, { page: number, per_page: 100 })
    records.push(...data)
    if (links.next === null) break
  }
  const computed = fingerprintOf(report, records)
  print(statement.body, given.setting)
  if (computed === report.fingerprint) return printLine(`The records make this fingerprint: ${records.length} of them, recomputed here.`)
  printLine(`The records make another fingerprint: ${computed}.`)
  process.exitCode = exits.failed_or_mismatch
}

async function fetchPdf(given: Given): Promise<void> {
  const { setting, options } = given
  const timeout = Number(options.timeout)
  const preparing = (seconds: number) => `the document is being prepared, ${seconds} s`
  if (options.link) {
    const link = () => call(setting.connection, { method: 'POST', path: `${pathOf(given)}/pdf/link` })
    const answer = await until(timeout, preparing, link, ({ status }) => status === 200)
    print(answer.body, setting)
    if (answer.status !== 200) process.exitCode = exits.pending
    return
  }
  const answer = await until(
    timeout,
    preparing,
    () => bytesOf(setting.connection, `${pathOf(given)}/pdf`),
    ({ bytes }) => bytes !== null,
  )
  if (answer.bytes === null) throw failure(exits.pending, 'The document is still being prepared.')
  const out = String(options.out)
  if (out === '-') return void process.stdout.write(answer.bytes)
  writeFileSync(out, answer.bytes)
  printLine(`${out}: ${answer.bytes.length} bytes`)
}
