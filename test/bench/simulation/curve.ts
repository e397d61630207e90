/** A value measured at one size. */
export interface Point {
  size: number
  value: number
}

/** value = factor * size ^ exponent: how a cost grows, from 0 (not at all) to 1 (proportional to the size). */
export interface Curve {
  factor: number
  exponent: number
}

/**
 * The power law nearest to the measured values: a straight line through the logarithms, by least squares.
 * @throws if fewer than two sizes were measured, or a value is not positive
 */
export function curveThrough(points: readonly Point[]): Curve {
  if (new Set(points.map(({ size }) => size)).size < 2) throw new Error('a curve needs two sizes')
  const logs = points.map(({ size, value }) => {
    if (!(size > 0 && value > 0)) throw new Error(`${value} at ${size} has no logarithm`)
    return [Math.log(size), Math.log(value)] as const
  })
  const [mx, my] = [mean(logs.map(([x]) => x)), mean(logs.map(([, y]) => y))]
  const spread = logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0)
  const exponent = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0) / spread
  return { factor: Math.exp(my - exponent * mx), exponent }
}

/** The curve's value for a size, measured or not. */
export const at = ({ factor, exponent }: Curve, size: number): number => factor * size ** exponent

/** The size at which a growing cost reaches a bound; infinite if it does not grow. */
export function sizeWhere({ factor, exponent }: Curve, bound: number): number {
  return exponent > 0 ? (bound / factor) ** (1 / exponent) : Number.POSITIVE_INFINITY
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
