import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { query } from '../service.ts'
import { ask, confirm, doing, type Given, keyed, keyOf, numberFrom } from './command.ts'

interface Quote {
  property_count: number
  not_located_count: number
  cost: number
  balance: number
}

interface Order {
  report_ids: string[]
  credits_spent: number
  credits_remaining: number
}

const GIVEN =
  '$property_ids: [UUID!], $tag: String, $storm_day: Date, $swath_at_least_in: Float, $window_start: Date, $window_end: Date, $radius_miles: Float, $date_of_loss: Date'
const PASSED =
  'property_ids: $property_ids, tag: $tag, storm_day: $storm_day, swath_at_least_in: $swath_at_least_in, window_start: $window_start, window_end: $window_end, radius_miles: $radius_miles, date_of_loss: $date_of_loss'
const QUOTE = `query (${GIVEN}) { reportQuote(${PASSED}) { property_count not_located_count cost balance } }`
const ORDER = `mutation (${GIVEN}, $cost: Int!, $idempotency_key: String) {
  orderReports(${PASSED}, cost: $cost, idempotency_key: $idempotency_key) { report_ids credits_spent credits_remaining } }`

/** weather reports order. */
export function addOrder(reports: Command): void {
  keyed(
    ask(
      reports,
      'order',
      'order reports on many properties, at a price shown first',
      'reports order --tag north --date-of-loss 2025-05-20',
    ),
  )
    .argument('[properties...]', 'ids of properties')
    .option('--tag <tag>', 'every property with this tag')
    .option('--storm-day <date>', 'every property with an exposure on this day that is not dismissed; the day is also the date of loss')
    .option(
      '--swath <inches>',
      'with --storm-day: instead every property where radar estimated hail of at least this size on that day',
      numberFrom,
    )
    .option('--start <date>', 'first day (default: the first that the plan reaches, or 30 days before the storm day)')
    .option('--end <date>', 'last day (default: today, or 30 days after the storm day)')
    .option('--radius <miles>', 'radius around each (default: its watch radius)', numberFrom)
    .option('--date-of-loss <date>', 'date of loss, in the local time of the place')
    .option('--price', 'show the price without ordering')
    .action(doing(orderReports))
}

/** Shows the price, asks, and orders. @throws Failure without a selection of properties, or if the answer is no */
async function orderReports({ setting, options, arguments: ids }: Given): Promise<void> {
  const asked = {
    property_ids: ids.length > 0 ? ids : null,
    tag: options.tag,
    storm_day: options.stormDay,
    swath_at_least_in: options.swath,
    window_start: options.start,
    window_end: options.end,
    radius_miles: options.radius,
    date_of_loss: options.dateOfLoss,
  }
  if (ids.length === 0 && !asked.tag && !asked.storm_day) throw failure(exits.usage, 'Select properties: ids, --tag or --storm-day.')
  const quote = await query<Quote>(setting.connection, QUOTE, asked)
  if (quote.not_located_count > 0) printLine(`Left out because they are not located yet: ${quote.not_located_count}.`)
  if (options.price) return print({ data: quote }, setting, [{ ...quote }])
  if (quote.cost === 0) throw failure(exits.validation, 'None of these properties is located yet.')
  await confirm(setting, `Order ${quote.cost} reports for ${quote.cost} of ${quote.balance} credits?`)
  const order = await query<Order>(setting.connection, ORDER, { ...asked, cost: quote.cost, idempotency_key: keyOf(options) })
  print(
    { data: order },
    setting,
    order.report_ids.map((report) => ({ report })),
  )
}
