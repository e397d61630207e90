import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Geometry } from 'geojson'
import type { ResultOf } from 'gql.tada'
import { useMemo, useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { parseCoordinates } from '../map/box.ts'
import { area, place as placeMark } from '../map/content.ts'
import { cornersOf, isPlain, shapeOfGeometry } from '../map/shape.ts'
import { Button } from '../parts/button.tsx'
import { faultsOf } from '../parts/form-dialog.tsx'
import { counted, squareMiles } from '../parts/format.ts'
import { BackToList, isNotFound, LoadError } from '../parts/load-error.tsx'
import { MapFallback, MapPart, weatherMapScript } from '../parts/map.tsx'
import { PageName } from '../parts/page-name.tsx'
import { RemoveRecord } from '../parts/remove-record.tsx'
import { lazyScript, useScript } from '../parts/script.tsx'
import { Failed, Loading, NotForRole } from '../parts/states.tsx'
import { useDebounced } from '../parts/use-debounced.ts'
import { useCurrentSession } from '../signed-in.tsx'
import {
  type DefinitionPart,
  type Draft,
  draftLocation,
  isComplete,
  locationToSend,
  NEW_TERRITORY,
  type Quote,
  swatches,
  swatchNames,
} from './territory-draft.ts'
import { TerritoryForm } from './territory-form.tsx'

/** The drawing tools load as late as the map itself. */
const territoryMapScript = lazyScript(
  async () => (await Promise.all([import('./territory-map.tsx'), weatherMapScript.load()]))[0].TerritoryMap,
)

const TERRITORY = graphql(`
  query Territory($id: UUID!) {
    territory(territory: $id) {
      id name kind status description color notes geometry definition area_sq_miles bounds { west south east north }
    }
  }
`)
const CEILING = graphql(`query TerritoryCeiling { team { limits { territories { held limit max_area_sq_miles } } } }`)
const QUOTE = graphql(`
  query Quote($name: String!, $kind: TerritoryKind!, $status: TerritoryStatus, $geometry: GeoJson, $address: String, $latitude: Float, $longitude: Float, $radius: Float, $places: [Int!]) {
    territoryQuote(name: $name, kind: $kind, status: $status, geometry: $geometry, address: $address, latitude: $latitude, longitude: $longitude, radius_miles: $radius, place_ids: $places) {
      area_sq_miles allowed notice geometry bounds { west south east north }
    }
  }
`)
const REMOVE = graphql(`mutation RemoveTerritory($id: UUID!) { deleteTerritory(territory: $id) }`)

type Territory = NonNullable<ResultOf<typeof TERRITORY>['territory']>

/** A drawing changes many times: it is measured this long after the last change. */
const MEASURE_DEBOUNCE_MS = 350

export function NewTerritoryPage() {
  const { team } = useCurrentSession()
  if (team.role === 'viewer')
    return (
      <NotForRole page="Draw a territory" whom="owners and analysts">
        Viewers can read territories, but not draw them.
      </NotForRole>
    )
  return <Editor before={null} initial={NEW_TERRITORY} />
}

export function TerritoryPage() {
  const { id } = useParams({ from: '/framed/territories/$id' })
  // Two responses that are equal as numbers may have been written with different digits.
  const found = useQuery({ queryKey: ['territory', id], queryFn: () => ask(TERRITORY, { id }), structuralSharing: false })
  if (found.isPending) return <Loading what="the territory" />
  if (found.isLoadingError || isNotFound(found)) {
    const readIn = (team_id: string) => ask(TERRITORY, { id }, team_id)
    return <LoadError what="territory" id={id} error={found.error} retry={() => found.refetch()} readIn={readIn} />
  }
  const { territory } = found.data
  return territory && <Editor key={territory.id} before={territory} initial={draftOf(territory)} />
}

/** Returns a territory as a draft to edit. */
function draftOf({ name, kind, status, color, notes, geometry, definition, bounds }: Territory): Draft {
  const shape = kind === 'polygon' ? shapeOfGeometry(geometry as object) : null
  const parts = definition as DefinitionPart[]
  const [first] = parts
  return {
    ...NEW_TERRITORY,
    name,
    kind,
    status,
    colour: swatchNames.find((swatch) => swatches[swatch] === color) ?? 'petrol',
    notes: notes ?? '',
    corners: shape && isPlain(shape) ? cornersOf(shape) : '',
    exactShape: shape && !isPlain(shape) ? shape : null,
    ...(kind === 'radius' && first && { centre: first.address ?? `${first.latitude}, ${first.longitude}` }),
    ...(kind === 'places' && { places: parts.map(({ place_id = 0, name: placeName = '' }) => ({ id: place_id, full_name: placeName })) }),
    ...(first?.radius_miles !== undefined && { radius_miles: String(first.radius_miles) }),
    view: [bounds.west, bounds.south, bounds.east, bounds.north],
  }
}

/** Draws, measures and saves a territory. Nothing is saved before the button is pressed. */
function Editor({ before, initial: asRead }: { before: Territory | null; initial: Draft }) {
  // The territory is read again when somebody else changes it; the draft keeps the state from which it was started.
  const [initial] = useState(asRead)
  const isOutdated = JSON.stringify([asRead, draftLocation(asRead)]) !== JSON.stringify([initial, draftLocation(initial)])
  const [draft, setDraft] = useState(initial)
  const change = (part: Partial<Draft>) => setDraft((current) => ({ ...current, ...part }))
  const { team } = useCurrentSession()
  const canEdit = team.role !== 'viewer'
  const debouncedKey = useDebounced(draft, MEASURE_DEBOUNCE_MS)
  // A territory that already has its place in the plan needs no further one, as an archived one needs none.
  const status = before && before.status !== 'archived' ? 'archived' : debouncedKey.status
  const quote = useQuery({
    queryKey: [
      'territory-quote',
      status,
      debouncedKey.corners,
      debouncedKey.exactShape && 'kept',
      debouncedKey.kind,
      draftLocation(debouncedKey),
    ],
    queryFn: () => ask(QUOTE, { name: 'Drawn', status, ...locationToSend(debouncedKey) }),
    enabled: canEdit && isComplete(debouncedKey),
    placeholderData: keepPreviousData,
    structuralSharing: false,
    retry: false,
  })
  const shown = isComplete(draft) ? (quote.data?.territoryQuote ?? null) : null
  const { part: TerritoryMap, ...loadState } = useScript(territoryMapScript, canEdit)
  return (
    <>
      <BackToList from="territory" />
      <header className="page-head">
        {before ? <PageName>{before.name}</PageName> : <h1>Draw a territory</h1>}
        {before && canEdit && <Remove id={before.id} name={before.name} />}
      </header>
      {before && <p className="soft">{before.description}</p>}
      <div className="split">
        <TerritoryForm
          {...{ before, initial, isOutdated, draft, change, canEdit }}
          quote={shown}
          fault={isComplete(draft) ? quote.error : null}
        />
        <div>
          {before && !canEdit ? (
            <SavedTerritoryMap territory={before} draft={initial} />
          ) : TerritoryMap ? (
            <TerritoryMap {...{ draft, change }} quote={shown} colour={swatches[draft.colour]} />
          ) : (
            <MapFallback tall {...loadState} />
          )}
          {canEdit && <Measure quote={shown} measuring={quote.isFetching} remeasure={isRequestError(quote.error) ? quote.refetch : null} />}
        </div>
      </div>
    </>
  )
}

/** The territory as it is saved, for viewers, who cannot draw. */
function SavedTerritoryMap({
  territory: { name, color, geometry },
  draft: { kind, centre, view },
}: {
  territory: Territory
  draft: Draft
}) {
  const content = useMemo(() => {
    const point = kind === 'radius' ? parseCoordinates(centre) : null
    return [area(geometry as Geometry, { colour: color, text: name }), ...(point ? [placeMark(point, 'The centre')] : [])]
  }, [name, color, geometry, kind, centre])
  return <MapPart tall label="Map of the territory" view={view} content={content} archive />
}

/** Whether the request failed for a reason other than the fields of the form. */
const isRequestError = (fault: Error | null) => fault !== null && Object.keys(faultsOf(fault)).length === 0

interface MeasureProps {
  quote: Quote | null
  measuring: boolean
  /** Measures again; null if the result would be the same. */
  remeasure: (() => void) | null
}

/** Compares the area with the limits of the plan while the territory is drawn. */
function Measure({ quote, measuring, remeasure }: MeasureProps) {
  const found = useQuery({ queryKey: ['territory-ceiling'], queryFn: () => ask(CEILING, {}) })
  const ceiling = found.data?.team?.limits.territories
  if (!ceiling)
    return (
      <section className="panel quote" aria-label="Plan limits">
        {found.error ? (
          <Failed what="Your plan limits" error={found.error} retry={() => found.refetch()} />
        ) : (
          <Loading what="your plan limits" />
        )}
      </section>
    )
  const { held: used, limit, max_area_sq_miles } = ceiling
  return (
    <section className="panel quote" aria-label="Plan limits">
      <div role="status">
        <strong>{quote ? squareMiles(quote.area_sq_miles) : 'Not measured yet'}</strong>{' '}
        <span className="soft">of {squareMiles(max_area_sq_miles)} allowed per territory</span>
        {measuring && <span className="soft"> …</span>}
      </div>
      {quote && (
        <meter aria-label="Area against the plan" min={0} max={max_area_sq_miles} high={max_area_sq_miles} value={quote.area_sq_miles} />
      )}
      {remeasure && !measuring && <Button onPress={remeasure}>Measure again</Button>}
      {quote?.notice && <p className="fault">{quote.notice}</p>}
      <p className="soft small">
        {used} of {counted(limit, 'territory', 'territories')} used.
      </p>
    </section>
  )
}

function Remove({ id, name }: { id: string; name: string }) {
  const queries = useQueryClient()
  const shown = ['territories', 'territory-ceiling']
  return (
    <RemoveRecord
      kind="territory"
      name={name}
      list="/territories"
      remove={() => ask(REMOVE, { id })}
      refresh={() => Promise.all(shown.map((one) => queries.invalidateQueries({ queryKey: [one] })))}
    >
      <p>Its exposures are removed with it. Deliveries that were sent about them stay in the list of deliveries.</p>
    </RemoveRecord>
  )
}
