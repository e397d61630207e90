import { Readable } from 'node:stream'
import { type Command, Option } from 'commander'
import { counted } from '../counted.ts'
import { everyPage } from '../every-page.ts'
import { exits, failure } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { bytesOf, call, objectOf, type Schemas } from '../service.ts'
import { fingerprintOf } from '../verify/evidence.ts'
import {
  addCommand,
  booleanFrom,
  type Columns,
  confirm,
  type Invocation,
  list,
  numberFrom,
  perform,
  pickOptions,
  segment,
  withPaging,
  wrapAction,
} from './command.ts'
import { pollUntil, withTimeout } from './poll-until.ts'
import { addDiff } from './report-diff.ts'
import { addOrder } from './report-order.ts'
import { addPreview } from './report-preview.ts'
import { addBatch, addCreate, awaitReport, type Report, reportColumns } from './report-requests.ts'
import { outputFile, saveAnswer } from './save-answer.ts'

/** weather reports: request, wait for, read and verify reports. */
export function addReports(program: Command): void {
  const reports = program.command('reports').description('reports: request, wait for, read and verify')

  withPaging(addCommand(reports, 'list', 'reports, newest first', 'reports list --status complete --address frisco'))
    .option('--status <status>', 'pending, complete or failed')
    .option('--address <text>', 'only reports whose address contains this text')
    .option('--property <id>', 'only reports filed under this property')
    .action(
      wrapAction((invocation) =>
        list(invocation, '/reports', pickOptions(invocation.options, ['status', 'address', 'property']), reportColumns),
      ),
    )

  addCommand(reports, 'show', 'one report with its findings', 'reports show 01a1fc40-5460-7012-88d9-6d8d22c93881')
    .argument('<report>', 'id of the report')
    .action(wrapAction(showReport))

  addPreview(reports)
  addCreate(reports)
  addBatch(reports)
  addOrder(reports)
  addDiff(reports)

  withTimeout(addCommand(reports, 'wait', 'wait until a report is complete or has failed', 'reports wait ID --timeout 120'))
    .argument('<report>', 'id of the report')
    .action(wrapAction((invocation) => awaitReport(invocation, invocation.arguments[0] as string)))

  addEvents(reports)

  addCommand(reports, 'verify', 'rebuild the fingerprint of a report from its records; exit status 9 if it differs', 'reports verify ID')
    .argument('<report>', 'id of the report')
    .action(wrapAction(verifyReport))

  withTimeout(addCommand(reports, 'pdf', 'the document of a report', 'reports pdf ID --out report.pdf'))
    .argument('<report>', 'id of the report')
    .option('--out <file>', 'output file; - for standard output (default: report.pdf)')
    .addOption(new Option('--link', 'print a link that is valid for 15 minutes').conflicts('out'))
    .action(wrapAction(fetchPdf))

  addCommand(reports, 'delete', 'delete a report and its document', 'reports delete ID --yes')
    .argument('<report>', 'id of the report')
    .action(
      wrapAction(async (invocation) => {
        await confirm(invocation.setting, `Delete report ${invocation.arguments[0]}?`)
        await perform(invocation, { method: 'DELETE', path: pathOf(invocation) })
      }),
    )
}

function addEvents(reports: Command): void {
  withPaging(addCommand(reports, 'events', 'the records that a report cites', 'reports events ID --family thunderstorm --min-hail-in 1'))
    .argument('<report>', 'id of the report')
    .option('--type <type>', 'hail, thunderstorm_wind, tornado, ...')
    .option('--family <family>', 'thunderstorm, flash_flood, ...')
    .option('--from <date>', 'first day')
    .option('--to <date>', 'last day')
    .option('--min-hail-in <inches>', 'hail of at least this size', numberFrom)
    .option('--min-gust-mph <mph>', 'gusts of at least this strength', numberFrom)
    .option('--observed <boolean>', 'true: only seen or measured records; false: only estimates', booleanFrom)
    .action(
      wrapAction((invocation) =>
        list(
          invocation,
          `${pathOf(invocation)}/events`,
          pickOptions(invocation.options, ['type', 'family', 'from', 'to', 'min_hail_in', 'min_gust_mph', 'observed']),
          eventColumns,
        ),
      ),
    )
}

const eventColumns: Columns<Schemas['CitedRecord']> = {
  id: 'id',
  date: 'occurred_on',
  type: 'type',
  severity: 'severity',
  hail_in: 'measurements.hail_size_in',
  gust_mph: 'measurements.wind_gust_mph',
  sustained_mph: 'measurements.wind_speed_mph',
  tornado: 'tornado_rating',
  miles: 'relevance.distance_miles',
  bearing: 'relevance.bearing',
  evidence: 'provenance.evidence_kind',
  source: 'provenance.source_label',
  caveats: 'provenance.caveats',
}

/** Prints cards on a terminal, else the response of the service. */
async function showReport(invocation: Invocation): Promise<void> {
  const { setting } = invocation
  if (!setting.is_interactive) return void (await perform(invocation, { method: 'GET', path: pathOf(invocation) }))
  const { printCards, reportCards } = await import('../screens/cards.ts')
  printCards(await reportCards(setting.connection, segment(invocation.arguments[0] as string)))
}

const pathOf = ({ arguments: [id] }: Invocation) => `/reports/${segment(id as string)}`

/**
 * Rebuilds a report's fingerprint from the service's data.
 * @param expected the fingerprint from elsewhere, 64 hex digits or at least the first 16 of them
 */
export async function verifyReport(invocation: Invocation, expected: string | null = null): Promise<void> {
  const { connection } = invocation.setting
  const report = await objectOf<Report>(connection, { method: 'GET', path: pathOf(invocation) })
  const statement = await call(connection, { method: 'GET', path: `${pathOf(invocation)}/verification` })
  const { data: records } = await everyPage(connection, `${pathOf(invocation)}/events`)
  const computed = fingerprintOf(report, records)
  print(statement.body, invocation.setting)
  const is_expected = expected === null || computed.startsWith(expected)
  if (computed === report.fingerprint && is_expected)
    return printLine(`The fingerprint matches its ${counted(records.length, 'record')}, recomputed here.`)
  if (computed !== report.fingerprint) printLine(`The records give a different fingerprint: ${computed}.`)
  if (!is_expected) printLine(`The records have the fingerprint ${computed}, but ${expected} was given.`)
  process.exitCode = exits.failed_or_mismatch
}

async function fetchPdf(invocation: Invocation): Promise<void> {
  const { setting, options } = invocation
  const timeout = Number(options.timeout)
  const preparing = (seconds: number) => `the document is being prepared, ${seconds} s`
  if (options.link) {
    const link = () => call(setting.connection, { method: 'POST', path: `${pathOf(invocation)}/pdf/link` })
    const answer = await pollUntil(timeout, preparing, link, ({ status }) => status === 200)
    print(answer.body, setting)
    if (answer.status !== 200) process.exitCode = exits.pending
    return
  }
  const file = outputFile(options.out as string | undefined, 'report.pdf')
  const answer = await pollUntil(
    timeout,
    preparing,
    () => bytesOf(setting.connection, `${pathOf(invocation)}/pdf`),
    ({ bytes }) => bytes !== null,
  )
  if (answer.bytes === null) throw failure(exits.pending, 'The document is still being prepared.')
  await saveAnswer(Readable.from([answer.bytes]), file)
}
