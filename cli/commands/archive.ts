import { createReadStream, statSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { Argument, type Command, InvalidArgumentError } from 'commander'
import { operateWithoutTimeout, upload } from '../api.ts'
import { counted } from '../counted.ts'
import { exits, failure } from '../failure.ts'
import { liveLine, print, printLine } from '../format.ts'
import { rangeText } from '../range-text.ts'
import { addArchiveExport } from './archive-export.ts'
import { addCommand, confirmAtTerminal, type Settings, settingsOf, suggestedCommand } from './command.ts'
import { dayOrMonth, type RadarOptions, syncRadarDays } from './radar-days.ts'
import {
  gatherRejections,
  hasTooManyRejections,
  openRejectionsFile,
  printRejected,
  type Rejection,
  type RejectionGroup,
} from './rejections.ts'
import { printUncheckedYears, type UncheckedYear } from './unchecked-years.ts'
import { printUnplaced, type UnplacedZones } from './unplaced-zones.ts'

/** weather archive: contents and imports of the archive, with the operator key. */
export function addArchive(program: Command): void {
  const archive = program.command('archive').description('the archive of records (needs the operator key)')

  addCommand(
    archive,
    'import',
    'import files of a source into the archive; importing a file again changes nothing',
    'archive import storm-events StormEvents_*_d2019_*.csv.gz',
  )
    .argument('<source>', 'storm-events, spc-reports, local-reports, ...; an unknown name lists all of them')
    .argument('<file...>', 'files as published by the source, gzipped or plain')
    .option('--whole-year', 'the file contains the whole year of the source: withdraw records that it lacks')
    .option('--quiet', 'do not notify destinations of what is found at watched places')
    .option('--rejections <file>', 'write every rejected row to a CSV file, with its reason')
    .addHelpText(
      'after',
      '\nWith --json, one file prints its summary, several files a list of summaries.\nThe exit status is 1 if more than 1 % of the rows of a file were rejected.',
    )
    .action((source: string, files: string[], options: ImportOptions, command: Command) =>
      importFiles(source, files, options, settingsOf(command)),
    )

  addCommand(archive, 'sync', "import the publisher's newest file of a source", 'archive sync storm-events --year 2024')
    .addArgument(
      new Argument('<source>', 'zones is the table that locates forecast-zone records; mesh is past days of radar').choices(SYNCED),
    )
    .option('--year <year>', 'year, for storm-events', yearFrom)
    .option('--from <day>', 'first day or month, for mesh', dayOrMonth)
    .option('--to <day>', 'last day or month, for mesh (default: yesterday)', dayOrMonth)
    .option('--days', 'for mesh, read the 24-hour maximum of each day: one grid per day (default)')
    .option('--frames', 'for mesh, read every moment of each day: about 800 grids per day')
    .option('--notify', 'notify destinations of what is found at watched places, regardless of its age')
    .addHelpText('after', '  weather archive sync mesh --from 2020-10')
    .action((source: string, options: SyncOptions, command: Command) =>
      source === 'mesh' ? syncRadarDays(options, settingsOf(command)) : sync(source, options, settingsOf(command)),
    )

  addArchiveExport(archive)

  addCommand(archive, 'status', 'contents of the archive, by source, state and month or day', 'archive status').action(
    (_options: unknown, command: Command) => status(settingsOf(command)),
  )

  addCommand(
    archive,
    'forget',
    'delete everything imported from a source; complete reports keep what they cite',
    'archive forget sample --yes',
  )
    .argument('<source>', 'storm-events, sample, ...')
    .action((source: string, _options: unknown, command: Command) => forget(source, settingsOf(command)))
}

interface ImportOptions {
  wholeYear?: boolean
  quiet?: boolean
  rejections?: string
}

interface Counts {
  rows: number
  inserted: number
  updated: number
  unchanged: number
  withdrawn: number
  rejected: number
}

interface Summary extends Counts {
  file_name: string
  /** The first of them. */
  rejections: Rejection[]
  notes: string[]
}

/** The same with all of its rejections, by their reason. */
interface ImportResult extends Summary {
  rejected_by_reason: RejectionGroup[]
}

async function importFiles(source: string, files: readonly string[], options: ImportOptions, setting: Settings): Promise<void> {
  const missing = files.filter((file) => !statSync(file, { throwIfNoEntry: false })?.isFile())
  if (missing.length > 0) throw failure(exits.usage, `No such file: ${missing.join(', ')}.`)
  const rejectionsWriter = openRejectionsFile(options.rejections)
  const summaries: ImportResult[] = []
  try {
    for (const file of files) summaries.push(await importFile(source, file, options, setting, rejectionsWriter.add))
  } catch (fault) {
    if (summaries.length > 0) printSummaries(summaries, setting)
    if (files.length > 1) printLine(`${summaries.length} of ${files.length} files were imported, then ${files[summaries.length]} failed.`)
    throw fault
  } finally {
    rejectionsWriter.close()
  }
  printSummaries(files.length === 1 ? (summaries[0] as ImportResult) : summaries, setting)
}

function printSummaries(answer: ImportResult | ImportResult[], setting: Settings): void {
  const summaries = [answer].flat()
  print(answer, setting, summaries.map(countsOf))
  for (const summary of summaries) printSummary(summary)
}

function printSummary(summary: ImportResult): void {
  const { file_name, notes, rows, rejected } = summary
  printRejected(file_name, summary.rejected_by_reason)
  for (const note of notes) printLine(`${file_name}: ${note}`)
  if (!hasTooManyRejections(summary)) return
  printLine(`${file_name}: ${rejected.toLocaleString('en')} of ${counted(rows, 'row')} ${rejected === 1 ? 'was' : 'were'} rejected.`)
  process.exitCode = exits.failure
}

const countsOf = ({ file_name, rows, inserted, updated, unchanged, withdrawn, rejected }: Summary) => ({
  file: file_name,
  rows,
  inserted,
  updated,
  unchanged,
  withdrawn,
  rejected,
})

/** A progress line of an import. */
type Progress = (Counts & { object: 'import_progress'; bytes?: number }) | { object: 'import_rejections'; rejections: Rejection[] }

async function importFile(
  source: string,
  file: string,
  options: ImportOptions,
  { connection }: Settings,
  onRejections: (name: string, rejections: readonly Rejection[]) => void,
): Promise<ImportResult> {
  const name = path.basename(file)
  const query = new URLSearchParams({
    file_name: name,
    ...(options.wholeYear && { whole_year: 'true' }),
    ...(options.quiet && { quiet: 'true' }),
    rejections: 'true',
  })
  const live = liveLine()
  const { size } = statSync(file)
  const rejectionGroups = gatherRejections()
  const onLine = (line: Progress) => {
    if (line.object === 'import_progress') return live.show(`${name}: ${progressText(line, size)}`)
    rejectionGroups.add(line.rejections)
    onRejections(name, line.rejections)
  }
  live.show(`${name}: ${progressText({ rows: 0 }, size)}`)
  const stream: Readable = createReadStream(file)
  try {
    const summary = await upload<Progress, Summary>(connection, `/operator/archive/${encodeURIComponent(source)}?${query}`, stream, onLine)
    return { ...summary, rejected_by_reason: rejectionGroups.groups() }
  } finally {
    stream.destroy()
    live.clear()
  }
}

/** "12,000 of about 46,000 rows": the total is estimated from the part of the file read so far. */
export function progressText({ rows, bytes }: { rows: number; bytes?: number }, size: number): string {
  const read = rows.toLocaleString('en')
  return bytes && rows > 0
    ? `${read} of about ${Math.round((rows * size) / Math.min(bytes, size)).toLocaleString('en')} rows`
    : `${counted(rows, 'row')} read`
}

const COUNTS = 'rows inserted updated unchanged withdrawn rejected'
const SYNC = `mutation ($source: String!, $year: Int, $notify: Boolean) {
  archiveSync(source: $source, year: $year, notify: $notify) { year up_to_date imports { file_name ${COUNTS} rejections { row reason } } } }`

/** Sources that the service itself can fetch. */
const SYNCED = ['storm-events', 'zones', 'mesh']

type SyncOptions = RadarOptions

/** Has the service import the newest file of a source, and prints what became of it. */
export async function sync(source: string, { year, notify, from, to, days, frames }: SyncOptions, setting: Settings): Promise<void> {
  if (from ?? to ?? days ?? frames) throw failure(exits.usage, '--from, --to, --days and --frames apply only to mesh.')
  if (source === 'zones' && (year !== undefined || notify)) throw failure(exits.usage, '--year and --notify do not apply to zones.')
  if (year === undefined && source !== 'zones') throw failure(exits.usage, 'Name the year to read: --year 2024.')
  const live = liveLine()
  live.show(`reading ${year ?? source} from the publisher ...`)
  // The service answers when the import is done.
  const answer = await operateWithoutTimeout<{ up_to_date: boolean; imports: Summary[] }>(setting.connection, SYNC, {
    source,
    year,
    notify,
  }).finally(live.clear)
  if (answer.up_to_date) printLine(`The archive already has the newest file of ${year ?? source}.`)
  print(answer, setting, answer.imports.map(countsOf))
}

const STATUS = `{ archiveStatus {
  sources { source slug label records withdrawn from to states { state records held { from to preliminary compiled_on early } days { from to days moments } } }
  zones
  unplaced_zones { state records table_held }
  unjudged_years { slug year records }
  recent_imports { id source file_name status ${COUNTS} rejections { row reason } failure started_at finished_at } } }`

interface Status {
  sources: {
    slug: string
    records: number
    withdrawn: number
    from: string | null
    to: string | null
    states: { held: HeldMonths[]; days: Span[] }[]
  }[]
  unplaced_zones: UnplacedZones[]
  unjudged_years: UncheckedYear[]
}

async function status(setting: Settings): Promise<void> {
  const answer = await operateWithoutTimeout<Status>(setting.connection, STATUS)
  print(
    answer,
    setting,
    answer.sources.map(({ slug, records, withdrawn, from, to, states }) => ({
      source: slug,
      records,
      withdrawn,
      from,
      to,
      states: states.length,
      held: periodsOf(states),
    })),
  )
  printUnplaced(answer.unplaced_zones, setting)
  printUncheckedYears(answer.unjudged_years, setting)
  printEarly(answer.sources, setting)
}

interface Span {
  from: string
  to: string
}

/** `early`: compiled before every office must have reported. */
type HeldMonths = Span & { early: boolean }

/** The months that any state has, oldest first; for sources stored by day, the first and last day of any state. */
function periodsOf(states: Status['sources'][number]['states']): string[] {
  const days = states.flatMap((state) => state.days)
  const [from] = days.map((span) => span.from).sort()
  const to = days
    .map((span) => span.to)
    .sort()
    .at(-1)
  const months = joinSpans(states.flatMap(({ held }) => held)).map(textOf)
  return from && to ? [...months, `days of ${rangeText(from, to)}`] : months
}

const textOf = ({ from, to }: Span) => rangeText(from, to)

/** Prints the months whose file was compiled before every office must have reported: reports say so. */
function printEarly(sources: Status['sources'], setting: Settings): void {
  for (const { slug, states } of sources) {
    const months = joinSpans(states.flatMap(({ held }) => held.filter(({ early }) => early))).map(textOf)
    if (months.length === 0) continue
    const again = suggestedCommand(setting, `archive sync ${slug} --year YEAR`)
    printLine(
      `The files of ${slug} for ${months.join(', ')} were compiled early: whole offices may be missing. Read each year again with: ${again}`,
    )
  }
}

/** Joins consecutive months into one span: the service reports them by file and state. */
function joinSpans(months: readonly Span[]): Span[] {
  const spans: Span[] = []
  for (const { from, to } of months.toSorted((one, other) => one.from.localeCompare(other.from))) {
    const last = spans.at(-1)
    if (!last || from > monthAfter(last.to)) spans.push({ from, to })
    else if (to > last.to) last.to = to
  }
  return spans
}

/** Of a month, YYYY-MM. */
function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString().slice(0, 7)
}

async function forget(source: string, setting: Settings): Promise<void> {
  await confirmAtTerminal(setting, `Delete everything imported from ${source}?`)
  print(
    await operateWithoutTimeout(
      setting.connection,
      'mutation ($source: String!) { archiveForget(source: $source) { source records others versions versions_since } }',
      {
        source,
      },
    ),
    setting,
  )
}

function yearFrom(text: string): number {
  if (!/^\d{4}$/.test(text)) throw new InvalidArgumentError('It must be a year, such as 2024.')
  return Number(text)
}
