import { styleText } from 'node:util'
import { counted } from '../counted.ts'
import type { Schemas } from '../service.ts'
import type { Connection } from '../settings.ts'
import type { Layout } from './listing.ts'
import { reports } from './reports.ts'
import { lookOf } from './terminal.ts'
import { cardOf, displayable, type Line, type Tone } from './text.ts'

/** Widest readable line, in columns. */
const WIDTH_MAX = 100
/** Width of a terminal that does not report one. */
const DEFAULT_WIDTH = 80

/** Prints the details that the screens show, in the width of this terminal. */
export function printCards(layout: Layout): void {
  const look = lookOf(process.env)
  const width = Math.min(process.stdout.columns || DEFAULT_WIDTH, WIDTH_MAX)
  const lines = layout(width, look).map(({ text, tone }) => toned(displayable(text, look), look.colour ? tone : undefined))
  process.stdout.write(`${lines.join('\n')}\n`)
}

const STYLES: Record<Tone, Parameters<typeof styleText>[0]> = { title: 'bold', quiet: 'dim', alarm: ['bold', 'red'] }

const toned = (text: string, tone: Line['tone']) => (tone ? styleText(STYLES[tone], text) : text)

/** A report as its screen shows it, with one card per finding. */
export const reportCards = (connection: Connection, id: string): Promise<Layout> => reports.open(connection, { id })

type Account = Schemas['Account']
/** The credits of an account have only these fields, without lapsed credits. */
type Balance = Schemas['CreditSummary'] & Pick<Schemas['Credits'], 'lapsed_this_period'>

/** The balance, and the use of the period's credits. */
export const creditCards =
  ({ balance, monthly_allowance, used_this_period, lapsed_this_period, renews_at }: Balance): Layout =>
  (width, look) => {
    const lines = [
      `${used_this_period} used of ${monthly_allowance} a month`,
      lapsed_this_period > 0 && `${lapsed_this_period} lapsed in this period`,
      `renews on ${renews_at.slice(0, 10)}`,
    ]
    return cardOf(
      'Credits',
      `${balance} left`,
      lines.filter((line) => line !== false),
      width,
      look,
    )
  }

/** One card each for team, reports, credits and token. */
export const accountCards =
  ({ team, limits, credits, token }: Account, url: string): Layout =>
  (width, look) => [
    ...cardOf(team.name, team.plan_label, [teamLine(team), url], width, look),
    ...cardOf('Reports', `${limits.reports_remaining} left`, limitLines(limits), width, look),
    ...creditCards({ lapsed_this_period: 0, ...credits })(width, look),
    ...cardOf(token.name, token.prefix, [token.abilities.join(', '), expiryLine(token)], width, look),
  ]

function teamLine({ on_trial, lapsed }: Account['team']): string {
  if (lapsed) return 'the plan has lapsed'
  return on_trial ? 'on trial' : 'the plan is active'
}

const limitLines = ({ reports_used, monthly_reports, lookback_years, max_radius_miles, pdf_export }: Account['limits']) => [
  `${reports_used} used of ${monthly_reports} a month`,
  `up to ${counted(lookback_years, 'year')} back and ${max_radius_miles} mi around, ${pdf_export ? 'with' : 'without'} PDF`,
]

const expiryLine = ({ expires_at }: Account['token']) => (expires_at ? `expires on ${expires_at.slice(0, 10)}` : 'does not expire')
