import { Button } from '../../parts/button.tsx'
import { counted, day, inches, milesPerHour } from '../../parts/format.ts'
import { Table } from '../../parts/table.tsx'
import { type CitedDay, daysInWords, forceOf } from './cited.ts'

interface Props {
  /** First and last day that were searched. */
  window: { start: string; end: string }
  date_of_loss: string | null
  days: readonly CitedDay[]
  chosen: string | undefined
  choose: (date: string | undefined) => void
}

/** The table shows this many of the newest days, and always the chosen day. The chart shows all days. */
const NEWEST_DAYS = 12

/** The days of the window that have records, as a chart and as a table. */
export function Days({ window, date_of_loss, days, chosen, choose }: Props) {
  if (days.length === 0) return null
  const rows = days.filter(({ date }, at) => at < NEWEST_DAYS || date === chosen || date === date_of_loss)
  return (
    <section>
      <h2>Days</h2>
      <div className="panel">
        <Timeline window={window} date_of_loss={date_of_loss} days={days} />
      </div>
      <Table<CitedDay>
        caption="Days with records, newest first"
        rows={rows}
        keyOf={({ date }) => date}
        currentIndex={rows.findIndex(({ date }) => date === chosen)}
        columns={[
          {
            label: 'Day',
            short: true,
            show: ({ date }) => (
              <>
                {day(date)} {date === date_of_loss && <span className="badge warn">Date of loss</span>}
              </>
            ),
          },
          {
            label: 'Hail reported',
            number: true,
            show: ({ hail }) => (hail.observed_in === null && hail.is_observed ? 'size not stated' : inches(hail.observed_in)),
          },
          { label: 'Hail by radar', number: true, show: ({ hail }) => inches(hail.radar_in) },
          {
            label: 'Wind',
            number: true,
            show: ({ wind }) => (wind.mph === null && wind.is_observed ? 'speed not stated' : milesPerHour(wind.mph)),
          },
          { label: 'Tornado', show: ({ tornado_rating }) => tornado_rating ?? '–' },
          { label: 'Records', number: true, show: ({ records }) => records.toLocaleString('en-US') },
          {
            label: 'Actions',
            show: ({ date }) => (
              <Button
                aria-label={date === chosen ? 'Show all days' : `Show records: ${day(date)}`}
                aria-pressed={date === chosen}
                onPress={() => choose(date === chosen ? undefined : date)}
              >
                {date === chosen ? 'Show all days' : 'Show records'}
              </Button>
            ),
          },
        ]}
      />
      <p className="soft small days-note">
        {days.length > rows.length &&
          `The newest ${NEWEST_DAYS} of ${counted(days.length, 'day')} with records${rows.length > NEWEST_DAYS ? ', and the marked days' : ''}. `}
        Each figure is the strongest of its day. Records with a caveat, or that name only a county or a zone, do not affect it.
      </p>
    </section>
  )
}

/** Units of the drawing, which is stretched to the available space. */
const WIDTH = 1000
const HEIGHT = 40
/** Width of a mark. In a window of ten years, one day is narrower than this. */
const MARK_WIDTH = 3
const DAY_MS = 86_400_000

interface ChartRow {
  label: string
  /** The largest value, shown beside the lane. */
  largest: string
  /** Each day's share of the strongest value, from 0 to 1. Days without a value are left out. */
  marks: { date: string; observed: number; radar: number }[]
}

/** Returns a lane for each kind of weather that was recorded. */
function chartRowsOf(days: readonly CitedDay[]): ChartRow[] {
  const hail = Math.max(...days.map((one) => Math.max(one.hail.observed_in ?? 0, one.hail.radar_in ?? 0)))
  const windMax = Math.max(...days.map(({ wind }) => wind.mph ?? 0))
  const tornadoes = days.flatMap(({ date, tornado_rating }) => (tornado_rating === null ? [] : [{ date, force: forceOf(tornado_rating) }]))
  const marked = (lane: ChartRow) => ({ ...lane, marks: lane.marks.filter(({ observed, radar }) => observed > 0 || radar > 0) })
  return [
    marked({
      label: 'Hail',
      largest: inches(hail),
      marks: days.map((one) => ({ date: one.date, observed: (one.hail.observed_in ?? 0) / hail, radar: (one.hail.radar_in ?? 0) / hail })),
    }),
    marked({
      label: 'Wind',
      largest: milesPerHour(windMax),
      marks: days.map(({ date, wind }) => ({ date, observed: (wind.mph ?? 0) / windMax, radar: 0 })),
    }),
    {
      label: 'Tornado',
      largest:
        days.find(({ tornado_rating: rating }) => rating !== null && forceOf(rating) === Math.max(...tornadoes.map(({ force }) => force)))
          ?.tornado_rating ?? '',
      // From a third of the height for a tornado without a rating to the full height for EF5.
      marks: tornadoes.map(({ date, force }) => ({ date, observed: (force + 4) / 9, radar: 0 })),
    },
  ].filter(({ marks }) => marks.length > 0)
}

function Timeline({ window, date_of_loss, days }: Pick<Props, 'window' | 'date_of_loss' | 'days'>) {
  const [from, to] = [Date.parse(window.start), Date.parse(window.end) + DAY_MS]
  const x = (date: string) => Math.min(((Date.parse(date) + DAY_MS / 2 - from) / (to - from)) * WIDTH, WIDTH - MARK_WIDTH / 2)
  const lanes = chartRowsOf(days)
  return (
    <figure className="timeline">
      {lanes.map((lane) => (
        <div key={lane.label} className="lane" aria-hidden>
          <span>
            {lane.label} <span className="soft">to {lane.largest}</span>
          </span>
          <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
            <path className="grid" d={`M0 ${HEIGHT}H${WIDTH}`} />
            {date_of_loss && <path className="loss" d={`M${x(date_of_loss).toFixed(1)} 0V${HEIGHT}`} />}
            {lane.marks.map(({ date, observed, radar }) => (
              <g key={date}>
                <title>{day(date)}</title>
                {radar > 0 && <path className="by-radar" d={bar(x(date), radar)} />}
                {observed > 0 && <path className="seen" d={bar(x(date), observed)} />}
              </g>
            ))}
          </svg>
        </div>
      ))}
      <div className="moments" aria-hidden>
        <span>{day(window.start)}</span>
        <span>{day(window.end)}</span>
      </div>
      <figcaption className="soft small">
        {daysInWords(days) || 'No day states a size or a speed, and none has a tornado'}.
        {lanes[0]?.label === 'Hail' && lanes[0].marks.some(({ radar }) => radar > 0) && ' Pale bars are radar estimates only.'}
        {date_of_loss && ` The dashed line is the date of loss, ${day(date_of_loss)}.`}
      </figcaption>
    </figure>
  )
}

const bar = (middle: number, share: number) => {
  const left = Math.max(middle - MARK_WIDTH / 2, 0).toFixed(1)
  return `M${left} ${HEIGHT}V${(HEIGHT * (1 - share)).toFixed(1)}h${MARK_WIDTH}V${HEIGHT}Z`
}
