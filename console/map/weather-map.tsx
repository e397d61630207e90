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
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { displayText } from '../parts/display-text.ts'
import { Loading } from '../parts/states.tsx'
import { supportsMaps } from '../parts/supports-maps.ts'
import { useCurrentSession } from '../signed-in.tsx'
import { type Box, CONTIGUOUS_STATES, formatPoint, type Point, pointOf } from './box.ts'
import type { Content } from './content.ts'
import { addOverlays, clickableLayers, followTheme, isOwnTile, plainStyle, showArchive } from './style.ts'

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
/** A basemap's style that has not come by then, in milliseconds, is given up: nothing is drawn before it. */
const STYLE_TIMEOUT_MS = 20_000
/** Pixels around a click in which features count as clicked. */
const CLICK_TOLERANCE = 4

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** A map. Everything that it shows is also on the page in another form. */
export function WeatherMap({ label, view, content, archive = false, pick, choose, undo, draw, tall, children }: WeatherMapProps) {
  const handlers = useRef({ pick, choose, undo, draws: draw !== undefined })
  handlers.current = { pick, choose, undo, draws: draw !== undefined }
  const [map, setMap] = useState<MapLibre | null>(null)

  const viewKey = view?.join()
  useEffect(() => {
    if (!map || !viewKey) return
    map.fitBounds(viewKey.split(',').map(Number) as Box, { padding: PADDING, maxZoom: FIT_ZOOM_MAX, animate: !prefersReducedMotion() })
  }, [map, viewKey])
  useEffect(() => {
    map?.getSource<GeoJSONSource>('content')?.setData({ type: 'FeatureCollection', features: [...content] })
  }, [map, content])
  const shownDays = typeof archive === 'object' ? archive.day : archive
  useEffect(() => {
    // The map stays as it is moved: only its layers are switched.
    if (map) showArchive(map, shownDays)
  }, [map, shownDays])
  // Before the map is shown as ready: an effect after that could come after the first click.
  useLayoutEffect(() => (map && draw ? draw(map) : undefined), [map, draw])
  // Last, so that drawing ends before the map is removed.
  const { holder, able, centre, aims, moves, faults } = useOpenMap({ view, label, acts: handlers, setMap })
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
          Map centre: <span className="mono">{formatPoint(centre)}</span>
        </p>
      )}
      {able && children}
      {faults.map((fault) => (
        <p key={fault} className="fault small" role="status">
          {fault}
        </p>
      ))}
    </div>
  )
}

interface OpenMapProps extends Pick<WeatherMapProps, 'view' | 'label'> {
  acts: HandlersRef
  setMap: (map: MapLibre | null) => void
}

/** Opens a map in the holder. Returns its centre, whether it is moving, and what could not be loaded. */
function useOpenMap({ view, label, acts, setMap }: OpenMapProps) {
  const session = useCurrentSession()
  // An open map keeps its basemap: the drawing tools would not survive another map.
  const [basemap_style_url] = useState(session.basemap_style_url)
  const holder = useRef<HTMLDivElement>(null)
  const initialView = useRef(view)
  const initialLabel = useRef(label)
  const [centre, setCentre] = useState<Point | null>(null)
  const [crosshairVisible, setCrosshairVisible] = useState(false)
  const [isMoving, setIsMoving] = useState(false)
  const [fault, setFault] = useState('')
  const [basemapFault, setBasemapFault] = useState('')
  const [isSupported] = useState(supportsMaps)
  useEffect(() => {
    if (!holder.current || !isSupported) return
    const map = openMap(holder.current, {
      style: basemap_style_url ?? plainStyle(),
      bounds: initialView.current ?? CONTIGUOUS_STATES,
      label: initialLabel.current,
    })
    const showCentre = () => setCentre(pointOf(map.getCenter()))
    map.on('movestart', () => setIsMoving(true))
    map.on('moveend', () => {
      // The drawing tools take longitudes as the map counts them. What is in view stays the same, and its own moveend follows.
      if (Math.abs(map.getCenter().lng) > 180) return map.setCenter(map.getCenter().wrap())
      setIsMoving(false)
      showCentre()
    })
    let hasStyle = basemap_style_url === null
    const dropBasemap = (reason: string) => {
      hasStyle = true
      setBasemapFault(`The basemap could not be loaded (${reason}). The map is shown without it.`)
      map.setStyle(plainStyle(), { diff: false })
    }
    const styleTimer = setTimeout(() => hasStyle || dropBasemap('no response'), STYLE_TIMEOUT_MS)
    map.on('error', ({ error }) => {
      if (!hasStyle) return dropBasemap(error.message)
      setFault(`Part of the map could not be loaded (${error.message}). Move the map to try again.`)
    })
    map.on('idle', () => map.areTilesLoaded() && setFault(''))
    listenToPointer(map, acts)
    listenToKeys(map, acts, setCrosshairVisible)
    let unfollowTheme = () => {}
    // Not after 'load', which waits for each tile of the basemap: another host may never send one.
    map.once('style.load', () => {
      hasStyle = true
      addOverlays(map)
      unfollowTheme = followTheme(map)
      showCentre()
      setMap(map)
    })
    return () => {
      clearTimeout(styleTimer)
      unfollowTheme()
      setMap(null)
      map.remove()
    }
  }, [isSupported, basemap_style_url, acts, setMap])
  return { holder, able: isSupported, centre, aims: crosshairVisible, moves: isMoving, faults: [basemapFault, fault].filter(Boolean) }
}

interface OpenMapOptions {
  style: string | StyleSpecification
  bounds: Box
  label: string
}

/** A map that can be neither rotated nor tilted. */
function openMap(container: HTMLElement, { style, bounds, label }: OpenMapOptions): MapLibre {
  const map = new MapLibre({
    container,
    style,
    bounds,
    fitBoundsOptions: { padding: PADDING, maxZoom: FIT_ZOOM_MAX },
    maxZoom: 18,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    fadeDuration: prefersReducedMotion() ? 0 : 200,
    locale: { 'Map.Title': displayText(label) },
    transformRequest: (url) => (isOwnTile(url) ? { url, headers: { 'x-weather-console': '1' }, credentials: 'same-origin' } : { url }),
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }))
  map.addControl(new ScaleControl({ unit: 'imperial' }))
  map.addControl(new AttributionControl({ compact: false }))
  return map
}

/** What clicks and keys currently do. */
interface HandlersRef {
  current: { pick: WeatherMapProps['pick']; choose: WeatherMapProps['choose']; undo: WeatherMapProps['undo']; draws: boolean }
}

/** A click picks a point, or shows what is there. */
function listenToPointer(map: MapLibre, handlers: HandlersRef): void {
  map.on('click', ({ lngLat, point }) => {
    if (handlers.current.draws) return
    if (handlers.current.pick) return handlers.current.pick(pointOf(lngLat))
    const [found] = map.queryRenderedFeatures(
      [
        [point.x - CLICK_TOLERANCE, point.y - CLICK_TOLERANCE],
        [point.x + CLICK_TOLERANCE, point.y + CLICK_TOLERANCE],
      ],
      { layers: clickableLayers.filter((id) => map.getLayer(id)) },
    )
    const id = Number(found?.properties.id)
    if (id > 0) handlers.current.choose?.(id)
    if (textOf(found)) new Popup({ closeButton: false, maxWidth: '18rem' }).setLngLat(lngLat).setText(textOf(found)).addTo(map)
  })
}

/** Enter picks the point at the cross in the centre, Backspace undoes it. The cross is visible while keys are used. */
function listenToKeys(map: MapLibre, handlers: HandlersRef, setCrosshairVisible: (aims: boolean) => void): void {
  const canvas = map.getCanvas()
  canvas.addEventListener('keydown', (event) => {
    setCrosshairVisible(true)
    if (event.key === 'Enter' && handlers.current.pick) {
      event.preventDefault()
      handlers.current.pick(pointOf(map.getCenter()))
    }
    if (event.key === 'Backspace' && handlers.current.undo) {
      event.preventDefault()
      handlers.current.undo()
    }
  })
  canvas.addEventListener('pointerdown', () => setCrosshairVisible(false))
  canvas.addEventListener('blur', () => setCrosshairVisible(false))
}

function textOf(found: MapGeoJSONFeature | undefined): string {
  const text = found?.properties.text
  return typeof text === 'string' ? displayText(text) : ''
}
