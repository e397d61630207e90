import type { Command } from 'commander'
import { counted } from '../counted.ts'
import { exits, failure } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { query } from '../service.ts'
import { addCommand, confirm, type Invocation, idempotencyKeyOf, numberFrom, withIdempotencyKey, wrapAction } from './command.ts'

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

const PARAMETERS =
  '$property_ids: [UUID!], $tag: String, $storm_day: Date, $swath_at_least_in: Float, $window_start: Date, $window_end: Date, $radius_miles: Float, $date_of_loss: Date'
const ARGUMENTS =
  'property_ids: $property_ids, tag: $tag, storm_day: $storm_day, swath_at_least_in: $swath_at_least_in, window_start: $window_start, window_end: $window_end, radius_miles: $radius_miles, date_of_loss: $date_of_loss'
const QUOTE = `query (${PARAMETERS}) { reportQuote(${ARGUMENTS}) { property_count not_located_count cost balance } }`
const ORDER = `mutation (${PARAMETERS}, $cost: Int!, $idempotency_key: String) {
  orderReports(${ARGUMENTS}, cost: $cost, idempotency_key: $idempotency_key) { report_ids credits_spent credits_remaining } }`

/** weather reports order. */
export function addOrder(reports: Command): void {
  withIdempotencyKey(
    addCommand(
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
    .action(wrapAction(orderReports))
}

/** Shows the price, asks, and orders. @throws Failure without a selection of properties, or if the answer is no */
async function orderReports({ setting, options, arguments: ids }: Invocation): Promise<void> {
  const variables = {
    property_ids: ids.length > 0 ? ids : null,
    tag: options.tag,
    storm_day: options.stormDay,
    swath_at_least_in: options.swath,
    window_start: options.start,
    window_end: options.end,
    radius_miles: options.radius,
    date_of_loss: options.dateOfLoss,
  }
  if (ids.length === 0 && !variables.tag && !variables.storm_day)
    throw failure(exits.usage, 'Select properties: ids, --tag or --storm-day.')
  const quote = await query<Quote>(setting.connection, QUOTE, variables)
  if (quote.not_located_count > 0) printLine(`Left out because they are not located yet: ${quote.not_located_count}.`)
  if (options.price) return print({ data: quote }, setting, [{ ...quote }])
  if (quote.cost === 0) throw failure(exits.validation, 'None of these properties is located yet.')
  await confirm(setting, `Order ${counted(quote.cost, 'report')} for ${quote.cost} of ${counted(quote.balance, 'credit')}?`)
  const order = await query<Order>(setting.connection, ORDER, {
    ...variables,
    cost: quote.cost,
    idempotency_key: idempotencyKeyOf(options),
  })
  print(
    { data: order },
    setting,
    order.report_ids.map((report) => ({ report })),
  )
}
