import os from 'node:os'
import { type ArmResult, type BenchResult, type ReachResult, reachResult } from '../frame.ts'
import { SIMULATED } from '../results.ts'
import type { Spread, Step } from './measure.ts'
import type { ObservationStep } from './observations.ts'
import type { StormStep, WorkedDays } from './teams.ts'

/** The size that a national archive of storm reports has today. */
const TIMES_OF_FIRST = 2
const FOUND_P95_MS = 10
/** A fifth slower than into an empty archive. */
const IMPORT_TIMES = 1 / 0.8
/** The claims of tile.bench.ts and exposure-detection.bench.ts at their full sizes. */
const TILE_OF_PEER = 1 / 5
const DETECTION_OF_PEER = 0.1
/** No user waits for it. */
const AT_ONCE_MS = 1000

/**
 * Returns a simulation as results are stored: each size of the archive with its measurements. The claim is judged
 * at the largest size, compared with the first.
 * @param empty_rows_a_second the speed of an import into an empty archive in the same run
 */
export function simulatedResult(empty_rows_a_second: number, steps: readonly Step[], storms: readonly StormStep[]): BenchResult {
  const [first, last] = [steps[0], steps.at(-1)]
  return {
    name: SIMULATED.records,
    claim: 'An archive of a hundred million records is searched, imported into and drawn as one of two million is',
    unit: 'ms',
    run: 'huge',
    sizes: steps.map((step) => ({ size: step.records, arms: [...armsOf(step), ...stormArms(step, storms)], explain: {} })),
    growth: {},
    reach: first && last ? reachOf(empty_rows_a_second, first, last, storms) : [],
  }
}

/**
 * The same for hours that stations reported.
 * @param empty_rows_a_second the speed of an import of reports with none stored
 */
export function observationsResult(empty_rows_a_second: number, steps: readonly ObservationStep[]): BenchResult {
  const [first, last] = [steps[0], steps.at(-1)]
  return {
    name: SIMULATED.observations,
    claim: 'A hundred million hours of stations are counted for a report, added to and dropped by the year as two million are',
    unit: 'ms',
    run: 'huge',
    sizes: steps.map((step) => ({ size: step.observations, arms: observationArms(step), explain: {} })),
    growth: {},
    reach:
      first && last
        ? [
            reachResult('25 mi / 5 y, counted, the largest / the first', last.counted_25_5[0] / first.counted_25_5[0], TIMES_OF_FIRST),
            reachResult('25 mi / 5 y, counted, p95 in ms', last.counted_25_5[1], FOUND_P95_MS),
            reachResult(
              'a report imported into the largest / where none are held',
              empty_rows_a_second / last.import_rows_a_second,
              IMPORT_TIMES,
            ),
            reachResult(
              'a held hour said anew, in the largest / the first',
              first.restated_rows_a_second / last.restated_rows_a_second,
              TIMES_OF_FIRST,
            ),
            reachResult(`a year of ${last.dropped.toLocaleString('en')} dropped, in ms`, last.dropped_ms, AT_ONCE_MS),
          ]
        : [],
  }
}

function observationArms(step: ObservationStep): ArmResult[] {
  return [
    arm('counted', `25 mi / 5 y, ${step.of_25_5[0].toLocaleString('en')} hours`, step.counted_25_5),
    arm('a thousand reports imported', null, [(1000 / step.import_rows_a_second) * 1000, null]),
    arm('a thousand held hours said anew', null, [(1000 / step.restated_rows_a_second) * 1000, null]),
    arm('the stations that are asked next', null, [step.around_watched_ms, null]),
    arm('dropped', `a year of ${step.dropped.toLocaleString('en')}`, [step.dropped_ms, null]),
  ]
}

function armsOf(step: Step): ArmResult[] {
  const import_ms = (1000 / step.import_rows_a_second) * 1000
  return [
    arm('found', `25 mi / 5 y, ${step.of_25_5[0]} records`, step.found_25_5),
    arm('found and read', '25 mi / 5 y', step.search_25_5),
    arm('found', '100 mi / 10 y', step.found_100_10),
    arm('a thousand rows imported', null, [import_ms, null]),
    arm('lists of the busiest tiles of zoom 8 made anew', null, [step.lists_ms, null]),
    arm('drawn', TILE_8, step.tile_8),
    peer('ST_AsMVT', TILE_8, step.tile_8_by_postgis),
    arm('drawn', TILE_10, step.tile_10),
    peer('ST_AsMVT', TILE_10, step.tile_10_by_postgis),
  ]
}

const TILE_8 = 'a busy tile of zoom 8'
const TILE_10 = 'a busy tile of zoom 10'

function stormArms({ records }: Step, storms: readonly StormStep[]): ArmResult[] {
  return storms
    .filter((storm) => storm.records === records)
    .flatMap(({ properties, joined, joined_by_postgis, joined_a_thousand, worked }) => {
      const of = `a storm day, ${properties.toLocaleString('en')} watched properties`
      return [
        arm('properties reached', of, joined),
        peer('properties reached, by PostGIS', of, joined_by_postgis),
        arm('a property reached a thousand times', of, [joined_a_thousand, null]),
        ...(worked ? [workedArm(of, worked)] : []),
      ]
    })
}

function workedArm(of: string, { seconds: [median, slowest] }: WorkedDays): ArmResult {
  return { ...arm('worked through', of, [median * 1000, null]), range: [median * 1000, slowest * 1000] }
}

function reachOf(empty_rows_a_second: number, first: Step, last: Step, storms: readonly StormStep[]): ReachResult[] {
  return [
    reachResult('25 mi / 5 y, found, the largest / the first', last.found_25_5[0] / first.found_25_5[0], TIMES_OF_FIRST),
    reachResult('25 mi / 5 y, found, p95 in ms', last.found_25_5[1], FOUND_P95_MS),
    reachResult('a row imported into the largest / into an empty archive', empty_rows_a_second / last.import_rows_a_second, IMPORT_TIMES),
    ...detectionReach(storms, first, last),
    reachResult('a tile of zoom 8, the largest / the first', last.tile_8[0] / first.tile_8[0], TIMES_OF_FIRST),
    compareWithPeer('a tile of zoom 8, drawn / by ST_AsMVT', last.tile_8, last.tile_8_by_postgis, TILE_OF_PEER),
  ]
}

/** Detection should grow with the area that a storm touches, not with the archive. */
function detectionReach(storms: readonly StormStep[], first: Step, last: Step): ReachResult[] {
  const of = ({ records }: Step) => storms.findLast((storm) => storm.records === records)
  const [small, large] = [of(first), of(last)]
  if (!small || !large || small === large) return []
  const times = large.joined_a_thousand / small.joined_a_thousand
  return [
    reachResult('a watched property reached by a record, in the largest / the first', times, TIMES_OF_FIRST),
    compareWithPeer('properties reached by a storm day / by PostGIS', large.joined, large.joined_by_postgis, DETECTION_OF_PEER),
  ]
}

const compareWithPeer = (what: string, [median]: Spread, peerSpread: Spread | null, bound: number): ReachResult =>
  peerSpread ? reachResult(what, median / peerSpread[0], bound) : { what, bound, found: null, outcome: 'skipped' }

const peer = (name: string, of: string, spread: Spread | null): ArmResult => ({
  ...arm(name, of, spread ?? [null, null]),
  peer: true,
  skipped: spread ? null : 'no PostGIS',
})

function arm(name: string, of: string | null, [median, p95]: readonly [number | null, number | null]): ArmResult {
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
