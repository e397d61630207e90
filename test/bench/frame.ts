import os from 'node:os'
import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import { type Random, seededRandom } from './random.ts'
import type { Server } from './server.ts'

/**
 * The export of a file test/bench/<claim>.bench.ts. `setup` makes the data of one size, `arms` are the ways that
 * are compared, and `check` throws if their results differ: nothing is timed before it has passed.
 */
export interface Bench<Stage = unknown> {
  /** The sentence that the figures should support. */
  claim: string
  /** Rows, or whatever the claim counts: two sizes, a factor of ten apart. Reaches are judged at the larger size. */
  sizes: Record<Size, readonly [number, number]>
  reach: readonly Reach[]
  /** The unit of one operation; milliseconds by default. */
  unit?: string
  setup(bed: Bed): Promise<Stage>
  arms: readonly Arm<Stage>[]
  check(stage: Stage): Promise<void>
  /** Query plans to store with the result, by the name of what they explain. It throws if a plan uses another index than intended. */
  explain?(stage: Stage): Promise<Record<string, string>>
}

export type Size = 'small' | 'full'

export interface Arm<Stage = unknown> {
  name: string
  /** Arms of one case return the same result: '25 mi / 5 y'. */
  case?: string
  /** The other way of doing it, with which ours is compared. */
  peer?: boolean
  /** Why this arm cannot run here; null if it can. A missing peer is shown as skipped, never as passed. */
  missing?(stage: Stage): string | null
  /** Operations a round, if time should not decide: 1 for an operation that cannot be repeated at once. */
  operations?: number
  /** One operation. Turn 0, 1, 2 ... is the same question in every arm. */
  run(stage: Stage, turn: number): Promise<Measured | undefined> | Promise<void> | Measured | undefined
}

/** An arm's own measurement. The clock around `run` measures what is absent here. */
export interface Measured {
  /** The number of operations in this one call, if it ran many at once. */
  operations?: number
  /** In the bench's unit, for each operation: a latency measured inside, bytes, or several of them. */
  value?: number | number[]
}

/**
 * A bound on the ratio arm / peer (p50 of both, in the same run), on the arm alone, or on the arm's excess over
 * another arm. The latter two are printed and fail nothing.
 */
export type Reach = { case?: string; arm: string; note?: string } & (
  | { peer: string; ratio_at_most: number | Record<Size, number> }
  | { at_most: number; percentile: 50 | 95; beyond?: string }
)

/** The input of `setup`. It registers closing functions with `closing`; they run in reverse order. */
export interface Bed {
  size: number
  /** Which pair of sizes this run uses; `size` is one of the two. */
  run: Size
  random: Random
  /** A new database with the service's migrations applied, on the server that all arms share. */
  database(): Promise<{ url: string; pool: pg.Pool }>
  /** True if the server has PostGIS, which peers need. */
  postgis: boolean
  /** A folder that is removed at the end of the run. */
  folder: string
  closing(close: () => unknown): void
}

export interface ArmResult {
  arm: string
  case: string | null
  peer: boolean
  skipped: string | null
  /** For each operation, in the bench's unit: the median of the rounds' medians, their range, and the 95th percentile of all operations. */
  median: number | null
  range: [number, number] | null
  p95: number | null
  operations: number
  /** CPU milliseconds for each operation: of this process, and of the database server. */
  cpu_ms: number | null
  server_cpu_ms: number | null
  /** One-minute load average when the arm's last round ended. */
  load: number | null
}

export interface SizeResult {
  size: number
  arms: ArmResult[]
  explain: Record<string, string>
}

export interface ReachResult {
  what: string
  bound: number
  found: number | null
  outcome: 'reached' | 'missed' | 'skipped' | 'noted'
}

export interface BenchResult {
  name: string
  claim: string
  unit: string
  /** `huge` is a result of `npm run simulate`. */
  run: Size | 'huge'
  /** Why nothing was measured: arms that disagree, or an error in the bench. Absent if all went well. */
  fault?: string
  sizes: SizeResult[]
  /** By 'case arm': the exponent of the cost's growth between the two sizes; 0 is no growth, 1 is proportional. */
  growth: Record<string, number>
  reach: ReachResult[]
}

/** Many short rounds: other load on the machine for a second affects every arm in a few rounds, and the median ignores them. */
const ROUNDS = 15
/** For arms whose operation is long, or cannot be repeated at once: a file of a million rows takes a quarter of a minute. */
const LONG_ROUNDS = { small: 5, full: 3 } as const
/** Time that the slowest arm of a case may take in a round; the others repeat as often as it does. */
const ROUND_MS = { small: 130, full: 650 } as const
/** Each arm runs for this long before it counts: the first hundreds of calls of a fast one are compiled while they run. */
const WARM_MS = { small: 300, full: 1000 } as const
/** Enough for a 95th percentile; more operations of a fast arm only take time. */
const OPERATIONS_MAX = 150
const WARM_TURNS = 3

/** Measures one bench at both of its sizes. */
export async function measure(name: string, bench: Bench, run: Size, server: Server): Promise<BenchResult> {
  const sizes: SizeResult[] = []
  for (const size of bench.sizes[run]) sizes.push(await measureSize(bench, size, run, server))
  return {
    name,
    claim: bench.claim,
    unit: bench.unit ?? 'ms',
    run,
    sizes,
    growth: growthOf(sizes),
    reach: bench.reach.map((reach) => evaluateReach(reach, sizes.at(-1) as SizeResult, run, bench.unit ?? 'ms')),
  }
}

async function measureSize(bench: Bench, size: number, run: Size, server: Server): Promise<SizeResult> {
  const closing: (() => unknown)[] = []
  const bed: Bed = {
    size,
    run,
    random: seededRandom(),
    postgis: server.postgis,
    folder: await server.folder(),
    closing: (close) => closing.unshift(close),
    async database() {
      const made = await server.database()
      bed.closing(made.drop)
      return made
    },
  }
  try {
    const stage = await bench.setup(bed)
    await bench.check(stage)
    const explain = (await bench.explain?.(stage)) ?? {}
    const arms: ArmResult[] = []
    for (const of of new Set(bench.arms.map((arm) => arm.case ?? null))) {
      arms.push(
        ...(await measureCase(
          bench.arms.filter((arm) => (arm.case ?? null) === of),
          stage,
          run,
          server,
        )),
      )
    }
    return { size, arms, explain }
  } finally {
    for (const close of closing) await close()
  }
}

/** Runs the arms of a case in turn, round by round, so that other load on the machine affects all of them. */
async function measureCase(arms: readonly Arm[], stage: unknown, run: Size, server: Server): Promise<ArmResult[]> {
  const live = arms.filter((arm) => !arm.missing?.(stage))
  const operations = await operationsFor(live, stage, run)
  const rounds = new Map<Arm, Round[]>(live.map((arm) => [arm, []]))
  const count = live.some((arm) => arm.operations !== undefined) ? LONG_ROUNDS[run] : ROUNDS
  for (let round = 0; round < count; round++) {
    for (const place of live.keys()) {
      const arm = live[(place + round) % live.length] as Arm
      rounds.get(arm)?.push(await measureRound(arm, stage, round * operations, arm.operations ?? operations, server))
    }
  }
  return arms.map((arm) => resultOf(arm, rounds.get(arm) ?? [], arm.missing?.(stage) ?? null))
}

/** Warms up every arm, and returns how many operations fit into a round of the slowest. */
async function operationsFor(arms: readonly Arm[], stage: unknown, run: Size): Promise<number> {
  let slowest = 0
  for (const arm of arms.filter((arm) => arm.operations === undefined)) {
    const took: number[] = []
    const startedAt = performance.now()
    for (let turn = 0; turn < WARM_TURNS || performance.now() - startedAt < WARM_MS[run]; turn++) {
      const turnStartedAt = performance.now()
      await arm.run(stage, turn)
      took.push(performance.now() - turnStartedAt)
    }
    slowest = Math.max(slowest, percentile(took.slice(-WARM_TURNS), 50))
  }
  return Math.min(OPERATIONS_MAX, Math.max(1, Math.floor(ROUND_MS[run] / Math.max(slowest, 0.001))))
}

interface Round {
  values: number[]
  operations: number
  cpu_ms: number
  server_cpu_ms: number | null
  load: number
}

async function measureRound(arm: Arm, stage: unknown, first: number, turnCount: number, server: Server): Promise<Round> {
  const values: number[] = []
  let operations = 0
  const cpu = process.cpuUsage()
  const serverCpu = server.cpuMs()
  for (let turn = first; turn < first + turnCount; turn++) {
    const startedAt = performance.now()
    const measured = (await arm.run(stage, turn)) ?? {}
    const took = performance.now() - startedAt
    const operationCount = measured.operations ?? (Array.isArray(measured.value) ? measured.value.length : 1)
    operations += operationCount
    values.push(...[measured.value ?? took / operationCount].flat())
  }
  const { user, system } = process.cpuUsage(cpu)
  const serverCpuAfter = server.cpuMs()
  return {
    values,
    operations,
    cpu_ms: (user + system) / 1000,
    server_cpu_ms: serverCpu === null || serverCpuAfter === null ? null : serverCpuAfter - serverCpu,
    load: os.loadavg()[0] as number,
  }
}

function resultOf(arm: Arm, rounds: Round[], skipped: string | null): ArmResult {
  const medians = rounds.map((round) => percentile(round.values, 50))
  const operations = rounds.reduce((sum, round) => sum + round.operations, 0)
  const each = (key: 'cpu_ms' | 'server_cpu_ms') => rounds.reduce((sum, round) => sum + (round[key] ?? 0), 0) / operations
  const ran = rounds.length > 0
  return {
    arm: arm.name,
    case: arm.case ?? null,
    peer: arm.peer ?? false,
    skipped,
    median: ran ? percentile(medians, 50) : null,
    range: ran ? [Math.min(...medians), Math.max(...medians)] : null,
    p95: ran
      ? percentile(
          rounds.flatMap((round) => round.values),
          95,
        )
      : null,
    operations,
    cpu_ms: ran ? each('cpu_ms') : null,
    server_cpu_ms: ran && rounds[0]?.server_cpu_ms !== null ? each('server_cpu_ms') : null,
    load: rounds.at(-1)?.load ?? null,
  }
}

/** The value at or below which `percent` of the values are, by the nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN
}

/** Exponent e of cost = size ^ e between the two sizes. */
function growthOf([small, large]: SizeResult[]): Record<string, number> {
  if (!small || !large) return {}
  const steps = Math.log(large.size / small.size)
  const exponents = large.arms.flatMap((arm) => {
    const before = small.arms.find((other) => other.arm === arm.arm && other.case === arm.case)?.median
    return before && arm.median ? [[nameOf(arm), Math.log(arm.median / before) / steps] as const] : []
  })
  return Object.fromEntries(exponents)
}

export const nameOf = (arm: { arm: string; case?: string | null }) => [arm.case, arm.arm].filter(Boolean).join(', ')

/** Whether the measured value is within its bound. */
export const reachResult = (what: string, found: number, bound: number): ReachResult => ({
  what,
  bound,
  found,
  outcome: found <= bound ? 'reached' : 'missed',
})

function evaluateReach(reach: Reach, { arms }: SizeResult, run: Size, unit: string): ReachResult {
  const find = (name: string) => {
    const arm = arms.find((arm) => arm.arm === name && arm.case === (reach.case ?? null))
    if (!arm) throw new Error(`no arm is called "${nameOf({ arm: name, case: reach.case ?? null })}"`)
    return arm
  }
  const arm = find(reach.arm)
  if ('peer' in reach) {
    const peer = find(reach.peer)
    const bound = typeof reach.ratio_at_most === 'number' ? reach.ratio_at_most : reach.ratio_at_most[run]
    const what = `${nameOf(arm)} / ${reach.peer}`
    if (arm.median === null || peer.median === null) return { what, bound, found: null, outcome: 'skipped' }
    return reachResult(what, arm.median / peer.median, bound)
  }
  const measured = ({ median, p95 }: ArmResult) => (reach.percentile === 50 ? median : p95)
  const [of, less] = [measured(arm), reach.beyond === undefined ? 0 : measured(find(reach.beyond))]
  const found = of === null || less === null ? null : of - less
  const measure = `p${reach.percentile} in ${unit}${reach.beyond === undefined ? '' : ` beyond that of ${reach.beyond}`}`
  return {
    what: `${nameOf(arm)}, ${measure}${found !== null && found > reach.at_most ? ' (above)' : ''}`,
    bound: reach.at_most,
    found,
    outcome: 'noted',
  }
}
