import { createReadStream, statSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { type Command, InvalidArgumentError } from 'commander'
import { operate, operateAtLength, upload } from '../api.ts'
import { exits, failure } from '../failure.ts'
import { liveLine, print, tell } from '../format.ts'
import { ask, type Setting, settingOf } from './command.ts'

/** weather archive: what is held, and how more comes in, with the operator key. */
export function addArchive(program: Command): void {
  const archive = program.command('archive').description('the archive of records (needs the operator key)')

  ask(
    archive,
    'import',
    'read files of a source into the archive; reading one again changes nothing',
    'archive import storm-events StormEvents_*_d2019_*.csv.gz',
  )
    .argument('<source>', 'storm-events, spc-reports, local-reports, ... as `archive status` names them')
    .argument('<file...>', 'files as the source publishes them, gzipped or plain')
    .option('--whole-year', 'the file is all that the source has of its year: what it no longer has is withdrawn')
    .option('--quiet', 'tell no destination about what is found at watched places')
    .addHelpText('after', '\nWith --json one file answers its summary, several a list of summaries.')
    .action((source: string, files: string[], options: ImportOptions, command: Command) =>
      importFiles(source, files, options, settingOf(command)),
    )

  ask(archive, 'sync', "bring a year to the source's newest compile", 'archive sync storm-events --year 2024')
    .argument('<source>', 'storm-events')
    .requiredOption('--year <year>', 'the year', yearFrom)
    .option('--notify', 'tell destinations about what is found at watched places, however old it is')
    .action((source: string, options: { year: number; notify?: boolean }, command: Command) => sync(source, options, settingOf(command)))

  ask(archive, 'status', 'what is held, by source, state and month', 'archive status').action((_options: unknown, command: Command) =>
    status(settingOf(command)),
  )

  ask(archive, 'forget', 'remove all that a source brought; finished reports keep what they cite', 'archive forget sample')
    .argument('<source>', 'storm-events, sample, ...')
    .action((source: string, _options: unknown, command: Command) => forget(source, settingOf(command)))
}

interface ImportOptions {
  wholeYear?: boolean
  quiet?: boolean
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
  rejections: { row: string; reason: string }[]
  notes: string[]
}

async function importFiles(source: string, files: readonly string[], options: ImportOptions, setting: Setting): Promise<void> {
  const missing = files.filter((file) => !statSync(file, { throwIfNoEntry: false })?.isFile())
  if (missing.length > 0) throw failure(exits.usage, `There is no file ${missing.join(', ')}.`)
  const summaries: Summary[] = []
  for (const file of files) summaries.push(await importFile(source, file, options, setting))
  print(files.length === 1 ? summaries[0] : summaries, setting, summaries.map(countsOf))
  for (const { file_name, rejections, notes } of summaries) {
    for (const { row, reason } of rejections) tell(`${file_name}, row ${row}: ${reason}`)
    for (const note of notes) tell(`${file_name}: ${note}`)
  }
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

async function importFile(source: string, file: string, options: ImportOptions, { connection }: Setting): Promise<Summary> {
  const name = path.basename(file)
  const query = new URLSearchParams({
    file_name: name,
    ...(options.wholeYear && { whole_year: 'true' }),
    ...(options.quiet && { quiet: 'true' }),
  })
  const live = liveLine()
  const { size } = statSync(file)
  let sent = 0
  let rows = 0
  const show = () => live.show(`${name}: ${Math.floor((100 * sent) / Math.max(size, 1))} % sent, ${rows.toLocaleString('en')} rows read`)
  const stream: Readable = createReadStream(file).on('data', (part) => {
    sent += part.length
    show()
  })
  try {
    return await upload<Counts, Summary>(connection, `/operator/archive/${encodeURIComponent(source)}?${query}`, stream, (counts) => {
      rows = counts.rows
      show()
    })
  } finally {
    stream.destroy()
    live.clear()
  }
}

const COUNTS = 'rows inserted updated unchanged withdrawn rejected'
const SYNC = `mutation ($source: String!, $year: Int!, $notify: Boolean) {
  archiveSync(source: $source, year: $year, notify: $notify) { year up_to_date imports { file_name ${COUNTS} rejections { row reason } } } }`

async function sync(source: string, { year, notify }: { year: number; notify?: boolean }, setting: Setting): Promise<void> {
  const live = liveLine()
  live.show(`reading ${year} from the source ...`)
  const answer = await operate<{ up_to_date: boolean; imports: Summary[] }>(setting.connection, SYNC, { source, year, notify }).finally(
    live.clear,
  )
  if (answer.up_to_date) tell(`Nothing newer than what is held of ${year}.`)
  print(answer, setting, answer.imports.map(countsOf))
}

const STATUS = `{ archiveStatus {
  sources { source slug label records withdrawn from to states { state records held { from to preliminary compiled_on } } }
  zones
  recent_imports { id source file_name status ${COUNTS} rejections { row reason } failure started_at finished_at } } }`

interface Status {
  sources: {
    slug: string
    records: number
    withdrawn: number
    from: string | null
    to: string | null
    states: { held: { from: string; to: string }[] }[]
  }[]
}

async function status(setting: Setting): Promise<void> {
  const answer = await operate<Status>(setting.connection, STATUS)
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
      months: spansOf(states.flatMap((state) => state.held)),
    })),
  )
}

/** The spans held by any state, each once, oldest first. */
function spansOf(held: readonly { from: string; to: string }[]): string[] {
  return [...new Set(held.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)))].sort()
}

async function forget(source: string, setting: Setting): Promise<void> {
  print(
    await operateAtLength(setting.connection, 'mutation ($source: String!) { archiveForget(source: $source) { source records } }', {
      source,
    }),
    setting,
  )
}

function yearFrom(text: string): number {
  if (!/^\d{4}$/.test(text)) throw new InvalidArgumentError('It must be a year, such as 2024.')
  return Number(text)
}
