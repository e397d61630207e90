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
  size: string
}

/** The committed form: a Markdown section a claim. A peer that was missing stands in red, as one that was not measured. */
export function markdown(setting: Setting, results: readonly BenchResult[]): string {
  const head = `# Measured claims\n\nNode ${setting.node}, ${setting.server}, ${setting.cores} x ${setting.cpu}, ${setting.memory_gb} GB; ${setting.at}; size ${setting.size}.\nMedian of the rounds' medians for one operation, with the range of the rounds; CPU is for one operation.\n`
  return [head, ...results.map(section)].join('\n')
}

function section(result: BenchResult): string {
  const rows = result.sizes.flatMap(({ size, arms }) => arms.map((arm) => armRow(size, arm, result)))
  return [
    `## ${result.name}`,
    '',
    result.claim,
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

export function reachLine(reach: ReachResult): string {
  return `${MARK[reach.outcome]} ${reach.what}: ${reach.found === null ? 'skipped, its peer is not here' : figure(reach.found)} (at most ${reach.bound})`
}

/** Three significant digits. */
export function figure(value: number | null): string {
  if (value === null || Number.isNaN(value)) return ''
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()
}

const RED = '\u001b[31m'
const PLAIN = '\u001b[0m'

/** The same for a terminal, as it comes in; colour only where there is one. */
export function printResult(result: BenchResult, colour: boolean): string {
  const red = (text: string) => (colour ? `${RED}${text}${PLAIN}` : text)
  const lines = [`\n${result.name}: ${result.claim}`]
  for (const { size, arms } of result.sizes) {
    lines.push(`  size ${size.toLocaleString('en')}`)
    for (const arm of arms) lines.push(`    ${armLine(arm, result.unit, red)}`)
  }
  for (const [name, exponent] of Object.entries(result.growth)) lines.push(`  grows as size^${exponent.toFixed(2)}  ${name}`)
  for (const reach of result.reach)
    lines.push(`  ${reach.outcome === 'missed' || reach.outcome === 'skipped' ? red(reachLine(reach)) : reachLine(reach)}`)
  return lines.join('\n')
}

function armLine(arm: ArmResult, unit: string, red: (text: string) => string): string {
  const name = `${nameOf(arm)}${arm.peer ? ' (peer)' : ''}`.padEnd(48)
  if (arm.skipped) return red(`${name} skipped: ${arm.skipped}`)
  const cpu = [`${figure(arm.cpu_ms)} ms`, arm.server_cpu_ms === null ? null : `server ${figure(arm.server_cpu_ms)} ms`]
    .filter(Boolean)
    .join(', ')
  return `${name} ${figure(arm.median)} ${unit} [${arm.range?.map(figure).join(' to ')}], p95 ${figure(arm.p95)}, CPU ${cpu}, load ${arm.load?.toFixed(1)}, n ${arm.operations}`
}
