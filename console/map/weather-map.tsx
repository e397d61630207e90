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
import { canDraw } from '../parts/can-draw.ts'
import { Loading } from '../parts/states.tsx'
import { useHere } from '../signed-in.tsx'
import { type Box, HOME, type Point, written } from './box.ts'
import type { Content } from './content.ts'
import { addOverlays, followShades, isOwnTile, pickable, plainStyle, showDay } from './style.ts'

export interface WeatherMapProps {
  /** What a screen reader calls it. */
  label: string
  /** What is looked at: to begin with, and anew when its numbers change. */
  view: Box | null
  content: readonly Content[]
  /** Whether the archive's records lie on it: all of them, or those of a day. */
  archive?: boolean | { day: string }
  /** A place was pointed at: by a click, or by Enter at the cross in the middle. */
  pick?: ((point: Point) => void) | undefined
  /** A record with an id was pointed at. */
  choose?: ((id: number) => void) | undefined
  /** What Backspace takes back. */
  undo?: (() => void) | undefined
  /** Draws on the map by itself; what it answers ends that. Clicks are then its own. */
  draw?: ((map: MapLibre) => () => void) | undefined
  tall?: boolean
  /** Stands beneath a map that can be drawn: what the keys do, a legend. */
  children?: ReactNode
}

/** Pixels between the edge and what is looked at. */
const PADDING = 40
/** Nearer, there is nothing to be seen but the place. */
const FIT_ZOOM_MAX = 13
/** Pixels around a click in which something is meant. */
const REACH = 4

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** A map of the desk's own: nothing on it is to be had from it alone. */
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
  // Last, so that whatever draws on the map is ended before the map is.
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

/** Opens a map in the holder, and says what is to be said of it: where its middle is, whether it moves, what could not be loaded. */
function useOpenMap({ view, label, acts, withArchive, setMap }: ToOpen) {
  const { basemap_style_url } = useHere()
  const holder = useRef<HTMLDivElement>(null)
  const first = useRef(view)
  const called = useRef(label)
  const [centre, setCentre] = useState<Point | null>(null)
  const [aims, setAims] = useState(false)
  const [moves, setMoves] = useState(false)
  const [fault, setFault] = useState('')
  const [able] = useState(canDraw)
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

/** A map that lies still: neither turned nor tilted. */
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

/** What a click and the keys do now. */
interface Acts {
  current: { pick: WeatherMapProps['pick']; choose: WeatherMapProps['choose']; undo: WeatherMapProps['undo']; draws: boolean }
}

/** A click sets a place, or shows what is there. */
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

/** Enter sets a place at the cross in the middle, Backspace takes it back. The cross is there while keys are used. */
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
