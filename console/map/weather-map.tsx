import {
  AttributionControl,
  type GeoJSONSource,
  type MapGeoJSONFeature,
  Map as MapLibre,
  NavigationControl,
  Popup,
  ScaleControl,
  type StyleSpecification,
} from 'maplibre-gl'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Loading } from '../parts/states.tsx'
import { supportsMaps } from '../parts/supports-maps.ts'
import { useCurrentSession } from '../signed-in.tsx'
import { type Box, HOME, type Point, written } from './box.ts'
import type { Content } from './content.ts'
import { addOverlays, followShades, isOwnTile, pickable, plainStyle, showDay } from './style.ts'

export interface WeatherMapProps {
  /** Name for screen readers. */
  label: string
  /** The area that the map shows at first, and again when its numbers change. */
  view: Box | null
  content: readonly Content[]
  /** Whether the map shows the archive's records: all of them, or those of one day. */
  archive?: boolean | { day: string }
  /** Called with a point that was picked by a click, or by Enter at the cross in the centre. */
  pick?: ((point: Point) => void) | undefined
  /** Called with the id of a record that was clicked. */
  choose?: ((id: number) => void) | undefined
  /** Called for Backspace. */
  undo?: (() => void) | undefined
  /** Starts drawing on the map and takes over its clicks; the returned function ends it. */
  draw?: ((map: MapLibre) => () => void) | undefined
  tall?: boolean
  /** Shown below the map if the browser can draw it: help for the keys, a legend. */
  children?: ReactNode
}

/** Pixels between the edge of the map and the area in view. */
const PADDING = 40
/** At a higher zoom only the place itself would be visible. */
const FIT_ZOOM_MAX = 13
/** Pixels around a click in which features count as clicked. */
const REACH = 4

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** A map. Everything that it shows is also on the page in another form. */
export function WeatherMap({ label, view, content, archive = false, pick, choose, undo, draw, tall, children }: WeatherMapProps) {
  const acts = useRef({ pick, choose, undo, draws: draw !== undefined })
  acts.current = { pick, choose, undo, draws: draw !== undefined }
  const withArchive = archive !== false
  const [map, setMap] = useState<MapLibre | null>(null)

  const seen = view?.join()
  useEffect(() => {
    if (!map || !seen) return
    map.fitBounds(seen.split(',').map(Number) as Box, { padding: PADDING, maxZoom: FIT_ZOOM_MAX, animate: !isCalm() })
  }, [map, seen])
  useEffect(() => {
    map?.getSource<GeoJSONSource>('content')?.setData({ type: 'FeatureCollection', features: [...content] })
  }, [map, content])
  const day = typeof archive === 'object' ? archive.day : null
  useEffect(() => {
    if (map && withArchive) showDay(map, day)
  }, [map, withArchive, day])
  useEffect(() => (map && draw ? draw(map) : undefined), [map, draw])
  // Last, so that drawing ends before the map is removed.
  const { holder, able, centre, aims, moves, fault } = useOpenMap({ view, label, acts, withArchive, setMap })
  return (
    <div className="map">
      <link rel="stylesheet" href="/app/assets/maplibre-gl.css" precedence="map" />
      <div className={tall ? 'map-frame tall' : 'map-frame'}>
        {able ? (
          <>
            <div ref={holder} className="map-canvas" data-ready={map !== null || undefined} data-still={moves ? undefined : ''} />
            {map === null && <Loading what="the map" />}
          </>
        ) : (
          <p className="state">
            This browser cannot draw maps. The page shows the same information in words, and you can type what you would set on the map.
          </p>
        )}
        {aims && (pick || undo) && <div className="map-cross" aria-hidden />}
      </div>
      {able && (pick || undo) && centre && (
        <p className="soft small map-centre" aria-live="polite">
          Map centre: <span className="mono">{written(centre)}</span>
        </p>
      )}
      {able && children}
      {fault && (
        <p className="fault small" role="status">
          {fault}
        </p>
      )}
    </div>
  )
}

interface ToOpen extends Pick<WeatherMapProps, 'view' | 'label'> {
  acts: Acts
  withArchive: boolean
  setMap: (map: MapLibre | null) => void
}

/** Opens a map in the holder. Returns its centre, whether it is moving, and what could not be loaded. */
function useOpenMap({ view, label, acts, withArchive, setMap }: ToOpen) {
  const { basemap_style_url } = useCurrentSession()
  const holder = useRef<HTMLDivElement>(null)
  const first = useRef(view)
  const called = useRef(label)
  const [centre, setCentre] = useState<Point | null>(null)
  const [aims, setAims] = useState(false)
  const [moves, setMoves] = useState(false)
  const [fault, setFault] = useState('')
  const [able] = useState(supportsMaps)
  useEffect(() => {
    if (!holder.current || !able) return
    const made = openMap(holder.current, { style: basemap_style_url ?? plainStyle(), bounds: first.current ?? HOME, label: called.current })
    const showCentre = () => setCentre(pointOf(made.getCenter()))
    made.on('movestart', () => setMoves(true))
    made.on('moveend', () => {
      setMoves(false)
      showCentre()
    })
    made.on('error', ({ error }) => setFault(`Part of the map could not be loaded (${error.message}). Move the map to try again.`))
    made.on('idle', () => made.areTilesLoaded() && setFault(''))
    listenToPointer(made, acts)
    listenToKeys(made, acts, setAims)
    let forget = () => {}
    made.once('load', () => {
      addOverlays(made, withArchive)
      forget = followShades(made)
      showCentre()
      setMap(made)
    })
    return () => {
      forget()
      setMap(null)
      made.remove()
    }
  }, [able, basemap_style_url, withArchive, acts, setMap])
  return { holder, able, centre, aims, moves, fault }
}

interface Opened {
  style: string | StyleSpecification
  bounds: Box
  label: string
}

/** A map that can be neither rotated nor tilted. */
function openMap(container: HTMLElement, { style, bounds, label }: Opened): MapLibre {
  const made = new MapLibre({
    container,
    style,
    bounds,
    fitBoundsOptions: { padding: PADDING, maxZoom: FIT_ZOOM_MAX },
    maxZoom: 18,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: isCalm() ? 0 : 200,
    locale: { 'Map.Title': label },
    transformRequest: (url) => (isOwnTile(url) ? { url, headers: { 'x-weather-console': '1' }, credentials: 'same-origin' } : { url }),
  })
  made.touchZoomRotate.disableRotation()
  made.keyboard.disableRotation()
  made.addControl(new NavigationControl({ showCompass: false }))
  made.addControl(new ScaleControl({ unit: 'imperial' }))
  made.addControl(new AttributionControl({ compact: false }))
  return made
}

/** What clicks and keys currently do. */
interface Acts {
  current: { pick: WeatherMapProps['pick']; choose: WeatherMapProps['choose']; undo: WeatherMapProps['undo']; draws: boolean }
}

/** A click picks a point, or shows what is there. */
function listenToPointer(made: MapLibre, acts: Acts): void {
  made.on('click', ({ lngLat, point }) => {
    if (acts.current.draws) return
    if (acts.current.pick) return acts.current.pick(pointOf(lngLat))
    const [found] = made.queryRenderedFeatures(
      [
        [point.x - REACH, point.y - REACH],
        [point.x + REACH, point.y + REACH],
      ],
      { layers: pickable.filter((id) => made.getLayer(id)) },
    )
    const id = Number(found?.properties.id)
    if (id > 0) acts.current.choose?.(id)
    if (textOf(found)) new Popup({ closeButton: false, maxWidth: '18rem' }).setLngLat(lngLat).setText(textOf(found)).addTo(made)
  })
}

/** Enter picks the point at the cross in the centre, Backspace undoes it. The cross is visible while keys are used. */
function listenToKeys(made: MapLibre, acts: Acts, setAims: (aims: boolean) => void): void {
  const canvas = made.getCanvas()
  canvas.addEventListener('keydown', (event) => {
    setAims(true)
    if (event.key === 'Enter' && acts.current.pick) {
      event.preventDefault()
      acts.current.pick(pointOf(made.getCenter()))
    }
    if (event.key === 'Backspace' && acts.current.undo) {
      event.preventDefault()
      acts.current.undo()
    }
  })
  canvas.addEventListener('pointerdown', () => setAims(false))
  canvas.addEventListener('blur', () => setAims(false))
}

const pointOf = ({ lng, lat }: { lng: number; lat: number }): Point => ({ latitude: lat, longitude: lng })

function textOf(found: MapGeoJSONFeature | undefined): string {
  const text = found?.properties.text
  return typeof text === 'string' ? text : ''
}
