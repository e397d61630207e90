/** The faults that an attack found, and its statistics. */
export interface AttackStats {
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

export function emptyStats(): AttackStats {
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

export function addFinding(stats: AttackStats, operation: string, objection: string, first: string): void {
  // Requests differ from case to case: one row for each kind of fault.
  const key = `${operation}: ${objection.slice(0, 160)}`
  const found = stats.findings.get(key) ?? { times: 0, first }
  found.times += 1
  stats.findings.set(key, found)
}

export function noteAnswer(stats: AttackStats, operation: string, status: number, ms: number): void {
  stats.cases += 1
  stats.statuses.set(status, (stats.statuses.get(status) ?? 0) + 1)
  if (ms <= stats.slowest_ms) return
  stats.slowest_ms = ms
  stats.slowest = operation
}

export function noteFit(stats: AttackStats, operation: string, succeeded: boolean): void {
  stats.fit += 1
  if (!succeeded) return
  stats.fit_successes += 1
  stats.reached.add(operation)
}

/** One line: cases, the share of valid ones that succeeded, operations reached, statuses, the slowest. */
export function summaryOf(name: string, stats: AttackStats, operations: readonly string[]): string {
  const share = ((100 * stats.fit_successes) / Math.max(stats.fit, 1)).toFixed(0)
  const statuses = [...stats.statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
  return [
    `${name}: ${stats.cases} cases`,
    `${share} % of ${stats.fit} fit ones succeeded`,
    `${stats.reached.size} of ${operations.length} operations reached`,
    statuses.join(', '),
    `slowest ${Math.round(stats.slowest_ms)} ms (${stats.slowest})`,
  ].join('; ')
}
