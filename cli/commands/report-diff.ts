import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'
import { print, printAside, printLine } from '../format.ts'
import { query } from '../service.ts'
import { addCommand, confirm, type Settings, show, wrapAction } from './command.ts'
import { withTimeout } from './poll-until.ts'
import { awaitOrdered, type Report, reportColumns } from './report-requests.ts'

/** weather reports diff and refresh. */
export function addDiff(reports: Command): void {
  addCommand(
    reports,
    'diff',
    'show what was added, removed or changed between two reports on a place, and by which import',
    'reports diff A B',
  )
    .argument('<report>', 'id of the first report')
    .argument('[other]', 'id of the second report (default: what a report would say now)')
    .option('--today', 'compare with what a report would say now')
    .action(
      wrapAction(async ({ setting, arguments: [a, b], options }) => {
        if (b !== undefined && options.today) throw failure(exits.usage, '--today compares with today: leave it out, or the second report.')
        printDiff(setting, await fetchDiff(setting, a as string, b))
      }),
    )

  withTimeout(
    addCommand(
      reports,
      'refresh',
      'create a report as of today for the window of an older one: free, once a day',
      'reports refresh ID --yes',
    ),
  )
    .argument('<report>', 'id of the older report')
    .option('--wait', 'wait until it is complete')
    .action(
      wrapAction(async (invocation) => {
        const { setting, options } = invocation
        const report = invocation.arguments[0] as string
        const diff = await fetchDiff(setting, report)
        // Standard output contains one answer: the new report, or the diff if there is nothing new.
        if (!diff.differs) return printDiff(setting, diff)
        printAside(diffRows(diff))
        await confirm(setting, 'Create the report as of today?')
        const refreshed = await query<Report>(setting.connection, REFRESH, { report })
        if (options.wait) return awaitOrdered(invocation, refreshed.id)
        show(setting, { data: refreshed }, reportColumns)
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
interface Change<Thing> {
  change: 'came' | 'went' | 'changed'
  old: Thing | null
  new: Thing | null
  fields: ChangedField[]
}
interface Diff {
  differs: boolean
  records: (Change<{ type: string; occurred_on: string; provenance: { source_label: string } }> & {
    revisions: { known_at: string; file_name: string | null; forgot: boolean }[]
  })[]
  findings: Change<{ family_label: string }>[]
  statements: ChangedField[]
}

/** The differences between two reports. */
const fetchDiff = ({ connection }: Settings, a: string, b?: string) => query<Diff>(connection, DIFF, { a, b: b ?? null })

function printDiff(setting: Settings, diff: Diff): void {
  print(diff, setting, diffRows(diff))
  if (!diff.differs) printLine('There are no differences.')
}

/** A line for each changed value, and for each item added or removed. */
function diffRows({ records, findings, statements }: Diff): Record<string, unknown>[] {
  const lines = (what: string, { change, fields }: Change<unknown>, by: string | null) =>
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
