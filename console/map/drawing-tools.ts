import type { Position } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { TerraDraw, TerraDrawCircleMode, TerraDrawPolygonMode, TerraDrawSelectMode } from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import type { Point } from './box.ts'
import { MAP_DECIMALS } from './shape.ts'
import { drawingColours } from './style.ts'

/** polygon: sets corners one by one. circle: sets the centre, then the edge. select: moves, adds and removes corners. */
export type Tool = 'polygon' | 'circle' | 'select'

interface DrawingListener {
  /** The outer rings of all areas, after one was drawn, changed or removed. */
  changed(rings: Position[][]): void
  circleDrawn(centre: Point, miles: number): void
}

export interface DrawingTools {
  /** Replaces the areas on the map. */
  show(rings: Position[][]): void
  use(tool: Tool): void
  /** Whether an area has been started and is not closed yet. */
  isDrawing(): boolean
  end(): void
}

const KM_PER_MILE = 1.609344

/** The drawing tools in the colours of the console: functions, so that each drawing has those of the current theme. */
function modes() {
  const accent = () => drawingColours().accent as `#${string}`
  const rim = () => drawingColours().rim as `#${string}`
  const styles = { fillColor: accent, outlineColor: accent, fillOpacity: 0.14, outlineWidth: 2 }
  const polygon = new TerraDrawPolygonMode({ styles: { ...styles, closingPointColor: accent } })
  // A circle on the ground, as the service measures it. A circle on the flat map has its centre north of the middle of its latitudes.
  const circle = new TerraDrawCircleMode({ styles, projection: 'globe' })
  const select = new TerraDrawSelectMode({
    flags: { polygon: { feature: { draggable: true, coordinates: { draggable: true, midpoints: true, deletable: true } } } },
    styles: {
      selectedPolygonColor: accent,
      selectedPolygonOutlineColor: accent,
      selectedPolygonFillOpacity: 0.14,
      selectedPolygonOutlineWidth: 2,
      selectionPointColor: rim,
      selectionPointOutlineColor: accent,
      selectionPointOutlineWidth: 2,
      selectionPointWidth: 5,
      midPointColor: accent,
      midPointWidth: 3,
    },
  })
  return [polygon, circle, select]
}

/** Lets people draw on a map with a mouse or a finger. */
export function attachDrawingTools(map: MapLibre, listener: DrawingListener): DrawingTools {
  const draw = new TerraDraw({
    adapter: new TerraDrawMapLibreGLAdapter({ map, coordinatePrecision: MAP_DECIMALS }),
    modes: modes(),
  })
  /** True while `show` replaces the areas, which is not a change by the person. */
  let showing = false
  const areas = () =>
    draw
      .getSnapshot()
      .flatMap(({ geometry, properties }) =>
        geometry.type === 'Polygon' && properties.mode === 'polygon' && !properties.currentlyDrawing ? [geometry.coordinates] : [],
      )
  const report = () => listener.changed(areas().map(([ring = []]) => ring))

  draw.start()
  draw.on('finish', (id) => {
    const feature = draw.getSnapshotFeature(id)
    if (feature?.properties.mode === 'circle' && feature.geometry.type === 'Polygon') {
      const [ring = []] = feature.geometry.coordinates
      const miles = Number(feature.properties.radiusKilometers) / KM_PER_MILE
      queueMicrotask(() => draw.removeFeatures([id]))
      return listener.circleDrawn(middleOf(ring), miles)
    }
    report()
  })
  draw.on('change', (_ids, type) => {
    if (type === 'delete' && !showing && draw.getMode() === 'select') report()
  })

  return {
    show(rings) {
      showing = true
      draw.clear()
      draw.addFeatures(
        rings.map((ring) => ({
          type: 'Feature' as const,
          geometry: { type: 'Polygon' as const, coordinates: [ring] },
          properties: { mode: 'polygon' },
        })),
      )
      showing = false
    },
    use(tool) {
      if (draw.getMode() !== tool) draw.setMode(tool)
      const [only, ...more] = draw.getSnapshot().filter(({ properties }) => properties.mode === 'polygon')
      if (tool === 'select' && only?.id !== undefined && more.length === 0) draw.selectFeature(only.id)
    },
    isDrawing: () => draw.getModeState() === 'drawing',
    end: () => draw.stop(),
  }
}

/** The centre of the smallest box around a ring. */
function middleOf(ring: Position[]): Point {
  const middle = (at: 0 | 1) => {
    const values = ring.map((position) => position[at] ?? 0)
    return (Math.min(...values) + Math.max(...values)) / 2
  }
  return { latitude: middle(1), longitude: middle(0) }
}
