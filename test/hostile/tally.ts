/** The faults that an attack found, and its statistics. */
export interface Tally {
  cases: number
  /** The cases that follow the description: their number, and how many succeeded. */
  fit: number
  fit_successes: number
  /** Operations that succeeded at least once. */
  reached: Set<string>
  /** Status -> responses. */
  statuses: Map<number, number>
  slowest_ms: number
  /** The operation with the slowest response. */
  slowest: string
  /** Credits that responses reported as charged. */
  charged: number
  /** Operation and fault -> how often, and the first time in full. */
  findings: Map<string, { times: number; first: string }>
}

export function emptyTally(): Tally {
  return {
    cases: 0,
    fit: 0,
    fit_successes: 0,
    reached: new Set(),
    statuses: new Map(),
    slowest_ms: 0,
    slowest: '',
    charged: 0,
    findings: new Map(),
  }
}

export function note(tally: Tally, operation: string, objection: string, first: string): void {
  // Requests differ from case to case: one row for each kind of fault.
  const key = `${operation}: ${objection.slice(0, 160)}`
  const found = tally.findings.get(key) ?? { times: 0, first }
  found.times += 1
  tally.findings.set(key, found)
}

export function noteAnswer(tally: Tally, operation: string, status: number, ms: number): void {
  tally.cases += 1
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
  if (ms <= tally.slowest_ms) return
  tally.slowest_ms = ms
  tally.slowest = operation
}

export function noteFit(tally: Tally, operation: string, succeeded: boolean): void {
  tally.fit += 1
  if (!succeeded) return
  tally.fit_successes += 1
  tally.reached.add(operation)
}

/** One line: cases, the share of valid ones that succeeded, operations reached, statuses, the slowest. */
export function summaryOf(name: string, tally: Tally, operations: readonly string[]): string {
  const share = ((100 * tally.fit_successes) / Math.max(tally.fit, 1)).toFixed(0)
  const statuses = [...tally.statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
  return [
    `${name}: ${tally.cases} cases`,
    `${share} % of ${tally.fit} fit ones succeeded`,
    `${tally.reached.size} of ${operations.length} operations reached`,
    statuses.join(', '),
    `slowest ${Math.round(tally.slowest_ms)} ms (${tally.slowest})`,
  ].join('; ')
}
