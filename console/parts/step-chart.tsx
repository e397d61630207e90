interface Point {
  /** Milliseconds since 1970. */
  at: number
  value: number
}

interface Props {
  /** What it shows, for who does not see it; the figures stand in a table beside it. */
  title: string
  points: readonly Point[]
  /** A moment as it stands under the chart. */
  say: (at: number) => string
}

/** The drawing's own units: it is stretched to its place. */
const WIDTH = 100
const HEIGHT = 40

/** A value that holds until the next: a line in steps from nothing up. Scales and moments are text of the page, so that they keep their size. */
export function StepChart({ title, points, say }: Props) {
  const [first, last] = [points.at(0), points.at(-1)]
  if (!first || !last || first === last) return null
  const top = roundUp(Math.max(...points.map(({ value }) => value), 1))
  const x = (at: number) => ((at - first.at) / Math.max(last.at - first.at, 1)) * WIDTH
  const y = (value: number) => HEIGHT - (Math.max(value, 0) / top) * HEIGHT
  const line = points.map(({ at, value }, place) => `${place === 0 ? 'M' : 'H'}${fixed(x(at))}${place === 0 ? ' ' : 'V'}${fixed(y(value))}`)
  return (
    <figure className="chart">
      <div className="scale" aria-hidden>
        <span>{top.toLocaleString('en-US')}</span>
        <span>{(top / 2).toLocaleString('en-US')}</span>
        <span>0</span>
      </div>
      <svg role="img" aria-label={title} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        <path className="grid" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
        <path className="area" d={`${line.join('')}V${HEIGHT}H0Z`} />
        <path className="line" d={line.join('')} />
      </svg>
      <div className="moments" aria-hidden>
        <span>{say(first.at)}</span>
        <span>{say(last.at)}</span>
      </div>
    </figure>
  )
}

const fixed = (value: number) => value.toFixed(2)

/** 1, 2 or 5 times a power of ten, whose half is a whole number from 2 on. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([2, 4, 6, 10].find((times) => times * power >= value) ?? 10) * power
}
