import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { textOf } from '../parts/form-text.ts'
import { day } from '../parts/format.ts'
import { Listing } from '../parts/listing.tsx'
import { useSay } from '../parts/passing.tsx'
import { SearchAndStatus } from '../parts/search-and-status.tsx'
import { Empty } from '../parts/states.tsx'
import { useHere } from '../signed-in.tsx'

const PROPERTIES = graphql(`
  query Properties($search: String, $status: PropertyStatus, $tag: String, $page: Int) {
    properties(search: $search, status: $status, tag: $tag, page: $page, per_page: 100) {
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
  const variables = { search: search.search ?? null, status, tag: search.tag ?? null, page: search.page ?? 1 } as const
  const found = useQuery({
    queryKey: ['properties', variables],
    queryFn: () => ask(PROPERTIES, variables),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <header className="page-head">
        <h1>Properties</h1>
        {team.role !== 'viewer' && (
          <div className="row">
            <Link className="button" to="/properties/import">
              Import a CSV file
            </Link>
            <Button kind="first" onPress={() => setAdding(true)}>
              Watch a property
            </Button>
          </div>
        )}
      </header>
      <SearchAndStatus
        label="Name, address or reference"
        text={search.search}
        status={search.status}
        statuses={{ watching: 'Watching', paused: 'Paused', archived: 'Archived' }}
        change={({ text, status: one }) =>
          navigate({ search: { ...(text && { search: text }), ...(one && { status: one }) }, replace: true })
        }
      />
      <Listing<Property>
        what="the properties"
        found={found}
        page={found.data?.properties}
        empty={
          <Empty title={search.search || search.status ? 'No property is like this' : 'No properties yet'}>
            <p>Watch a property, and every storm that reaches it appears in the inbox.</p>
          </Empty>
        }
        go={(page) => navigate({ search: (before) => ({ ...before, page }) })}
        caption="Properties, the newest first"
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Name',
            show: ({ id, name }) => (
              <Link to="/properties/$id" params={{ id }}>
                {name}
              </Link>
            ),
          },
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
  return (
    <FormDialog title="Watch a property" open={open} close={close} label="Watch it" send={create}>
      {(faults) => (
        <>
          <Field label="Address" faults={faults.address}>
            {(tied) => <input {...tied} name="address" required />}
          </Field>
          <Field label="Name" faults={faults.label}>
            {(tied) => <input {...tied} name="label" />}
          </Field>
          <Field label="Reference" faults={faults.reference}>
            {(tied) => <input {...tied} name="reference" />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
