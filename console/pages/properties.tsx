import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { SearchAndStatus } from '../parts/search-and-status.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { Empty, Failed, Loading } from '../parts/states.tsx'
import { useStaleResults } from '../parts/use-debounced.ts'
import { statuses } from '../parts/watch-status.tsx'
import { useCurrentSession } from '../signed-in.tsx'
import { type PropertyFilters, readPage } from './properties/property-filters.ts'
import { PropertyRows } from './properties/property-rows.tsx'
import { WatchDialog } from './properties/watch-dialog.tsx'

/** The buildings that the team watches. */
export function PropertiesPage() {
  const search = useSearch({ from: '/framed/properties' })
  const navigate = useNavigate({ from: '/properties' })
  const { team } = useCurrentSession()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <header className="page-head">
        <h1>Properties</h1>
        {team.role !== 'viewer' && (
          <div className="row">
            <Link className="button" to="/properties/import">
              Import a CSV file
            </Link>
            <Button kind="primary" onPress={() => setAdding(true)}>
              Watch a property
            </Button>
          </div>
        )}
      </header>
      <SearchAndStatus
        label="Name, address or reference"
        text={search.search}
        status={search.status}
        statuses={statuses}
        change={({ text, status: one }) =>
          navigate({
            search: ({ tag, located }) => ({
              ...(text && { search: text }),
              ...(one && { status: one }),
              ...(tag && { tag }),
              ...(located && { located }),
            }),
            replace: true,
          })
        }
      >
        <SelectField
          label="Location"
          value={search.located ?? ''}
          change={(located) =>
            navigate({ search: ({ located: _, ...others }) => ({ ...others, ...(located && { located }) }), replace: true })
          }
          options={[
            ['', 'All'],
            ['true', 'Located'],
            ['false', 'Not located'],
          ]}
        />
      </SearchAndStatus>
      {search.tag && (
        <p className="row">
          Tagged <span className="badge">{search.tag}</span>
          <Link to="/properties" search={({ tag: _, ...others }) => others}>
            Show all tags
          </Link>
        </p>
      )}
      <PropertyList add={() => setAdding(true)} />
      {adding && <WatchDialog close={() => setAdding(false)} />}
    </>
  )
}

/** The list in its current state. The old rows stay until the new ones are read. */
function PropertyList({ add }: { add: () => void }) {
  const { team } = useCurrentSession()
  const { search, status, tag, located } = useSearch({ from: '/framed/properties' })
  const filters: PropertyFilters = {
    search: search ?? null,
    status: status === 'watching' || status === 'paused' || status === 'archived' ? status : null,
    tag: tag ?? null,
    located: located === 'true' || located === 'false' ? located === 'true' : null,
  }
  const found = useQuery({
    queryKey: ['properties', filters, 1],
    queryFn: () => readPage(filters, 1),
    placeholderData: keepPreviousData,
  })
  const outdated = useStaleResults(found)
  if (found.isPending || outdated) return <Loading what="the properties" />
  if (found.error && !found.data) return <Failed error={found.error} retry={() => found.refetch()} />
  if (!found.data || found.data.total === 0)
    return search || status || tag || located ? (
      <Empty title="No properties match">
        <Link className="button" to="/properties">
          Show all properties
        </Link>
      </Empty>
    ) : (
      <Empty title="No properties yet">
        <p>Every storm that reaches a watched property appears in the inbox.</p>
        {team.role !== 'viewer' && (
          <div className="row">
            <Button onPress={add}>Watch the first property</Button>
            <Link className="button" to="/properties/import">
              Import many from a CSV file
            </Link>
          </div>
        )}
      </Empty>
    )
  // A new filter starts at the first row with nothing selected.
  return <PropertyRows key={JSON.stringify(found.data.filters)} filters={found.data.filters} total={found.data.total} />
}
