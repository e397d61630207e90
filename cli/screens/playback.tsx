import { Box, Text } from 'ink'
import { useEffect, useMemo, useState } from 'react'
import { counted } from '../counted.ts'
import { typeName } from '../type-name.ts'
import { type Day, readDay } from './day.ts'
import { browse, saveRows } from './desktop.ts'
import { LineBox as Line, type ScreenProps, Toned } from './frame.tsx'
import type { Press } from './keys.ts'
import { bothTimes, localTime } from './local-time.ts'
import { type Bounds, boxAround, type Glyph, mapOf, pin, runsOf } from './map.ts'
import { openTowns, type Town, writeNames } from './place-names.ts'
import { Legend } from './playback-legend.tsx'
import { swathMap } from './swath-map.ts'
import { displayable, fit, fitWords } from './text.ts'

/** Milliseconds per moment. */
const MOMENT_MS = 300
/** Zoom levels in degrees north and south of the place, the nearest first. The initial one is about 20 miles. */
const REACHES = [0.075, 0.15, 0.3, 0.6, 1.2]
const REACH_FIRST = 2
/** From this width on, reports are shown beside the map. */
const WIDE = 110
const PANEL_WIDTH = 34

const keysOf = (playing: boolean) => [
  ...['? help', 'q quit', `space ${playing ? 'pause' : 'play'}`, 's swaths', '+ - zoom', 'n names', 'j k arrows step'],
  ...['g G first, last', '/ date', 'r again', 'e write', 'o browser'],
]

/** A storm day moment by moment, or its swaths: the day of the largest hail, or the date typed after `/`. */
export function Playback({ frame }: { frame: ScreenProps }) {
  const { connection, look, columns, rows, say } = frame
  const { day, message, at, setAt, last, playing, setPlaying, reload: again } = useDay(frame)
  const [asSwaths, setAsSwaths] = useState(false)
  const [zoom, setZoom] = useState(REACH_FIRST)
  const [named, setNamed] = useState(true)
  const step = (by: number) => {
    setPlaying(false)
    setAt(Math.max(0, Math.min(last, at + by)))
  }
  frame.onPress(async ({ key, times }: Press) => {
    if (key === ' ' || key === 'enter') setPlaying(times % 2 === 1 ? !playing : playing)
    else if (['right', 'down', 'j'].includes(key)) step(times)
    else if (['left', 'up', 'k'].includes(key)) step(-times)
    else if (key === 'g' || key === 'home') step(-last)
    else if (key === 'G' || key === 'end') step(last)
    else if (key === 's') setAsSwaths(times % 2 === 1 ? !asSwaths : asSwaths)
    else if (key === '+') setZoom(Math.max(0, zoom - times))
    else if (key === '-') setZoom(Math.min(REACHES.length - 1, zoom + times))
    else if (key === 'n') setNamed(times % 2 === 1 ? !named : named)
    else if (key === 'r') again()
    else if (key === 'e' && day) say(saveRows('playback', [{ id: day.date, ...day }]))
    else if (key === 'o') say(await browse(`${connection.url}/map`))
  })

  const moment = day?.moments[at]
  // Frames are stored for some days, swaths permanently.
  const swaths = asSwaths || (moment === undefined && (day?.swaths.length ?? 0) > 0)
  const wide = columns >= WIDE
  // The title, the moments, the bands and the keys.
  const [width, height] = [wide ? columns - PANEL_WIDTH : columns, Math.max(1, rows - 4)]
  const box = day && boxAround(day.place, REACHES[zoom]!, width, height)
  const towns = useTowns(frame, box)
  return (
    <Box flexDirection="column" height={rows}>
      <Line>
        <Text bold>{day ? fit(displayable(`${day.date}  ${day.place.name}`, look), columns, look) : ' '}</Text>
      </Line>
      <Box height={height}>
        {day && box && (moment || swaths) ? (
          <>
            <MapView
              map={drawMap(day, { momentIndex: at, swaths, box, width, height, towns: named ? towns : [] }, frame)}
              width={width}
              frame={frame}
            />
            {wide && <DayPanel day={day} at={endOf(day, at)} height={height} frame={frame} />}
          </>
        ) : (
          <Text>{displayable(message, look)}</Text>
        )}
      </Box>
      <Line>
        <Text>{day && swaths ? swathsInWords(day) : day && moment ? progressOf(day, at, playing, columns, frame) : ' '}</Text>
      </Line>
      <Legend look={look} swaths={swaths} />
      <Line>
        <Text dimColor>{fitWords(keysOf(playing), columns)}</Text>
      </Line>
    </Box>
  )
}

function MapView({ map, width, frame: { look } }: { map: Glyph[][]; width: number; frame: ScreenProps }) {
  return (
    <Box flexDirection="column" width={width}>
      {map.map((line, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row of the map is its place
        <Line key={row}>
          {runsOf(line).map(({ text, colour, background, plain }, run) => (
            <Text
              // biome-ignore lint/suspicious/noArrayIndexKey: a run of one colour has no other name
              key={run}
              {...(look.colour && colour && { color: colour })}
              {...(look.colour && background && { backgroundColor: background })}
              bold={colour === undefined && !plain}
            >
              {text}
            </Text>
          ))}
        </Line>
      ))}
    </Box>
  )
}

/** The towns of the shown box; the earlier ones until its own are read. */
function useTowns({ connection }: ScreenProps, box: Bounds | null): Town[] {
  const read = useMemo(() => openTowns(connection), [connection])
  const [towns, setTowns] = useState<Town[]>([])
  useEffect(() => {
    let isCancelled = false
    if (box) void read(box).then((found) => isCancelled || setTowns(found))
    return () => {
      isCancelled = true
    }
  }, [read, JSON.stringify(box)])
  return towns
}

/** The requested day and its shown moment, which advances while playing. */
function useDay({ connection, search, reportFault }: ScreenProps) {
  const [day, setDay] = useState<Day | null>(null)
  const [message, setMessage] = useState('reading ...')
  const [at, setAt] = useState(0)
  const [playing, setPlaying] = useState(false)
  const [turn, setTurn] = useState(0)

  // The day of another search would look like the answer to this one.
  useEffect(() => {
    setDay(null)
    setMessage('reading ...')
  }, [search])
  useEffect(() => {
    let isCancelled = false
    setPlaying(false)
    readDay(connection, search).then(
      (found) => {
        if (isCancelled) return
        setDay(found)
        setAt(0)
        setMessage(
          found
            ? `No radar moments are stored for ${found.date} around ${found.place.name}.`
            : 'There are no exposures yet. Type / and a date such as 2025-05-28 to choose a day.',
        )
        reportFault(null)
      },
      (fault: Error) => {
        if (isCancelled) return
        setMessage(`${fault.message.split('\n')[0]} r reads again.`)
        reportFault(fault)
      },
    )
    return () => {
      isCancelled = true
    }
  }, [connection, search, turn])
  const last = Math.max(0, (day?.moments.length ?? 0) - 1)
  useEffect(() => {
    if (!playing) return
    const timer = setInterval(() => setAt((before) => (before >= last ? 0 : before + 1)), MOMENT_MS)
    return () => clearInterval(timer)
  }, [playing, last])
  return { day, message, at, setAt, last, playing, setPlaying, reload: () => setTurn(turn + 1) }
}

/** Earlier versions of the service return no time zone. */
const zoneOf = ({ meta }: Day) => meta.timezone ?? 'UTC'

/** Sorts after every time. The evening of a local day has the next date in UTC. */
const AFTER_ALL = '~'

/** The end of a moment: a grid of several hours is dated to their middle. Without moments the whole day counts as past. */
export function endOf({ moments, meta }: Pick<Day, 'moments' | 'meta'>, at: number): string {
  return meta.largest_of?.until ?? moments[at]?.at ?? AFTER_ALL
}

interface MapOptions {
  momentIndex: number
  swaths: boolean
  box: Bounds
  width: number
  height: number
  towns: Town[]
}

/** The map of a moment, or of the day's swaths: radar estimates, reports until then, towns, and the watched place. */
function drawMap(day: Day, { momentIndex, swaths, box, width, height, towns }: MapOptions, { look }: ScreenProps): Glyph[][] {
  const { place, context, moments } = day
  // Without colours, marks distinguish the bands of a moment; bands of swaths are hatched.
  const map = swaths
    ? swathMap(day.swaths, box, width, height, look.unicode)
    : mapOf(moments[momentIndex]?.cells ?? [], box, width, height, look.unicode && look.colour)
  writeNames(map, box, towns, [place, ...context.reports], look)
  const now = endOf(day, momentIndex)
  pin(map, box, swaths ? context.reports : context.reports.filter((report) => report.at <= now), look.marks.seen)
  pin(map, box, [place], look.marks.place)
  return map
}

/** Describes the swaths of the day and their source. */
function swathsInWords({ swaths }: Day): string {
  if (swaths.length === 0) return 'There is no swath of 0.75 in or more for this day. That is not proof that no hail fell.'
  const most = Math.max(...swaths.map(({ properties }) => properties.from_in))
  const sample = swaths.some(({ properties }) => properties.source === 'sample') ? 'sample, made up: ' : ''
  return `${sample}radar estimated up to the ${most.toFixed(2)} in band; largest of the day`
}

/** The moment, its largest hail, and the progress of the day. */
function progressOf(day: Day, at: number, playing: boolean, columns: number, { look }: ScreenProps): string {
  const { moments } = day
  const { cells } = moments[at]!
  const when = `${day.meta.largest_of ? 'largest of 24 hours to ' : ''}${bothTimes(endOf(day, at), zoneOf(day))}`
  const largest = Math.max(0, ...cells.map(({ mesh_in }) => mesh_in))
  const words = `${when}  ${at + 1} of ${moments.length}  largest ${largest.toFixed(2)} in  ${playing ? 'playing' : 'paused '}  `
  const barWidth = Math.max(0, columns - words.length)
  const done = Math.round((barWidth * (at + 1)) / moments.length)
  return words + look.marks.done.repeat(done) + look.marks.left.repeat(barWidth - done)
}

interface PanelLine {
  text: string
  tone?: 'title' | 'quiet' | 'alarm' | undefined
}

/** Reports of the day, later ones in grey, and the warnings of the day. */
function DayPanel({ day, at: now, height, frame: { look } }: { day: Day; at: string; height: number; frame: ScreenProps }) {
  return (
    <Box flexDirection="column" width={PANEL_WIDTH}>
      {panelLines(day, now, height).map(({ text, tone }, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <Line key={row}>
          <Text dimColor>{`${look.marks.between} `}</Text>
          <Toned tone={tone} look={look}>
            {displayable(text, look) || ' '}
          </Toned>
        </Line>
      ))}
    </Box>
  )
}

/** The lines of the panel. If not all of them fit, the last one counts the rest. */
export function panelLines(day: Day, now: string, height: number): PanelLine[] {
  const { reports, warnings } = day.context
  const areal = day.meta.reports_without_point ?? 0
  const { zone } = localTime(day.moments[0]?.at ?? `${day.date}T18:00:00Z`, zoneOf(day))
  const clock = (moment: string) => localTime(moment, zoneOf(day)).time
  const reportLines = reports.map(
    (report): PanelLine => ({
      text: `${clock(report.at)} ${typeName(report.type)}${report.magnitude_in === null ? '' : ` ${report.magnitude_in.toFixed(2)} in`}`,
      tone: report.at <= now ? undefined : 'quiet',
    }),
  )
  const warningLines = warnings.map(
    ({ label, issued, expires }): PanelLine => ({
      text: `${clock(issued)} to ${clock(expires)} ${label}`,
      tone: issued <= now && now <= expires ? 'alarm' : undefined,
    }),
  )
  const lines: PanelLine[] = [
    { text: `Reports of the day, ${zone}`, tone: 'title' },
    ...reportLines,
    ...(areal > 0 ? [{ text: `${counted(areal, 'report')} without a point`, tone: 'quiet' as const }] : []),
    ...(warnings.length > 0 ? [{ text: '' }, { text: `Warnings, ${zone}`, tone: 'title' as const }, ...warningLines] : []),
  ]
  if (lines.length <= height) return lines
  const shown = lines.slice(0, height - 1)
  const omitted = (of: PanelLine[]) => of.filter((line) => !shown.includes(line)).length
  const rest = [
    omitted(reportLines) > 0 && counted(omitted(reportLines), 'report'),
    omitted(warningLines) > 0 && counted(omitted(warningLines), 'warning'),
  ].filter(Boolean)
  return [...shown, { text: `and ${rest.join(', ')} more`, tone: 'quiet' }]
}
