import { type Command, Option } from 'commander'
import { gatherPages, PAGE_SIZE } from '../every-page.ts'
import { print, printLine } from '../format.ts'
import { openFile, query } from '../service.ts'
import {
  addCommand,
  type Columns,
  type Invocation,
  numberFrom,
  pickOptions,
  rowOf,
  segment,
  suggestedCommand,
  withPaging,
  wrapAction,
} from './command.ts'
import { saveAnswer } from './save-answer.ts'

interface Band {
  from_in: number
  to_in: number | null
  properties: number
  territories: number
}

interface StormDay {
  date: string
  largest_in: number | null
  property_count: number
  territory_count: number
  sources: string[]
  bands: Band[]
}

interface StormPlace {
  subject: string
  id: string
  name: string
  size_in: number
  from_in: number
  to_in: number | null
  precision: string | null
  latitude: number
  longitude: number
  source: string
}

const DAY = 'date largest_in property_count territory_count kind sources citation_urls bands { from_in to_in properties territories }'
const LIST = `query ($from: Date, $to: Date, $first: Int) { stormDays(from: $from, to: $to, first: $first) { data { ${DAY} } next_to } }`
const SHOW = `query ($date: Date!, $at_least_in: Float, $subject: WatchSubject, $page: Int, $per_page: Int) {
  stormDay(date: $date, at_least_in: $at_least_in, subject: $subject, page: $page, per_page: $per_page) {
    day { ${DAY} } total places { subject id name latitude longitude precision size_in size_mm from_in to_in source } } }`

const dayColumns: Columns<StormDay> = {
  date: 'date',
  radar_estimated_in: 'largest_in',
  properties: 'property_count',
  territories: 'territory_count',
  by_band: ({ bands }) => bandsInWords(bands),
  sources: ({ sources }) => sources.join(', '),
}

const placeColumns: Columns<StormPlace> = {
  id: 'id',
  subject: 'subject',
  name: 'name',
  radar_estimated_in: 'size_in',
  band: (place) => bandInWords(place),
  precision: 'precision',
  source: 'source',
}

interface StormDayPage {
  day: StormDay
  total: number
  places: StormPlace[]
}

/** weather storms: days of hail that radar estimated, and the watched places in their swaths. */
export function addStorms(program: Command): void {
  const storms = program.command('storms').description('days on which watched places were in swaths of hail that radar estimated')

  addCommand(storms, 'list', 'storm days, newest first', 'storms list --from 2025-03-01 --to 2025-06-30')
    .option('--from <date>', 'first day')
    .option('--to <date>', 'last day')
    .option('--first <number>', 'number of days, at most 100 (default: 25)', numberFrom)
    .action(wrapAction(listStorms))

  withPaging(
    addCommand(storms, 'show', 'watched places in the hail bands of a day, the largest first', 'storms show 2025-05-28 --at-least 1.25'),
  )
    .argument('<date>', 'the calendar day, in the local time of each place')
    .option('--at-least <inches>', 'only places where radar estimated at least this size', numberFrom)
    .option('--subject <subject>', 'property or territory')
    .addOption(new Option('--out <file>', 'write every place as CSV to this file; - for standard output').conflicts(['page', 'perPage']))
    .action(wrapAction(showStorm))
}

async function listStorms({ setting, options }: Invocation): Promise<void> {
  const stormDays = await query<{ data: StormDay[]; next_to: string | null }>(
    setting.connection,
    LIST,
    pickOptions(options, ['from', 'to', 'first']),
  )
  print(
    stormDays,
    setting,
    stormDays.data.map((day) => rowOf(day, dayColumns)),
  )
  if (stormDays.next_to !== null) printLine(`Earlier days: --to ${stormDays.next_to}`)
}

async function showStorm({ setting, options, arguments: [date = ''] }: Invocation): Promise<void> {
  const filters = { at_least_in: options.atLeast as number | undefined, subject: options.subject as string | undefined }
  if (options.out !== undefined) {
    const { answer } = await openFile(setting.connection, `/storms/${segment(date)}.csv`, filters)
    return saveAnswer(answer, options.out as string)
  }
  const readPage = (paging: object) => query<StormDayPage>(setting.connection, SHOW, { date, ...filters, ...paging })
  const stormDay = options.all ? await everyPlace(readPage) : await readPage(pickOptions(options, ['page', 'per_page']))
  printDay(stormDay.day)
  print(
    { data: stormDay },
    setting,
    stormDay.places.map((place) => rowOf(place, placeColumns)),
  )
  if (stormDay.places.length < stormDay.total) printLine(`${stormDay.places.length} of ${stormDay.total} places: --page, --all, or --out.`)
  const least = Math.max(filters.at_least_in ?? 0, stormDay.day.bands[0]?.from_in ?? 0)
  if (stormDay.day.property_count > 0)
    printLine(`Order reports on these properties: ${suggestedCommand(setting, `reports order --storm-day ${date} --swath ${least}`)}`)
}

async function everyPlace(readPage: (paging: object) => Promise<StormDayPage>): Promise<StormDayPage> {
  const { last, rows } = await gatherPages(
    (page) => readPage({ page, per_page: PAGE_SIZE }),
    ({ places }) => places,
    ({ total }) => total,
  )
  return { ...last, places: rows }
}

function printDay({ date, largest_in, bands, sources }: StormDay): void {
  printLine(
    largest_in === null
      ? `${date}: no stored radar data puts a watched place inside a swath. That is not proof that no hail fell.`
      : `${sources.includes('sample') ? 'Sample, made up: ' : ''}Radar estimated hail up to ${largest_in.toFixed(2)} in at watched places on ${date} (largest of the day): ${bandsInWords(bands)}.`,
  )
}

/** "1.00 in band: 12 properties, 1 territory; 1.25 in band: 3 properties"; empty bands are left out. */
function bandsInWords(bands: Band[]): string {
  return bands
    .filter(({ properties, territories }) => properties + territories > 0)
    .map((band) => `${band.from_in.toFixed(2)} in band: ${countsInWords(band)}`)
    .join('; ')
}

function countsInWords({ properties, territories }: Band): string {
  const parts = [
    properties > 0 && `${properties} ${properties === 1 ? 'property' : 'properties'}`,
    territories > 0 && `${territories} ${territories === 1 ? 'territory' : 'territories'}`,
  ]
  return parts.filter(Boolean).join(', ')
}

function bandInWords({ from_in, to_in }: Pick<StormPlace, 'from_in' | 'to_in'>): string {
  return to_in === null ? `${from_in.toFixed(2)} in or more` : `${from_in.toFixed(2)} to ${to_in.toFixed(2)} in`
}
