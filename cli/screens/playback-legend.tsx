import { Text } from 'ink'
import { LineBox } from './frame.tsx'
import { bands } from './map.ts'
import { swathBands, swathMark } from './swath-map.ts'
import type { TerminalStyle } from './terminal.ts'

/** Legend of the map: the bands of a moment by colour, the bands of swaths also by hatching. */
export function Legend({ look, swaths }: { look: TerminalStyle; swaths: boolean }) {
  return (
    <LineBox>
      <Text>
        {swaths ? 'in ' : 'radar, inches: '}
        {swaths ? swathBands.map((band, nth) => <SwathMark key={band.from} nth={nth} look={look} />) : <BandMarks look={look} />}
        {`${look.marks.place} place  ${look.marks.seen} report`}
      </Text>
    </LineBox>
  )
}

function BandMarks({ look }: { look: TerminalStyle }) {
  return [...bands]
    .reverse()
    .map(({ from, colour, mark }) => (
      <Text key={from} {...(look.colour && { color: colour })}>{`${look.unicode && look.colour ? '⣿' : mark} ${from.toFixed(2)}+  `}</Text>
    ))
}

function SwathMark({ nth, look }: { nth: number; look: TerminalStyle }) {
  const { from, colour, foreground, mark } = swathBands[nth]!
  return (
    <Text>
      <Text {...(look.colour && { color: foreground, backgroundColor: colour })}>{look.unicode ? swathMark(nth) : mark}</Text>
      {` ${from.toFixed(2)}${nth === swathBands.length - 1 ? '+' : ''} `}
    </Text>
  )
}
