import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { type FormEvent, useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { ApiError } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { textOf } from '../parts/form-text.ts'
import { day } from '../parts/format.ts'
import { useSay } from '../parts/passing.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { Pager, Table } from '../parts/table.tsx'
import { useHere } from '../signed-in.tsx'

const PROPERTIES = graphql(`
  query Properties($search: String, $status: PropertyStatus, $page: Int) {
    properties(search: $search, status: $status, page: $page, per_page: 100) {
      data { id name label reference kind status tags last_activity_on watch_radius_miles address { query located precision failure_message } }
      meta { current_page last_page total from to path per_page }
    }
  }
`)
const CREATE = graphql(`
  mutation WatchProperty($address: String, $label: String, $reference: String) {
    createProperty(address: $address, label: $label, reference: $reference) { id name }
  }
`)

type Property = NonNullable<ResultOf<typeof PROPERTIES>['properties']>['data'][number]

/** The buildings that the team watches. */
export function PropertiesPage() {
  const search = useSearch({ from: '/framed/properties' })
  const navigate = useNavigate({ from: '/properties' })
  const { team } = useHere()
  const [adding, setAdding] = useState(false)
  const status = search.status === 'watching' || search.status === 'paused' || search.status === 'archived' ? search.status : null
  const variables = { search: search.search ?? null, status, page: search.page ?? 1 } as const
  const found = useQuery({
    queryKey: ['properties', variables],
    queryFn: () => ask(PROPERTIES, variables),
    placeholderData: keepPreviousData,
  })
  const rows = found.data?.properties?.data ?? []
  return (
    <>
      <header className="page-head">
        <h1>Properties</h1>
        {team.role !== 'viewer' && (
          <Button kind="first" onPress={() => setAdding(true)}>
            Watch a property
          </Button>
        )}
      </header>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <Field label="Name, address or reference">
          {(tied) => (
            <input
              {...tied}
              type="search"
              defaultValue={search.search ?? ''}
              onChange={(event) =>
                navigate({
                  search: { ...(event.target.value && { search: event.target.value }), ...(search.status && { status: search.status }) },
                  replace: true,
                })
              }
            />
          )}
        </Field>
        <Field label="Status">
          {(tied) => (
            <select
              {...tied}
              value={search.status ?? ''}
              onChange={(event) =>
                navigate({
                  search: { ...(search.search && { search: search.search }), ...(event.target.value && { status: event.target.value }) },
                  replace: true,
                })
              }
            >
              <option value="">All</option>
              <option value="watching">Watching</option>
              <option value="paused">Paused</option>
              <option value="archived">Archived</option>
            </select>
          )}
        </Field>
      </form>
      {found.isPending && <Loading what="the properties" />}
      {found.error && !found.data && <Failed error={found.error} retry={() => found.refetch()} />}
      {found.data && rows.length === 0 && (
        <Empty title={search.search || search.status ? 'No property is like this' : 'No properties yet'}>
          <p>A property that is watched tells you of every storm that reaches it.</p>
        </Empty>
      )}
      {rows.length > 0 && found.data?.properties && (
        <>
          <Table<Property>
            caption="Properties, the newest first"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              { label: 'Name', show: ({ name }) => name },
              {
                label: 'Address',
                show: ({ address }) => (
                  <>
                    {address.query} {!address.located && <span className="badge bad">{address.failure_message ?? 'Not located'}</span>}{' '}
                    {address.precision && address.precision !== 'point' && <span className="badge">to the {address.precision}</span>}
                  </>
                ),
              },
              { label: 'Reference', show: ({ reference }) => reference ?? '–' },
              { label: 'Tags', show: ({ tags }) => tags.join(', ') || '–' },
              { label: 'Last storm', show: ({ last_activity_on }) => (last_activity_on ? day(last_activity_on) : '–') },
              { label: 'Status', show: ({ status: one }) => <span className={one === 'watching' ? 'badge good' : 'badge'}>{one}</span> },
            ]}
          />
          <Pager meta={found.data.properties.meta} go={(page) => navigate({ search: (before) => ({ ...before, page }) })} />
        </>
      )}
      <WatchDialog open={adding} close={() => setAdding(false)} />
    </>
  )
}

function WatchDialog({ open, close }: { open: boolean; close: () => void }) {
  const queries = useQueryClient()
  const say = useSay()
  const create = useMutation({
    mutationFn: (form: FormData) =>
      ask(CREATE, { address: String(form.get('address')), label: textOf(form, 'label'), reference: textOf(form, 'reference') }),
    onSuccess: ({ createProperty }) => {
      say(`${createProperty?.name ?? 'The property'} is watched.`)
      queries.invalidateQueries({ queryKey: ['properties'] })
      close()
    },
  })
  const faults = create.error instanceof ApiError ? create.error.fields : {}
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title="Watch a property" open={open} close={close}>
      <form className="form" onSubmit={submit}>
        {create.error && Object.keys(faults).length === 0 && (
          <div className="notice bad" role="alert">
            {create.error.message}
          </div>
        )}
        <Field label="Address" faults={faults.address}>
          {(tied) => <input {...tied} name="address" required autoFocus />}
        </Field>
        <Field label="Name" faults={faults.label}>
          {(tied) => <input {...tied} name="label" />}
        </Field>
        <Field label="Reference" faults={faults.reference}>
          {(tied) => <input {...tied} name="reference" />}
        </Field>
        <div className="end row">
          <Button onPress={close}>Cancel</Button>
          <Button kind="first" type="submit" isDisabled={create.isPending}>
            Watch it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
