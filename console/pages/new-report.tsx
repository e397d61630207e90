import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { type FormEvent, useMemo, useRef, useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { around, formatPoint, type Point, parseCoordinates } from '../map/box.ts'
import { place } from '../map/content.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { type Faults, faultsOf, RefusalNotice } from '../parts/form-dialog.tsx'
import { textOf } from '../parts/form-text.ts'
import { counted } from '../parts/format.ts'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { LapsedNotice, useLapsedRefusal } from '../parts/lapsed-plan.tsx'
import { UnsavedChanges } from '../parts/leave-dialog.tsx'
import { LoadError } from '../parts/load-error.tsx'
import { MapPart } from '../parts/map.tsx'
import { READ_ONLY } from '../parts/orphaned-errors.ts'
import { Failed, Loading, NotForRole } from '../parts/states.tsx'
import { useCurrentSession } from '../signed-in.tsx'
import { REPORT_OPTIONS } from './new-report/ceilings.ts'
import type { Layout } from './new-report/layout.ts'
import { LayoutChoice } from './new-report/layout-choice.tsx'
import { PREVIEW, type PreviewVariables, ReportPreview } from './report-preview.tsx'

const PROPERTY = graphql(`query PropertyAddress($id: UUID!) { property(property: $id) { id name address { query latitude longitude } } }`)
const CREATE = graphql(`
  mutation CreateReport($address: String, $latitude: Float, $longitude: Float, $start: Date!, $end: Date!, $radius: Float, $loss: Date, $reference: String, $recipient: String, $property: UUID, $layout: LayoutInput, $key: String) {
    createReport(address: $address, latitude: $latitude, longitude: $longitude, window_start: $start, window_end: $end, radius_miles: $radius, date_of_loss: $loss, reference: $reference, recipient: $recipient, property_id: $property, layout: $layout, idempotency_key: $key) { id }
  }
`)

/** Requests a report. The cost is shown first. */
export function NewReportPage() {
  const { team } = useCurrentSession()
  if (team.role !== 'viewer') return <PrefilledForm />
  return (
    <NotForRole page="New report" whom="owners and analysts">
      Viewers can read reports, but not create them.
    </NotForRole>
  )
}

function PrefilledForm() {
  const search = useSearch({ from: '/framed/reports/new' })
  const property = useQuery({
    queryKey: ['property', search.property, 'address'],
    queryFn: () => ask(PROPERTY, { id: search.property ?? '' }),
    enabled: search.property !== undefined,
  })
  if (property.isLoadingError) {
    const id = search.property ?? ''
    const readIn = (team_id: string) => ask(PROPERTY, { id }, team_id)
    return <LoadError what="property" id={id} error={property.error} retry={() => property.refetch()} readIn={readIn} />
  }
  if (search.property && !property.data) return <Loading what="the property" />
  const located = property.data?.property?.address
  const address = located?.query ?? search.address ?? ''
  return (
    <ReportForm
      // Another property, address or day starts another form.
      key={JSON.stringify(search)}
      address={address}
      near={pointOf(located)}
      property_id={search.property ?? null}
      day={search.day ?? null}
    />
  )
}

/** The coordinates of an address; null if it is not located, or not yet. */
function pointOf(found: { latitude: number | null; longitude: number | null } | undefined): Point | null {
  if (found?.latitude == null || found.longitude == null) return null
  return { latitude: found.latitude, longitude: found.longitude }
}

/** What is wrong with the coordinates of the roof, which are optional. */
function faultOfRoof(text: string): string[] | undefined {
  return text.trim() === '' || parseCoordinates(text) ? undefined : ['Enter latitude, longitude, for example 33.1499, -96.8241.']
}

/** Miles around a place that the map shows to find its roof. */
const NEAR_MILES = 0.5

/** Sets the roof with a click, or with Enter at the centre of the map. */
function RoofMap({ roof, near, set }: { roof: string; near: Point | null; set: (roof: string) => void }) {
  const content = useMemo(() => {
    const point = parseCoordinates(roof)
    return point ? [place(point, 'The roof')] : []
  }, [roof])
  return (
    <MapPart
      tall
      label="Map to set the roof on"
      view={near && around(near, NEAR_MILES)}
      content={content}
      pick={(at) => set(formatPoint(at))}
    >
      <p className="soft small keys">
        Click the roof. With the keyboard: arrow keys move the map, <kbd>+</kbd> <kbd>-</kbd> zoom, <kbd>Enter</kbd> sets the roof at the
        centre of the map.
      </p>
    </MapPart>
  )
}

interface FormProps {
  address: string
  /** Where the property is known to be. */
  near: Point | null
  property_id: string | null
  day: string | null
}

function ReportForm({ address, near, property_id, day }: FormProps) {
  const [roof, setRoof] = useState('')
  const roofField = useRef<HTMLInputElement>(null)
  const [layout, setLayout] = useState<Layout | null>(null)
  const refusal = useLapsedRefusal()
  const [isFilled, setFilled] = useState(false)
  const navigate = useNavigate()
  const reportOptions = useQuery({ queryKey: ['report-options'], queryFn: () => ask(REPORT_OPTIONS, {}) })
  const { data } = reportOptions
  const queries = useQueryClient()
  const keyOf = useIdempotencyKey()
  const variablesOf = (form: FormData): PreviewVariables => ({ ...readForm(form), ...parseCoordinates(roof), property: property_id })
  const preview = useMutation({ mutationFn: (form: FormData) => ask(PREVIEW, variablesOf(form)), meta: READ_ONLY })
  const create = useMutation({
    mutationFn: (form: FormData) => {
      const input = { ...variablesOf(form), layout }
      return ask(CREATE, { ...input, key: keyOf(input) })
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['reports'] }),
  })
  const createAndOpen = (form: FormData) =>
    create.mutate(form, {
      // Only while the page is open: a person who has left it stays where they are.
      onSuccess: ({ createReport }) =>
        createReport && navigate({ to: '/reports/$id', params: { id: createReport.id }, ignoreBlocker: true }),
    })
  // A preview is for the fields and the roof that were set when it was made.
  const changeFields = () => {
    setFilled(true)
    preview.reset()
  }
  const setRoofByMap = (at: string) => {
    setRoof(at)
    changeFields()
  }
  const faults = faultsOf(create.error ?? preview.error)
  const limits = data?.account?.limits
  const balance = data?.account?.credits.balance
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (preview.isPending || create.isPending) return
    if (faultOfRoof(roof)) return roofField.current?.focus()
    // Enter in a field only previews. A report, which costs a credit, needs a press on its button.
    const { submitter } = event.nativeEvent as SubmitEvent
    const send = submitter?.getAttribute('value') === 'create' ? createAndOpen : preview.mutate
    preview.reset()
    create.reset()
    send(new FormData(event.currentTarget))
  }
  return (
    <>
      <UnsavedChanges when={(isFilled || layout !== null) && !create.isPending && !create.isSuccess} />
      <header className="page-head">
        <h1>New report</h1>
      </header>
      <LapsedNotice refusal={refusal} />
      <RefusalNotice error={create.error ?? preview.error} />
      <div className="split">
        <form className="form" onSubmit={submit} onChange={changeFields}>
          <ReportFields faults={faults} limits={limits} address={address} day={day} />
          <Field
            label="Roof"
            faults={faultOfRoof(roof) ?? faults.latitude ?? faults.longitude}
            hint="Latitude, longitude. If set, distances are measured from here, and the address is only its name"
          >
            {(controlProps) => <input {...controlProps} ref={roofField} value={roof} onChange={(event) => setRoof(event.target.value)} />}
          </Field>
          <div className="row">
            <Button type="submit" value="preview" isPending={preview.isPending} isDisabled={refusal !== null}>
              Preview
            </Button>
            <Button kind="primary" type="submit" value="create" isPending={create.isPending} isDisabled={refusal !== null}>
              Create report
            </Button>
            <span className="soft small">
              A preview is free. The report costs one credit{balance !== undefined && ` of ${balance.toLocaleString('en-US')}`}.
            </span>
          </div>
        </form>
        <RoofMap roof={roof} near={near ?? pointOf(preview.data?.reportPreview?.address)} set={setRoofByMap} />
      </div>
      {reportOptions.isPending && <Loading what="your plan limits" />}
      {reportOptions.isLoadingError && <Failed what="Your plan limits" error={reportOptions.error} retry={() => reportOptions.refetch()} />}
      {data && <LayoutChoice reportOptions={data} customLayout={layout} setCustomLayout={setLayout} faults={faultsOfLayout(faults)} />}
      {preview.isPending && <Loading what="the preview" />}
      {preview.data?.reportPreview && <ReportPreview preview={preview.data.reportPreview} />}
    </>
  )
}

const faultsOfLayout = (faults: Faults) =>
  Object.entries(faults).flatMap(([field, messages = []]) => (field.startsWith('layout') ? messages : []))

const readForm = (form: FormData) => ({
  address: textOf(form, 'address'),
  start: textOf(form, 'window_start') ?? '',
  end: textOf(form, 'window_end') ?? '',
  radius: Number(textOf(form, 'radius_miles')),
  loss: textOf(form, 'date_of_loss'),
  reference: textOf(form, 'reference'),
  recipient: textOf(form, 'recipient'),
})

interface ReportFieldsProps {
  faults: ReturnType<typeof faultsOf>
  limits: NonNullable<ResultOf<typeof REPORT_OPTIONS>['account']>['limits'] | undefined
  address: string
  day: string | null
}

function ReportFields({ faults, limits, address, day }: ReportFieldsProps) {
  return (
    <>
      <Field label="Address or coordinates" faults={faults.address} hint="Street, city and state, or latitude, longitude">
        {(controlProps) => <input {...controlProps} name="address" required defaultValue={address} />}
      </Field>
      <div className="pair">
        <Field
          label="From"
          faults={faults.window_start}
          {...(limits && { hint: `Up to ${counted(limits.lookback_years, 'year')} back on your plan` })}
        >
          {(controlProps) => <input {...controlProps} name="window_start" type="date" required defaultValue={day ?? ''} />}
        </Field>
        <Field label="To" faults={faults.window_end}>
          {(controlProps) => <input {...controlProps} name="window_end" type="date" required defaultValue={day ?? ''} />}
        </Field>
      </div>
      <Field label="Date of loss" faults={faults.date_of_loss} hint="If known. The report covers this day first">
        {(controlProps) => <input {...controlProps} name="date_of_loss" type="date" defaultValue={day ?? ''} />}
      </Field>
      <Field label="Radius in miles" faults={faults.radius_miles} {...(limits && { hint: `1 to ${limits.max_radius_miles}` })}>
        {(controlProps) => (
          <input
            {...controlProps}
            name="radius_miles"
            type="number"
            min="1"
            max={limits?.max_radius_miles ?? 100}
            step="0.01"
            required
            defaultValue="10"
          />
        )}
      </Field>
      <div className="pair">
        <Field label="Your reference" faults={faults.reference}>
          {(controlProps) => <input {...controlProps} name="reference" />}
        </Field>
        <Field label="Prepared for" faults={faults.recipient}>
          {(controlProps) => <input {...controlProps} name="recipient" />}
        </Field>
      </div>
    </>
  )
}
