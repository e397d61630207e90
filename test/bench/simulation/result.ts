import os from 'node:os'
import { type ArmResult, type BenchResult, judged, type ReachResult } from '../frame.ts'
import { SIMULATED } from '../results.ts'
import type { Step } from './measure.ts'
import type { StormStep } from './teams.ts'

/** Of the size that a national archive of storm reports has today. */
const TIMES_OF_FIRST = 2
const FOUND_P95_MS = 10
/** A fifth slower than into an empty archive. */
const IMPORT_TIMES = 1 / 0.8

/**
 * What was simulated, as results are kept: each size of the archive with what it took. What the claim promises is judged at the
 * largest, against the first.
 * @param empty_rows_a_second what an import into an empty archive did in the same run
 */
export function simulatedResult(empty_rows_a_second: number, steps: readonly Step[], storms: readonly StormStep[]): BenchResult {
  const [first, last] = [steps[0], steps.at(-1)]
  return {
    name: SIMULATED,
    claim: 'An archive of a hundred million records is searched, imported into and drawn as one of two million is',
    unit: 'ms',
    run: 'huge',
    sizes: steps.map((step) => ({ size: step.records, arms: [...armsOf(step), ...stormArms(step, storms)], explain: {} })),
    growth: {},
    reach: first && last ? reachOf(empty_rows_a_second, first, last, storms) : [],
  }
}

function armsOf(step: Step): ArmResult[] {
  const import_ms = (1000 / step.import_rows_a_second) * 1000
  return [
    arm('found', `25 mi / 5 y, ${step.of_25_5[0]} records`, step.found_25_5),
    arm('found and read', '25 mi / 5 y', step.search_25_5),
    arm('found', '100 mi / 10 y', step.found_100_10),
    arm('a thousand rows imported', null, [import_ms, null]),
    arm('lists of the busiest tiles of zoom 8 made anew', null, [step.lists_ms, null]),
    arm('a tile of zoom 8', null, step.tile_8),
    arm('a tile of zoom 10', null, step.tile_10),
  ]
}

function stormArms({ records }: Step, storms: readonly StormStep[]): ArmResult[] {
  return storms
    .filter((storm) => storm.records === records)
    .flatMap(({ properties, joined, joined_a_thousand, seconds: [median, slowest] }) => {
      const of = `a storm day, ${properties.toLocaleString('en')} watched properties`
      const worked = arm('worked through', of, [median * 1000, null])
      return [
        arm('properties reached', of, joined),
        arm('a property reached a thousand times', of, [joined_a_thousand, null]),
        { ...worked, range: [median * 1000, slowest * 1000] },
      ]
    })
}

function reachOf(empty_rows_a_second: number, first: Step, last: Step, storms: readonly StormStep[]): ReachResult[] {
  return [
    judged('25 mi / 5 y, found, the largest / the first', last.found_25_5[0] / first.found_25_5[0], TIMES_OF_FIRST),
    judged('25 mi / 5 y, found, p95 in ms', last.found_25_5[1], FOUND_P95_MS),
    judged('a row imported into the largest / into an empty archive', empty_rows_a_second / last.import_rows_a_second, IMPORT_TIMES),
    ...detectionReach(storms, first, last),
    judged('a tile of zoom 8, the largest / the first', last.tile_8[0] / first.tile_8[0], TIMES_OF_FIRST),
  ]
}

/** Detection is to grow with what a storm touches, not with the archive. */
function detectionReach(storms: readonly StormStep[], first: Step, last: Step): ReachResult[] {
  const of = ({ records }: Step) => storms.findLast((storm) => storm.records === records)
  const [small, large] = [of(first), of(last)]
  if (!small || !large || small === large) return []
  return [
    judged(
      'a watched property reached by a record, in the largest / the first',
      large.joined_a_thousand / small.joined_a_thousand,
      TIMES_OF_FIRST,
    ),
  ]
}

function arm(name: string, of: string | null, [median, p95]: readonly [number, number | null]): ArmResult {
  return {
    arm: name,
    case: of,
    peer: false,
    skipped: null,
    median,
    range: null,
    p95,
    operations: 0,
    cpu_ms: null,
    server_cpu_ms: null,
    load: os.loadavg()[0] ?? null,
  }
}
