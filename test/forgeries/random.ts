/** Returns pseudo-random numbers that are the same for a seed: mulberry32. */
export interface Random {
  /** A whole number from 0 to below. */
  below(limit: number): number
  pick<T>(among: readonly T[]): T
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: (among) => among[below(among.length)] as (typeof among)[number] }
}
