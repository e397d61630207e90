import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { rowsFrom } from '../rows.ts'
import { call, type Schemas } from '../service.ts'
import {
  addCommand,
  type Columns,
  type Invocation,
  idempotencyKeyOf,
  numberFrom,
  pickOptions,
  segment,
  show,
  suggestedCommand,
  withIdempotencyKey,
  wrapAction,
} from './command.ts'
import { pollUntil, withTimeout } from './poll-until.ts'

export type Report = Schemas['Report']

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

/** The fields of a request. */
const REQUEST_FIELDS = [
  'address',
  'latitude',
  'longitude',
  'window_start',
  'window_end',
  'radius_miles',
  'as_of',
  'date_of_loss',
  'reference',
  'recipient',
  'property_id',
]
/** The same for a row of a batch. */
const ROW_FIELDS = REQUEST_FIELDS.filter((name) => name !== 'recipient')

/** weather reports create. */
export function addCreate(reports: Command): void {
  const create = addReportCommand(
    reports,
    'create',
    'request a report: one credit',
    "reports create --address '100 Main Street, Frisco, TX 75034' --start 2025-01-01 --end 2025-12-31 --wait",
  )
  withIdempotencyKey(withTimeout(create))
    .option('--wait', 'wait until it is complete')
    .action(wrapAction((invocation) => createReport(invocation, '/reports', requestOf(invocation.options))))
}

/** Adds a command with the options of a report request; `requestOf` reads them. */
export function addReportCommand(parent: Command, name: string, description: string, example: string): Command {
  return addCommand(parent, name, description, example)
    .option('--address <text>', 'street, city, state and ZIP (default: the coordinates)')
    .option('--latitude <degrees>', 'degrees north; overrides the location of the address', numberFrom)
    .option('--longitude <degrees>', 'degrees east: negative in the Americas', numberFrom)
    .requiredOption('--start <date>', 'first day, YYYY-MM-DD')
    .requiredOption('--end <date>', 'last day, YYYY-MM-DD')
    .option('--radius <miles>', 'radius, 1 to 100', numberFrom)
    .option('--as-of <moment>', 'point in time of the archive: 2026-05-20T12:00:00Z')
    .option('--date-of-loss <date>', 'date of loss, in the local time of the place')
    .option('--reference <text>', 'a reference of your own')
    .option('--recipient <text>', 'text printed on the cover')
    .option('--property <id>', 'property to file it under')
}

/** The body of a report request. @throws Failure without a place */
export const requestOf = (options: Record<string, unknown>) => requirePlace(pickOptions(longNames(options), REQUEST_FIELDS))

/** @throws Failure without a place */
export function requirePlace(body: Record<string, unknown>): Record<string, unknown> {
  if (body.address !== undefined || body.latitude !== undefined || body.longitude !== undefined) return body
  throw failure(exits.usage, 'Name a place: --address, or --latitude and --longitude.')
}

const longNames = (options: Record<string, unknown>) => ({
  ...options,
  windowStart: options.start,
  windowEnd: options.end,
  radiusMiles: options.radius,
  propertyId: options.property,
})

/** Requests a report, and with --wait waits for it. */
export async function createReport(invocation: Invocation, path: string, body: Record<string, unknown>): Promise<void> {
  const { setting, options } = invocation
  const answer = await call<{ data: Report }>(setting.connection, { method: 'POST', path, body, key: idempotencyKeyOf(options) })
  if (!options.wait) return show(setting, answer.body, reportColumns)
  await awaitOrdered(invocation, answer.body.data.id)
}

/** Like awaitReport, for a report just ordered: if the wait fails, the message names the report. */
export async function awaitOrdered(invocation: Invocation, id: string): Promise<void> {
  await awaitReport(invocation, id).catch((fault: Error) => {
    fault.message += `\nThe report is ordered: ${suggestedCommand(invocation.setting, `reports wait ${id}`)}`
    throw fault
  })
}

/** weather reports batch. */
export function addBatch(reports: Command): void {
  withIdempotencyKey(
    addCommand(
      reports,
      'batch',
      'request up to 25 reports, one credit each',
      'reports batch addresses.csv --start 2025-01-01 --end 2025-12-31',
    ),
  )
    .argument('<csv>', `columns ${ROW_FIELDS.join(', ')}; - for standard input`)
    .option('--start <date>', 'first day for rows without one')
    .option('--end <date>', 'last day for rows without one')
    .option('--radius <miles>', 'radius for rows without one', numberFrom)
    .option('--as-of <moment>', 'point in time of the archive, for rows without one')
    .option('--date-of-loss <date>', 'date of loss for rows without one')
    .action(
      wrapAction(async (invocation) => {
        const reports = await rowsFrom(invocation.arguments[0] as string, ROW_FIELDS)
        const defaults = pickOptions(longNames(invocation.options), ['window_start', 'window_end', 'radius_miles', 'as_of', 'date_of_loss'])
        await runBatch(invocation, '/reports/batch', { ...defaults, reports })
      }),
    )
}

/** The outcome of one row of a batch. */
interface BatchRow {
  index: number
  address: string | null
  status: string
  message: string | null
}

/**
 * Sends rows and prints their outcomes; exit status 7 if one was refused, 5 if the credits ran out.
 * @param messageOf what the table says of a row
 * @returns the outcomes
 */
export async function runBatch<Row extends BatchRow>(
  { setting, options }: Invocation,
  path: string,
  body: unknown,
  messageOf: (row: Row) => string | null = ({ message }) => message,
): Promise<Row[]> {
  const { status, body: answer } = await call(setting.connection, { method: 'POST', path, body, key: idempotencyKeyOf(options) })
  const { results } = answer as { results: Row[] }
  print(
    answer,
    setting,
    results.map((row) => ({ row: row.index + 1, address: row.address, status: row.status, message: messageOf(row) })),
  )
  if (status === 207) {
    printLine('Not every row succeeded.')
    process.exitCode = (answer as { out_of_credits?: boolean }).out_of_credits ? exits.plan_or_credits : exits.validation
  }
  return results
}

/** Waits until a report is complete and prints it. Exit status 9 if it failed, 75 if it is still pending. */
export async function awaitReport({ setting, options }: Invocation, id: string): Promise<void> {
  const answer = await pollUntil(
    Number(options.timeout),
    (seconds) => `report ${id} is pending, ${seconds} s`,
    () => call<{ data: Report }>(setting.connection, { method: 'GET', path: `/reports/${segment(id)}` }),
    ({ body }) => body.data.status !== 'pending',
  )
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
