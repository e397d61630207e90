import { describe, expect, test } from 'vitest'
import { type Bed, type Bench, measure, percentile } from './frame.ts'
import { seededRandom } from './random.ts'
import type { Server } from './server.ts'
import { markdown } from './table.ts'

const server: Server = {
  label: 'no server',
  postgis: false,
  database: () => Promise.reject(new Error('none')),
  folder: async () => '',
  cpuMs: () => null,
  close: async () => {},
}

const bench = (change: Partial<Bench<number>> = {}): Bench =>
  ({
    claim: 'Ours grows with the square root, theirs in step.',
    sizes: { small: [100, 1000], full: [1000, 10_000] },
    unit: 'bytes',
    setup: async ({ size }: Bed) => size,
    check: async () => {},
    arms: [
      { name: 'ours', operations: 2, run: (size: number) => ({ value: Math.sqrt(size) }) },
      { name: 'theirs', peer: true, operations: 2, run: (size: number) => ({ value: size }) },
      { name: 'absent', peer: true, missing: () => 'not installed', run: () => ({ value: 0 }) },
    ],
    reach: [
      { arm: 'ours', peer: 'theirs', ratio_at_most: 0.1 },
      { arm: 'theirs', peer: 'ours', ratio_at_most: 0.1 },
      { arm: 'ours', peer: 'absent', ratio_at_most: 1 },
      { arm: 'ours', at_most: 1, percentile: 95 },
      { arm: 'theirs', beyond: 'ours', at_most: 1000, percentile: 95 },
      { arm: 'theirs', beyond: 'absent', at_most: 1000, percentile: 95 },
    ],
    ...(change as Partial<Bench>),
  }) as Bench

describe('a bench', () => {
  test('is judged at its larger size: a ratio is reached or missed, a missing peer is skipped, a bound alone is noted', async () => {
    const { reach, growth, sizes } = await measure('roots', bench(), 'small', server)
    expect(reach.map(({ outcome }) => outcome)).toEqual(['reached', 'missed', 'skipped', 'noted', 'noted', 'noted'])
    expect(reach.slice(4)).toMatchObject([
      { what: 'theirs, p95 in bytes beyond that of ours', found: 1000 - Math.sqrt(1000) },
      { what: 'theirs, p95 in bytes beyond that of absent', found: null },
    ])
    expect(reach[0]?.found).toBeCloseTo(Math.sqrt(1000) / 1000)
    expect(growth.ours).toBeCloseTo(0.5)
    expect(growth.theirs).toBeCloseTo(1)
    expect(sizes.map(({ size }) => size)).toEqual([100, 1000])
  })

  test('times nothing if its arms disagree', async () => {
    let ran = 0
    const disagreeing = bench({
      check: () => Promise.reject(new Error('the arms disagree')),
      arms: [{ name: 'ours', run: () => void ran++ }],
    })
    await expect(measure('roots', disagreeing, 'small', server)).rejects.toThrow('the arms disagree')
    expect(ran).toBe(0)
  })

  test('runs its arms in turn, with the same questions for each', async () => {
    const runs: string[] = []
    const arms = ['a', 'b'].map((name) => ({
      name,
      operations: 1,
      run: (_size: number, turn: number) => void runs.push(`${name}${turn}`),
    }))
    await measure('turns', bench({ arms, reach: [], sizes: { small: [1, 10], full: [1, 10] } }), 'small', server)
    const [a, b] = ['a', 'b'].map((name) => runs.filter((turn) => turn.startsWith(name)).map((turn) => turn.slice(1)))
    expect(a).toEqual(b)
    expect(
      runs
        .slice(0, 4)
        .map((turn) => turn[0])
        .join(''),
    ).toBe('abba')
  })

  test('shows missed, skipped, failed and unmeasured claims in red in the table', async () => {
    const setting = { at: '2026-01-01', node: '20', server: 'none', cpu: 'any', cores: 2, memory_gb: 4 }
    const result = { ...(await measure('roots', bench(), 'small', server)), setting }
    const failed = { ...result, name: 'squares', fault: 'the arms disagree', reach: [] }
    const table = markdown([result, failed], ['roots', 'squares', 'cubes'])
    expect(table).toContain('absent (peer) | 🔴 skipped: not installed')
    expect(table).toContain('| ❌ | roots | small, 1,000 | theirs / ours |')
    expect(table).toContain('| 🔴 | roots | small, 1,000 | ours / absent | skipped: no peer |')
    expect(table).toContain('| ❌ | squares | small | failed: the arms disagree |')
    expect(table).toContain('| 🔴 | cubes | | not measured |')
  })
})

test('a percentile is the nearest rank', () => {
  expect([50, 95, 100].map((percent) => percentile([4, 1, 3, 2], percent))).toEqual([2, 4, 4])
})

test('random numbers are the same for the same seed', () => {
  const [a, b, c] = [seededRandom(7), seededRandom(7), seededRandom(8)].map((random) =>
    Array.from({ length: 5 }, () => random.integer(1, 1000)),
  )
  expect(a).toEqual(b)
  expect(a).not.toEqual(c)
})
