interface Point {
  /** Milliseconds since 1970. */
  at: number
  value: number
}

interface Props {
  /** Description for screen readers; the figures are in a table beside the chart. */
  title: string
  points: readonly Point[]
  /** Formats a moment for the axis. */
  format: (at: number) => string
}

/** Units of the drawing, which is stretched to the available space. */
const WIDTH = 100
const HEIGHT = 40

/**
 * A step chart from zero: each value lasts until the next. The scale and the moments are text of the page, so that they keep their size
 * when the drawing is stretched.
 */
export function StepChart({ title, points, format }: Props) {
  const [first, last] = [points.at(0), points.at(-1)]
  if (!first || !last || first === last) return null
  const top = roundUp(Math.max(...points.map(({ value }) => value), 1))
  const x = (at: number) => ((at - first.at) / Math.max(last.at - first.at, 1)) * WIDTH
  const y = (value: number) => HEIGHT - (Math.max(value, 0) / top) * HEIGHT
  const line = points.map(({ at, value }, index) => `${index === 0 ? 'M' : 'H'}${fixed(x(at))}${index === 0 ? ' ' : 'V'}${fixed(y(value))}`)
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
        <span>{format(first.at)}</span>
        <span>{format(last.at)}</span>
      </div>
    </figure>
  )
}

const fixed = (value: number) => value.toFixed(2)

/** Rounds up to 2, 4, 6 or 10 times a power of ten, so that half of it is a whole number from 2 on. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([2, 4, 6, 10].find((times) => times * power >= value) ?? 10) * power
}
