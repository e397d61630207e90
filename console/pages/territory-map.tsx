import type { Geometry } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Box, formatPoint, type Point, parseCoordinates } from '../map/box.ts'
import { area, corners as cornerMarks, place } from '../map/content.ts'
import { attachDrawingTools, type DrawingTools, type Tool } from '../map/drawing-tools.ts'
import { cornersOfRings, editableRings, numericGeometry, parseCorners } from '../map/shape.ts'
import { Button } from '../parts/button.tsx'
import { MapPart } from '../parts/map.tsx'
import { type Draft, draftLocation, faultOfCorners, type Quote } from './territory-draft.ts'

interface Props {
  draft: Draft
  change: (part: Partial<Draft>) => void
  quote: Quote | null
  colour: string
}

/** Decimals of a drawn radius in miles: about 50 feet. */
const RADIUS_DECIMALS = 2

/** The map on which a territory is drawn with a mouse, a finger or the keyboard. The fields show the drawing at once. */
export function TerritoryMap({ draft, change, quote, colour }: Props) {
  const { kind, corners, exactShape, centre } = draft
  const [tool, setTool] = useState<Tool>(draft.corners === '' ? 'polygon' : 'select')
  const shape = draftLocation(draft).shape
  const rings = kind === 'polygon' && shape && !exactShape ? JSON.stringify(editableRings(shape)) : '[]'
  const activeTool = kind === 'radius' ? 'circle' : rings === '[]' ? 'polygon' : tool
  const canDraw = kind === 'radius' || (kind === 'polygon' && !exactShape)
  const { board: toolsRef, attach } = useDrawingTools({ shape, change, setTool, rings, activeTool })

  const point = kind === 'radius' ? parseCoordinates(centre) : null
  const centreText = point ? formatPoint(point) : ''
  const isUnclosed = kind === 'polygon' && shape === null
  const content = useMemo(
    () => contentOf({ kind, corners, exactShape: exactShape, quote, colour, centreText, isUnclosed }),
    [kind, corners, isUnclosed, exactShape, quote, colour, centreText],
  )

  const bounds = kind === 'polygon' ? null : quote?.bounds
  const view: Box | null = bounds ? [bounds.west, bounds.south, bounds.east, bounds.north] : draft.view

  const pick = (at: Point) => {
    if (toolsRef.current?.isDrawing()) return
    if (kind === 'radius') return change({ centre: formatPoint(at) })
    change({ corners: `${corners.trimEnd()}${corners.trim() === '' ? '' : '\n'}${formatPoint(at)}` })
  }
  const undo = () => change({ corners: corners.trimEnd().split('\n').slice(0, -1).join('\n') })

  return (
    <MapPart
      tall
      label="Map to draw the territory on"
      view={view}
      content={content}
      archive
      {...(canDraw && { draw: attach, pick, ...(kind === 'polygon' && { undo }) })}
    >
      {canDraw && <KeysHelp kind={kind} />}
      {canDraw && kind === 'polygon' && rings !== '[]' && (
        <div className="row">
          <Button aria-pressed={activeTool === 'polygon'} onPress={() => setTool(activeTool === 'polygon' ? 'select' : 'polygon')}>
            {activeTool === 'polygon' ? 'Move corners' : 'Draw another area'}
          </Button>
          <Button
            onPress={({ target }) => {
              change({ corners: '' })
              // The button goes with the drawing; the next one begins on the map.
              target.closest('.map')?.querySelector('canvas')?.focus()
            }}
          >
            Clear the drawing
          </Button>
        </div>
      )}
    </MapPart>
  )
}

interface Drawing extends Pick<Props, 'change'> {
  shape: ReturnType<typeof draftLocation>['shape']
  setTool: (tool: Tool) => void
  /** The rings of the fields as JSON, and the current tool. */
  rings: string
  activeTool: Tool
}

/** Attaches the drawing tools once the map is there. What is drawn goes into the fields. */
function useDrawingTools({ shape, change, setTool, rings, activeTool }: Drawing) {
  const toolsRef = useRef<DrawingTools | null>(null)
  const [ready, setReady] = useState(false)
  // Listeners of the map read the latest values from here.
  const latest = useRef({ shape, change })
  latest.current = { shape, change }
  const attach = useCallback(
    (map: MapLibre) => {
      const tools = attachDrawingTools(map, {
        changed(rings) {
          latest.current.change({ corners: cornersOfRings(rings, latest.current.shape) })
          setTool('select')
        },
        circleDrawn(centre, miles) {
          latest.current.change({ centre: formatPoint(centre), radius_miles: String(Number(miles.toFixed(RADIUS_DECIMALS))) })
        },
      })
      toolsRef.current = tools
      setReady(true)
      return () => {
        toolsRef.current = null
        setReady(false)
        tools.end()
      }
    },
    [setTool],
  )
  // The map follows the fields, except while somebody is drawing. Like the tools, it is ready in the first frame of the map.
  useLayoutEffect(() => {
    if (!ready || !toolsRef.current) return
    if (!toolsRef.current.isDrawing()) toolsRef.current.show(JSON.parse(rings))
    toolsRef.current.use(activeTool)
  }, [ready, rings, activeTool])
  return { board: toolsRef, attach }
}

function KeysHelp({ kind }: Pick<Draft, 'kind'>) {
  return (
    <p className="soft small keys">
      {kind === 'radius' ? (
        <>
          Click the centre, then the edge. With the keyboard: arrow keys move the map, <kbd>Enter</kbd> sets the centre.
        </>
      ) : (
        <>
          Click each corner, then the first one again to close the area. With the keyboard: arrow keys move the map, <kbd>+</kbd>{' '}
          <kbd>-</kbd> zoom, <kbd>Enter</kbd> sets a corner, <kbd>Backspace</kbd> undoes it. Right-click a corner to remove it.
        </>
      )}
    </p>
  )
}

interface ContentSource extends Pick<Draft, 'kind' | 'corners' | 'exactShape'>, Pick<Props, 'quote' | 'colour'> {
  /** Coordinates of the centre; empty if there is none. */
  centreText: string
  /** Corners are set, but no area is closed. */
  isUnclosed: boolean
}

/** The content of the map besides the drawing. */
function contentOf({ kind, corners, exactShape, quote, colour, centreText, isUnclosed }: ContentSource) {
  const unclosedCorners = isUnclosed && faultOfCorners(corners) === null ? parseCorners(corners).flat() : []
  const centre = centreText === '' ? null : parseCoordinates(centreText)
  return [
    ...(kind !== 'polygon' && quote ? [area(quote.geometry as Geometry, { colour })] : []),
    ...(exactShape ? [area(numericGeometry(exactShape), { colour })] : []),
    ...cornerMarks(unclosedCorners.map(([east, north]) => ({ latitude: Number(north), longitude: Number(east) }))),
    ...(centre ? [place(centre, 'The centre')] : []),
  ]
}
