import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Geometry } from 'geojson'
import type { ResultOf } from 'gql.tada'
import { useMemo } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { unite } from '../map/box.ts'
import { area } from '../map/content.ts'
import { day, squareMiles } from '../parts/format.ts'
import { Listing } from '../parts/listing.tsx'
import { MapPart } from '../parts/map.tsx'
import { Empty } from '../parts/states.tsx'
import { WatchStatus } from '../parts/watch-status.tsx'
import { useCurrentSession } from '../signed-in.tsx'

const TERRITORIES = graphql(`
  query Territories($page: Int) {
    territories(page: $page) {
      data { id name kind description status area_sq_miles last_activity_on color geometry bounds { west south east north } }
      meta { current_page last_page total from to path per_page }
    }
  }
`)

type Territory = NonNullable<ResultOf<typeof TERRITORIES>['territories']>['data'][number]

/** The areas that the team watches. */
export function TerritoriesPage() {
  const { page = 1 } = useSearch({ from: '/framed/territories' })
  const navigate = useNavigate({ from: '/territories' })
  const { team } = useCurrentSession()
  const found = useQuery({ queryKey: ['territories', page], queryFn: () => ask(TERRITORIES, { page }), placeholderData: keepPreviousData })
  const rows = found.data?.territories?.data ?? []
  const content = useMemo(() => rows.map(({ geometry, color, name }) => area(geometry as Geometry, { colour: color, text: name })), [rows])
  const view = unite(rows.map(({ bounds: { west, south, east, north } }) => [west, south, east, north]))
  return (
    <>
      <header className="page-head">
        <h1>Territories</h1>
        {team.role !== 'viewer' && (
          <Link className="button primary" to="/territories/new">
            Draw a territory
          </Link>
        )}
      </header>
      {rows.length > 0 && <MapPart label="Map of the territories" view={view} content={content} archive />}
      <Listing<Territory>
        what="the territories"
        found={found}
        page={found.data?.territories}
        empty={
          <Empty title="No territories yet">
            <p>
              Every storm that crosses a territory appears in the inbox. Draw a territory on a map, around a point or around towns, or load
              a file.
            </p>
            {team.role !== 'viewer' && (
              <Link className="button" to="/territories/new">
                Draw the first territory
              </Link>
            )}
          </Empty>
        }
        go={(next) => navigate({ search: { page: next } })}
        caption="Territories, newest first"
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Name',
            freeText: true,
            show: ({ id, name }) => (
              <Link to="/territories/$id" params={{ id }}>
                {name}
              </Link>
            ),
          },
          // The description of a polygon is its area, rounded: the next column has it.
          { label: 'Description', freeText: true, show: ({ kind, description }) => (kind === 'polygon' ? 'Polygon' : description) },
          { label: 'Area', number: true, show: ({ area_sq_miles }) => squareMiles(area_sq_miles) },
          { label: 'Last storm', show: ({ last_activity_on }) => (last_activity_on ? day(last_activity_on) : '–') },
          { label: 'Status', show: ({ status }) => <WatchStatus status={status} /> },
        ]}
      />
    </>
  )
}
