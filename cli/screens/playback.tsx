import { Box, Text, useInput } from 'ink'
import { useEffect, useState } from 'react'
import { call, page } from '../service.ts'
import type { Row } from './rows.ts'
import { type Bounds, bandOf, bands, type Cell, mapOf } from './terminal.ts'
import { type Frame, Line } from './ui.tsx'

interface Day {
  date: string
  box: Bounds
  moments: { at: string; cells: Cell[] }[]
}

/** Degrees around the place that was hit: about 35 miles each way. */
const REACH = 0.5
/** Milliseconds a moment is shown. */
const BEAT_MS = 300

/** A storm day moment by moment: the newest exposure's, or the one typed after `/` as a date. */
export function Playback({ connection, columns, rows, unicode, listening, search, tell, keys }: Frame) {
  const [day, setDay] = useState<Day | null>(null)
  const [said, setSaid] = useState('reading ...')
  const [at, setAt] = useState(0)
  const [playing, setPlaying] = useState(false)
  const [turn, setTurn] = useState(0)

  useEffect(() => keys('space play  j k arrows step  g G first, last  / date  r again  ? help  q leave'), [])
  useEffect(() => {
    setPlaying(false)
    setAt(0)
    read(connection, search).then(
      (found) => {
        setDay(found)
        setSaid(found ? 'No radar cells are held for this day.' : 'No exposure yet: type / and a date such as 2025-05-28.')
        tell(null)
      },
      (fault) => {
        setSaid(fault.message)
        tell(fault)
      },
    )
  }, [search, turn])
  const last = Math.max(0, (day?.moments.length ?? 0) - 1)
  useEffect(() => {
    if (!playing) return
    const beat = setInterval(() => setAt((before) => (before >= last ? 0 : before + 1)), BEAT_MS)
    return () => clearInterval(beat)
  }, [playing, last])

  useInput(
    (input, key) => {
      if (input === ' ') setPlaying((before) => !before)
      else if (key.rightArrow || key.downArrow || input === 'j') setAt((before) => Math.min(last, before + 1))
      else if (key.leftArrow || key.upArrow || input === 'k') setAt((before) => Math.max(0, before - 1))
      else if (input === 'g') setAt(0)
      else if (input === 'G') setAt(last)
      else if (input === 'r') setTurn((before) => before + 1)
    },
    { isActive: listening },
  )

  const moment = day?.moments[at]
  return (
    <Box flexDirection="column">
      <Line>
        <Text bold>
          {day ? `${day.date}  ${moment ? `${moment.at}  ${at + 1} of ${day.moments.length}${playing ? '  playing' : ''}` : ''}` : ' '}
        </Text>
      </Line>
      {day && moment ? (
        mapOf(moment.cells, day.box, columns, rows - 2, unicode).map((line, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row of the map is its place
          <Line key={row}>
            <Text>
              {runsOf(line).map(({ text, colour }, run) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a run of one colour has no other name
                <Text key={run} color={colour}>
                  {text}
                </Text>
              ))}
            </Text>
          </Line>
        ))
      ) : (
        <Text>{said}</Text>
      )}
      <Line>
        <Text>
          {'radar estimate, inches: '}
          {[...bands].reverse().map(({ from, colour, mark }) => (
            <Text key={from} color={colour}>{`${mark} ${from.toFixed(2)}+  `}</Text>
          ))}
        </Text>
      </Line>
    </Box>
  )
}

/** Neighbours of one colour as one text. */
function runsOf(line: readonly { text: string; mesh_in: number }[]): { text: string; colour: string | undefined }[] {
  const runs: { text: string; colour: string | undefined }[] = []
  for (const { text, mesh_in } of line) {
    const colour = text === ' ' ? undefined : bandOf(mesh_in)?.colour
    const last = runs.at(-1)
    if (last && last.colour === colour) last.text += text
    else runs.push({ text, colour })
  }
  return runs
}

async function read(connection: Frame['connection'], search: string): Promise<Day | null> {
  const dated = /^\d{4}-\d{2}-\d{2}$/.test(search) ? { from: search, to: search } : {}
  const { data } = await page<Row>(connection, '/exposures', { kind: 'record', subject: 'property', per_page: 100, ...dated })
  // The day of the largest hail: there radar has something to show.
  const size = (row: Row) => row.largest_detected_in ?? row.largest_measured_in ?? 0
  const [exposure] = data.sort((one, other) => size(other) - size(one))
  if (!exposure) return null
  const { address } = ((await call(connection, { method: 'GET', path: `/properties/${exposure.subject.id}` })).body as { data: Row }).data
  const box = {
    south: address.latitude - REACH,
    north: address.latitude + REACH,
    west: address.longitude - REACH,
    east: address.longitude + REACH,
  }
  const { body } = await call(connection, { method: 'GET', path: '/playback', query: { date: exposure.date, ...box } })
  return { date: exposure.date, box, moments: (body as Pick<Day, 'moments'>).moments }
}
