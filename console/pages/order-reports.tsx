import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { VariablesOf } from 'gql.tada'
import { ask, graphql } from '../api/graphql.ts'
import { isUnavailable } from '../api/session.ts'
import { Field } from '../parts/field.tsx'
import { type Faults, FormDialog } from '../parts/form-dialog.tsx'
import { textOf } from '../parts/form-text.ts'
import { days } from '../parts/format.ts'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { useLapsedRefusal } from '../parts/lapsed-plan.tsx'
import { READ_ONLY } from '../parts/orphaned-errors.ts'
import { useNotify } from '../parts/toasts.tsx'

const QUOTE = graphql(`
  query ReportQuote($ids: [UUID!], $storm: Date, $swath: Float, $start: Date, $end: Date, $radius: Float, $loss: Date) {
    reportQuote(property_ids: $ids, storm_day: $storm, swath_at_least_in: $swath, window_start: $start, window_end: $end, radius_miles: $radius, date_of_loss: $loss) {
      property_count not_located_count window_start window_end radius_miles date_of_loss cost balance
    }
  }
`)
const ORDER = graphql(`
  mutation OrderReports($ids: [UUID!], $storm: Date, $swath: Float, $start: Date, $end: Date, $radius: Float, $loss: Date, $cost: Int!, $key: String) {
    orderReports(property_ids: $ids, storm_day: $storm, swath_at_least_in: $swath, window_start: $start, window_end: $end, radius_miles: $radius, date_of_loss: $loss, cost: $cost, idempotency_key: $key) {
      report_ids
    }
  }
`)

interface Props {
  /** The properties, or a storm day: its exposed properties, or those under at least so many inches of radar-estimated hail. */
  selection: { ids: readonly string[] } | { storm: string; at_least_in?: number }
  close: () => void
}

/** Orders a report for each of many properties. The price is shown before it is charged. */
export function OrderReports({ selection, close }: Props) {
  const notify = useNotify()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const keyOf = useIdempotencyKey()
  const variablesOf = (form: FormData): VariablesOf<typeof QUOTE> => ({
    ids: 'ids' in selection ? [...selection.ids] : null,
    storm: 'storm' in selection ? selection.storm : null,
    swath: 'storm' in selection ? (selection.at_least_in ?? null) : null,
    start: textOf(form, 'window_start'),
    end: textOf(form, 'window_end'),
    radius: textOf(form, 'radius_miles') === null ? null : Number(textOf(form, 'radius_miles')),
    loss: textOf(form, 'date_of_loss'),
  })
  const fetchQuote = useMutation({ mutationFn: (form: FormData) => ask(QUOTE, variablesOf(form)), meta: READ_ONLY })
  const quote = fetchQuote.data?.reportQuote
  const order = useMutation({
    mutationFn: (form: FormData) => {
      const input = { ...variablesOf(form), cost: quote?.cost ?? 0 }
      return ask(ORDER, { ...input, key: keyOf(input) })
    },
    onSuccess: ({ orderReports }) => {
      queries.invalidateQueries({ queryKey: ['reports'] })
      notify(`${reportsOf(orderReports?.report_ids.length ?? 0)} ordered.`)
    },
    // The price may be another one by now. An order without a response is sent again at the same price, so that it is not done twice.
    onError: (fault) => isUnavailable(fault) || fetchQuote.reset(),
  })
  const affordable = quote && quote.cost > 0 && quote.cost <= quote.balance
  const showPrice = (form: FormData) => {
    order.reset()
    fetchQuote.mutate(form)
  }
  const send = {
    mutate: (form: FormData) => (affordable ? order.mutate(form, { onSuccess: () => navigate({ to: '/reports' }) }) : showPrice(form)),
    error: order.error ?? fetchQuote.error,
    isPending: order.isPending || fetchQuote.isPending,
  }
  const reset = () => {
    fetchQuote.reset()
    order.reset()
  }
  return (
    <FormDialog
      title="Order reports"
      open
      close={close}
      label={affordable ? `Order ${reportsOf(quote.cost)} for ${creditsOf(quote.cost)}` : 'Show the price'}
      mutation={send}
      refusal={useLapsedRefusal()}
    >
      {(faults) => (
        // A change of the fields changes the price.
        <div className="form" onChange={reset}>
          <OrderFields selection={selection} faults={faults} />
          <div role="status">{quote && <QuoteNotice {...quote} />}</div>
        </div>
      )}
    </FormDialog>
  )
}

type OrderFieldsProps = Pick<Props, 'selection'> & { faults: Faults }

function OrderFields({ selection, faults }: OrderFieldsProps) {
  const storm = 'storm' in selection ? selection.storm : null
  return (
    <>
      <div className="pair">
        <Field
          label="From"
          faults={faults.window_start}
          hint={storm ? 'Default: 30 days before the storm' : 'Default: as far back as your plan allows'}
        >
          {(controlProps) => <input {...controlProps} name="window_start" type="date" />}
        </Field>
        <Field label="To" faults={faults.window_end} hint={storm ? 'Default: 30 days after the storm' : 'Default: today'}>
          {(controlProps) => <input {...controlProps} name="window_end" type="date" />}
        </Field>
      </div>
      <Field label="Date of loss" faults={faults.date_of_loss}>
        {(controlProps) => <input {...controlProps} name="date_of_loss" type="date" defaultValue={storm ?? ''} />}
      </Field>
      <Field label="Radius in miles" faults={faults.radius_miles} hint="Default: the watch radius of each property">
        {(controlProps) => <input {...controlProps} name="radius_miles" type="number" min="1" max="100" step="0.01" />}
      </Field>
    </>
  )
}

interface Quote {
  property_count: number
  not_located_count: number
  window_start: string | null
  window_end: string | null
  cost: number
  balance: number
}

function QuoteNotice({ property_count, not_located_count, window_start, window_end, cost, balance }: Quote) {
  return (
    <div className={cost > balance ? 'notice bad' : 'notice'}>
      {reportsOf(property_count)}
      {window_start && window_end && `, ${days(window_start, window_end)}`}: {creditsOf(cost)} of {creditsOf(balance)}.
      {not_located_count > 0 &&
        ` ${not_located_count.toLocaleString('en-US')} ${not_located_count === 1 ? 'property is' : 'properties are'} skipped: not located.`}
      {cost > balance && ' You do not have enough credits.'}
    </div>
  )
}

const reportsOf = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'report' : 'reports'}`
const creditsOf = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`
