/** One seed for every bench, so that two runs measure the same data and the same questions. */
const SEED = 20190324

export interface Random {
  /** 0 up to, and without, 1. */
  next(): number
  between(low: number, high: number): number
  integer(low: number, high: number): number
  pick<T>(choices: readonly T[]): T
}

/** A repeatable stream of numbers (mulberry32). */
export function seededRandom(seed = SEED): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const nextInteger = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    integer: nextInteger,
    between: (low, high) => low + next() * (high - low),
    pick: (choices) => choices[nextInteger(0, choices.length - 1)] as (typeof choices)[number],
  }
}
