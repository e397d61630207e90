import { type ChangeEvent, type FocusEvent, useState } from 'react'
import { around, type Box, unite } from '../map/box.ts'
import { cornersOf, isPlain, polygonsOf, readShapeFile, type Shape, ShapeFault, shapeFileText } from '../map/shape.ts'
import { Button } from '../parts/button.tsx'
import { bytesOf } from '../parts/chosen-file.ts'
import { Field } from '../parts/field.tsx'
import type { Faults } from '../parts/form-dialog.tsx'
import { saveFile } from '../parts/save-file.ts'
import { supportsMaps } from '../parts/supports-maps.ts'
import { useNotify } from '../parts/toasts.tsx'
import { PlaceSearch } from './place-search.tsx'
import { type Draft, draftLocation, faultOfCorners } from './territory-draft.ts'

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  faults: Faults
}

const kinds = { polygon: 'Drawn', radius: 'Around a point', places: 'Around places' } as const
/** Miles around a place that the map shows to draw there. */
const TOWN_MILES = 8

/** The location of a territory: everything that the map shows, as fields. */
export function LocationFields(props: Props) {
  const { draft, change } = props
  return (
    <>
      <fieldset className="choice">
        <legend>Shape</legend>
        {Object.entries(kinds).map(([kind, words]) => (
          <label key={kind} className="row">
            <input
              type="radio"
              name="kind"
              value={kind}
              checked={draft.kind === kind}
              onChange={() => change({ kind: kind as Draft['kind'] })}
            />{' '}
            {words}
          </label>
        ))}
      </fieldset>
      {draft.kind === 'polygon' && <Drawing {...props} />}
      {draft.kind === 'radius' && (
        <Field
          label="Address or coordinates"
          faults={props.faults.address ?? props.faults.latitude}
          hint="Street, city and state, or latitude, longitude"
        >
          {(controlProps) => (
            <input {...controlProps} name="centre" value={draft.centre} onChange={(event) => change({ centre: event.target.value })} />
          )}
        </Field>
      )}
      {draft.kind === 'places' && <NamedPlaces {...props} />}
      {draft.kind !== 'polygon' && (
        <Field label="Radius in miles" faults={props.faults.radius_miles} hint="0.5 to 100, within the area limit of your plan">
          {(controlProps) => (
            <input
              {...controlProps}
              name="radius_miles"
              type="number"
              min="0.5"
              max="100"
              step="0.01"
              value={draft.radius_miles}
              onChange={(event) => change({ radius_miles: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}

function Drawing({ draft, change, faults }: Props) {
  const notify = useNotify()
  const { shape } = draftLocation(draft)
  const load = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (!file) return
    const bytes = await bytesOf(file).catch((fault: Error) => notify(fault.message))
    // So that the same file can be chosen again after it is corrected.
    target.value = ''
    if (!bytes) return
    try {
      const read = readShapeFile(new TextDecoder().decode(bytes))
      const plain = isPlain(read)
      change({
        corners: plain ? cornersOf(read) : '',
        exactShape: plain ? null : read,
        view: boxOf(read),
        ...(draft.name === '' && { name: file.name.replace(/\.(geo)?json$/i, '') }),
      })
    } catch (fault) {
      if (!(fault instanceof ShapeFault)) throw fault
      notify(fault.message)
    }
  }
  return (
    <>
      {draft.exactShape ? (
        <div className="notice">
          This shape has holes, heights or number formats that a list of corners cannot express. It is kept exactly as it was sent. Load
          another file to change it. <Button onPress={() => change({ exactShape: null, corners: '' })}>Draw a new shape</Button>
        </div>
      ) : (
        <Corners draft={draft} change={change} faults={faults} />
      )}
      {draft.exactShape && faults.geometry && <p className="fault small">{faults.geometry.join(' ')}</p>}
      <div className="row">
        <label className="button">
          Load GeoJSON
          <input
            className="hidden-text"
            type="file"
            name="geojson"
            accept=".geojson,.json,application/geo+json,application/json"
            onChange={load}
          />
        </label>
        {shape && <Button onPress={() => download(shape, draft.name)}>Save as GeoJSON</Button>}
      </div>
    </>
  )
}

/** Areas by their corners, typed or drawn on the map. */
function Corners({ draft, change, faults }: Props) {
  const cornersFault = faultOfCorners(draft.corners)
  const [canShowMap] = useState(supportsMaps)
  const showOnMap = ({ relatedTarget }: FocusEvent) => {
    const { shape } = draftLocation(draft)
    // A map that moved under a click would take another place than was meant.
    if (shape && !relatedTarget?.closest('.map')) change({ view: boxOf(shape) })
  }
  return (
    <>
      {canShowMap && (
        <PlaceSearch
          hint="Moves the map to a town, so that you can draw there"
          verb="Go to"
          exclude={[]}
          pick={(place) => change({ view: around(place, TOWN_MILES) })}
        />
      )}
      <Field
        label="Corners"
        faults={cornersFault ? [cornersFault] : faults.geometry}
        hint={`Latitude, longitude of each, one per line. Put an empty line between areas.${canShowMap ? ' On the map: click, or move it with the arrow keys and press Enter.' : ''}`}
      >
        {(controlProps) => (
          <textarea
            {...controlProps}
            name="corners"
            className="mono"
            rows={6}
            spellCheck={false}
            value={draft.corners}
            onChange={(event) => change({ corners: event.target.value })}
            onBlur={showOnMap}
          />
        )}
      </Field>
    </>
  )
}

/** Saves a shape as a file. */
const download = (shape: Shape, name: string) =>
  saveFile(`${name.trim() || 'territory'}.geojson`, 'application/geo+json', shapeFileText(shape))

/** The smallest box around the shape. */
function boxOf(shape: Shape): Box | null {
  return unite(
    polygonsOf(shape)
      .flat(2)
      .map(([east, north]): Box => [Number(east), Number(north), Number(east), Number(north)]),
  )
}

function NamedPlaces({ draft, change, faults }: Props) {
  return (
    <>
      <PlaceSearch
        faults={faults.place_ids}
        hint="A town, with its state if the name is not unique: Moore, OK"
        verb="Add"
        exclude={draft.places}
        pick={({ id, full_name }) => change({ places: [...draft.places, { id, full_name }] })}
      />
      {draft.places.length > 0 && (
        <ul className="offers" aria-label="Places of the territory">
          {draft.places.map(({ id, full_name }) => (
            <li key={id} className="row">
              {full_name}{' '}
              <Button
                aria-label={`Remove ${full_name}`}
                onPress={({ target }) => {
                  // The button goes with its row.
                  const row = target.closest('li')
                  const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector('button')
                  ;(next ?? target.closest('form')?.querySelector<HTMLElement>('[name=place]'))?.focus()
                  change({ places: draft.places.filter((place) => place.id !== id) })
                }}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
