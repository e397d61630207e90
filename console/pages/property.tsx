import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ResultOf } from 'gql.tada'
import { useMemo, useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { around } from '../map/box.ts'
import { circleArea, place } from '../map/content.ts'
import { Button } from '../parts/button.tsx'
import { day, miles, moment } from '../parts/format.ts'
import { BackToList, isNotFound, LoadError } from '../parts/load-error.tsx'
import { locatedTo } from '../parts/located-to.ts'
import { MapPart } from '../parts/map.tsx'
import { PageName } from '../parts/page-name.tsx'
import { Empty, Loading } from '../parts/states.tsx'
import { WatchStatus } from '../parts/watch-status.tsx'
import { useCurrentSession } from '../signed-in.tsx'
import { Contacts } from './property/contacts.tsx'
import { EditProperty, kinds } from './property/edit-property.tsx'
import { Exposures, Reports } from './property/history.tsx'

const PROPERTY = graphql(`
  query Property($id: UUID!) {
    property(property: $id) {
      id name label reference kind status tags notes watch_radius_miles last_activity_on created_at
      address { query street city state postal_code county latitude longitude located precision failure_message }
      contacts { id name role company phone email notes primary source }
    }
  }
`)

type Property = NonNullable<ResultOf<typeof PROPERTY>['property']>

/** A building that the team watches: its location, its history, and its contacts. */
export function PropertyPage() {
  const { id } = useParams({ from: '/framed/properties/$id' })
  const found = useQuery({ queryKey: ['property', id], queryFn: () => ask(PROPERTY, { id }) })
  if (found.isPending) return <Loading what="the property" />
  if (found.isLoadingError || isNotFound(found)) {
    const readIn = (team_id: string) => ask(PROPERTY, { id }, team_id)
    return <LoadError what="property" id={id} error={found.error} retry={() => found.refetch()} readIn={readIn} />
  }
  const { property } = found.data
  return property ? <PropertyDetails key={property.id} property={property} /> : null
}

function PropertyDetails({ property }: { property: Property }) {
  const { team } = useCurrentSession()
  const [editing, setEditing] = useState(false)
  const [chosenDay, setChosenDay] = useState<string | null>(null)
  // The newest, until another is chosen: the first storm may come while the page is open.
  const mapDay = chosenDay ?? property.last_activity_on
  const canEdit = team.role !== 'viewer'
  return (
    <>
      <BackToList from="property" />
      <header className="page-head">
        <PageName>{property.name}</PageName>
        {canEdit && (
          <div className="row">
            <Button onPress={() => setEditing(true)}>Edit</Button>
            <Link className="button primary" to="/reports/new" search={{ property: property.id }}>
              New report
            </Link>
          </div>
        )}
      </header>
      <Facts property={property} />
      <PropertyMap property={property} shown={mapDay} />
      <Exposures property={property.id} shown={mapDay} show={setChosenDay} />
      <Reports property={property.id} />
      <Contacts property={property.id} contacts={property.contacts} canEdit={canEdit} />
      {editing && <EditProperty property={property} close={() => setEditing(false)} />}
    </>
  )
}

function Facts({ property }: { property: Property }) {
  const { address, reference, kind, status, tags, notes, watch_radius_miles, created_at } = property
  return (
    <dl className="facts panel">
      <dt>Address</dt>
      <dd>
        {address.query} {!address.located && address.failure_message && <span className="badge bad">{address.failure_message}</span>}{' '}
        {address.precision && address.precision !== 'point' && <span className="badge">Located to the {locatedTo[address.precision]}</span>}
      </dd>
      {address.county && (
        <>
          <dt>County</dt>
          <dd>
            {address.county}, {address.state}
          </dd>
        </>
      )}
      <dt>Status</dt>
      <dd>
        <WatchStatus status={status} address={address} />
      </dd>
      <dt>Kind</dt>
      <dd>{kinds[kind]}</dd>
      <dt>Reference</dt>
      <dd>{reference ?? '–'}</dd>
      <dt>Watch radius</dt>
      <dd>{miles(watch_radius_miles)}</dd>
      <dt>Tags</dt>
      <dd className="row">
        {tags.length === 0
          ? '–'
          : tags.map((tag) => (
              <Link key={tag} className="badge" to="/properties" search={{ tag }}>
                {tag}
              </Link>
            ))}
      </dd>
      <dt>Added</dt>
      <dd>{moment(created_at)}</dd>
      {notes && (
        <>
          <dt>Notes</dt>
          <dd className="lines">{notes}</dd>
        </>
      )}
    </dl>
  )
}

/** A map of the place with its watch radius, and the archive's records of one day. */
function PropertyMap({ property, shown }: { property: Property; shown: string | null }) {
  const { name, watch_radius_miles } = property
  const { latitude, longitude, failure_message } = property.address
  const map = useMemo(() => {
    if (latitude == null || longitude == null) return null
    const point = { latitude, longitude }
    return { view: around(point, watch_radius_miles), content: [circleArea(point, watch_radius_miles), place(point, name)] }
  }, [latitude, longitude, watch_radius_miles, name])
  if (!map)
    return (
      <Empty title="Not on the map">
        <p>
          {failure_message
            ? 'The address could not be located, so nothing is watched here. Correct it, or enter coordinates.'
            : 'The address is not located yet. Nothing is watched here until it is.'}
        </p>
      </Empty>
    )
  return (
    <MapPart label={`Map of ${name}`} view={map.view} content={map.content} archive={shown !== null && { day: shown }}>
      <p className="soft small">
        {shown ? `The watch radius and the archive's records of ${day(shown)}.` : 'The watch radius. No exposure is listed yet.'}
      </p>
    </MapPart>
  )
}
