import type { ArmResult, BenchResult, ReachResult } from './frame.ts'
import { nameOf } from './frame.ts'

/** The machine and the moment: figures mean little without them. */
export interface Setting {
  at: string
  node: string
  server: string
  cpu: string
  cores: number
  memory_gb: number
}

export type Kept = BenchResult & { setting: Setting }

/**
 * The committed form: every reach in one table, then one section for each claim. Missed, skipped (without their
 * peer) and unmeasured claims are in red.
 * @param known names of the existing claims
 */
export function markdown(results: readonly Kept[], known: readonly string[]): string {
  const missing = known.filter((name) => !results.some((result) => result.name === name))
  return [
    '# Measured claims',
    '',
    'Written by `npm run bench -- --write`, and what is huge by `npm run simulate -- --write`. Each arm and its peer ran in turn in the same run, on data of the size named.',
    "A figure is the median of the rounds' medians for one operation; CPU is for one operation.",
    '',
    '| | claim | size | arm / peer | found | at most | measured |',
    '|---|---|---|---|---|---|---|',
    ...results.flatMap((result) => reachRows(result)),
    ...missing.map((name) => `| 🔴 | ${name} | | not measured | | | |`),
    '',
    ...results.map(section),
  ].join('\n')
}

function reachRows(result: Kept): string[] {
  const { name, run, setting, fault } = result
  const size = `${run}, ${result.sizes.at(-1)?.size.toLocaleString('en') ?? ''}`
  if (fault) return [`| ❌ | ${name} | ${run} | failed: ${fault} | | | ${setting.at} |`]
  return result.reach.map(
    ({ what, bound, found, outcome }) =>
      `| ${MARK[outcome]} | ${name} | ${size} | ${what} | ${found === null ? 'skipped: no peer' : figure(found)} | ${figure(bound)} | ${setting.at} |`,
  )
}

function section(result: Kept): string {
  const rows = result.sizes.flatMap(({ size, arms }) => arms.map((arm) => armRow(size, arm, result)))
  const { setting } = result
  return [
    `## ${result.name}, ${result.run}`,
    '',
    `${result.claim}.`,
    '',
    `${setting.at}: Node ${setting.node}, ${setting.server}, ${setting.cores} x ${setting.cpu}, ${setting.memory_gb} GB.`,
    '',
    `| size | arm | median ${result.unit} | range | p95 | CPU ms | server CPU ms | load | growth |`,
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...result.reach.map((reach) => `- ${reachLine(reach)}`),
    '',
  ].join('\n')
}

function armRow(size: number, arm: ArmResult, result: BenchResult): string {
  const name = `${nameOf(arm)}${arm.peer ? ' (peer)' : ''}`
  if (arm.skipped) return `| ${size.toLocaleString('en')} | ${name} | 🔴 skipped: ${arm.skipped} | | | | | | |`
  const growth = size === result.sizes.at(-1)?.size ? (result.growth[nameOf(arm)]?.toFixed(2) ?? '') : ''
  const cells = [
    figure(arm.median),
    arm.range?.map(figure).join(' to ') ?? '',
    figure(arm.p95),
    figure(arm.cpu_ms),
    figure(arm.server_cpu_ms),
    arm.load?.toFixed(1) ?? '',
    growth,
  ]
  return `| ${size.toLocaleString('en')} | ${name} | ${cells.join(' | ')} |`
}

const MARK = { reached: '✅', missed: '❌', skipped: '🔴', noted: 'ℹ️' } as const

function reachLine(reach: ReachResult): string {
  return `${MARK[reach.outcome]} ${reach.what}: ${reach.found === null ? 'skipped, its peer is not here' : figure(reach.found)} (at most ${figure(reach.bound)})`
}

/** Three significant digits. */
function figure(value: number | null): string {
  if (value === null || Number.isNaN(value)) return ''
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()
}

const RED = '\u001b[31m'
const PLAIN = '\u001b[0m'

/** The same for a terminal, as results arrive; in colour only if the terminal supports it. */
export function printResult(result: BenchResult, colour: boolean): string {
  const red = (text: string) => (colour ? `${RED}${text}${PLAIN}` : text)
  const lines = [`\n${result.name}: ${result.claim}`]
  if (result.fault) lines.push(red(`  ❌ failed: ${result.fault}`))
  for (const { size, arms } of result.sizes) {
    lines.push(`  size ${size.toLocaleString('en')}`)
    for (const arm of arms) lines.push(`    ${armLine(arm, result.unit, red)}`)
  }
  for (const [name, exponent] of Object.entries(result.growth)) lines.push(`  grows as size^${exponent.toFixed(2)}  ${name}`)
  for (const reach of result.reach)
    lines.push(`  ${reach.outcome === 'missed' || reach.outcome === 'skipped' ? red(reachLine(reach)) : reachLine(reach)}`)
  return lines.join('\n')
}

/** Every reach of a run again, for a terminal. */
export function printSummary(results: readonly Kept[]): string {
  const rows = results.flatMap((result) => reachRows(result).map((row) => row.slice(2, -2).split(' | ')))
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, place) => Math.max(cell.length, most[place] ?? 0)), [])
  return ['', ...rows.map((row) => row.map((cell, place) => cell.padEnd(widths[place] ?? 0)).join('  '))].join('\n')
}

function armLine(arm: ArmResult, unit: string, red: (text: string) => string): string {
  const name = `${nameOf(arm)}${arm.peer ? ' (peer)' : ''}`.padEnd(48)
  if (arm.skipped) return red(`${name} skipped: ${arm.skipped}`)
  const cpu = [`${figure(arm.cpu_ms)} ms`, arm.server_cpu_ms === null ? null : `server ${figure(arm.server_cpu_ms)} ms`]
    .filter(Boolean)
    .join(', ')
  return `${name} ${figure(arm.median)} ${unit} [${arm.range?.map(figure).join(' to ')}], p95 ${figure(arm.p95)}, CPU ${cpu}, load ${arm.load?.toFixed(1)}, n ${arm.operations}`
}
