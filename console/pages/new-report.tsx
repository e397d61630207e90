import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { type FormEvent, useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { faultsOf, Refused } from '../parts/form-dialog.tsx'
import { textOf } from '../parts/form-text.ts'
import { Failed } from '../parts/states.tsx'

const CEILINGS = graphql(`query Ceilings { account { limits { lookback_years max_radius_miles } credits { balance } } }`)
const PROPERTY = graphql(`query PropertyAddress($id: UUID!) { property(property: $id) { id name address { query } } }`)
const CREATE = graphql(`
  mutation CreateReport($address: String, $start: Date!, $end: Date!, $radius: Float, $reference: String, $recipient: String, $property: UUID, $key: String) {
    createReport(address: $address, window_start: $start, window_end: $end, radius_miles: $radius, reference: $reference, recipient: $recipient, property_id: $property, idempotency_key: $key) { id }
  }
`)

/** Asks for a report: what is charged for is said before. */
export function NewReportPage() {
  const search = useSearch({ from: '/framed/reports/new' })
  const property = useQuery({
    queryKey: ['property', search.property],
    queryFn: () => ask(PROPERTY, { id: search.property ?? '' }),
    enabled: search.property !== undefined,
  })
  if (property.error) return <Failed error={property.error} retry={() => property.refetch()} />
  if (search.property && !property.data) return null
  const address = property.data?.property?.address.query ?? search.address ?? ''
  return <ReportForm address={address} property_id={search.property ?? null} day={search.day ?? null} />
}

function ReportForm({ address, property_id, day }: { address: string; property_id: string | null; day: string | null }) {
  const navigate = useNavigate()
  const { data } = useQuery({ queryKey: ['ceilings'], queryFn: () => ask(CEILINGS, {}) })
  // One press is one report, however often it is sent.
  const [key] = useState(() => crypto.randomUUID())
  const create = useMutation({
    mutationFn: (form: FormData) =>
      ask(CREATE, {
        address: textOf(form, 'address'),
        start: textOf(form, 'window_start') ?? '',
        end: textOf(form, 'window_end') ?? '',
        radius: Number(textOf(form, 'radius_miles')),
        reference: textOf(form, 'reference'),
        recipient: textOf(form, 'recipient'),
        property: property_id,
        key,
      }),
    onSuccess: ({ createReport }) => createReport && navigate({ to: '/reports/$id', params: { id: createReport.id } }),
  })
  const faults = faultsOf(create.error)
  const limits = data?.account?.limits
  const balance = data?.account?.credits.balance
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate(new FormData(event.currentTarget))
  }
  return (
    <>
      <header className="page-head">
        <h1>New report</h1>
      </header>
      <Refused error={create.error} />
      <form className="form" onSubmit={submit}>
        <ReportFields faults={faults} limits={limits} address={address} day={day} />
        <div className="row">
          <Button kind="first" type="submit" isDisabled={create.isPending}>
            Make the report
          </Button>
          <span className="soft small">Costs one credit{balance !== undefined && ` of ${balance.toLocaleString('en-US')}`}.</span>
        </div>
      </form>
    </>
  )
}

interface ReportFieldsProps {
  faults: ReturnType<typeof faultsOf>
  limits: NonNullable<ResultOf<typeof CEILINGS>['account']>['limits'] | undefined
  address: string
  day: string | null
}

function ReportFields({ faults, limits, address, day }: ReportFieldsProps) {
  return (
    <>
      <Field label="Address or coordinates" faults={faults.address} hint="Street, city and state, or latitude, longitude">
        {(tied) => <input {...tied} name="address" required defaultValue={address} />}
      </Field>
      <div className="pair">
        <Field
          label="From"
          faults={faults.window_start}
          {...(limits && { hint: `At most ${limits.lookback_years} years back on your plan` })}
        >
          {(tied) => <input {...tied} name="window_start" type="date" required defaultValue={day ?? ''} />}
        </Field>
        <Field label="To" faults={faults.window_end}>
          {(tied) => <input {...tied} name="window_end" type="date" required defaultValue={day ?? ''} />}
        </Field>
      </div>
      <Field label="Radius in miles" faults={faults.radius_miles} {...(limits && { hint: `1 to ${limits.max_radius_miles}` })}>
        {(tied) => (
          <input
            {...tied}
            name="radius_miles"
            type="number"
            min="1"
            max={limits?.max_radius_miles ?? 100}
            step="0.5"
            required
            defaultValue="10"
          />
        )}
      </Field>
      <div className="pair">
        <Field label="Your reference" faults={faults.reference}>
          {(tied) => <input {...tied} name="reference" />}
        </Field>
        <Field label="Prepared for" faults={faults.recipient}>
          {(tied) => <input {...tied} name="recipient" />}
        </Field>
      </div>
    </>
  )
}
