import type { Geometry } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Box, type Point, readCoordinates, written } from '../map/box.ts'
import { area, corners as cornerMarks, place } from '../map/content.ts'
import { attachDrawingTools, type DrawingTools, type Tool } from '../map/drawing-tools.ts'
import { changedCorners, drawn, readCorners, ringsToChange } from '../map/shape.ts'
import { Button } from '../parts/button.tsx'
import { MapPart } from '../parts/map.tsx'
import { type Draft, draftPlace, faultOfCorners, type Quote } from './territory-draft.ts'

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
  const { kind, corners, kept, centre } = draft
  const [tool, setTool] = useState<Tool>(draft.corners === '' ? 'polygon' : 'select')
  const shape = draftPlace(draft).shape
  const rings = kind === 'polygon' && shape && !kept ? JSON.stringify(ringsToChange(shape)) : '[]'
  const activeTool = kind === 'radius' ? 'circle' : rings === '[]' ? 'polygon' : tool
  const canDraw = kind === 'radius' || (kind === 'polygon' && !kept)
  const { board, attach } = useBoard({ shape, change, setTool, rings, activeTool })

  const point = kind === 'radius' ? readCoordinates(centre) : null
  const centreText = point ? written(point) : ''
  const isUnclosed = kind === 'polygon' && shape === null
  const content = useMemo(
    () => shownOf({ kind, corners, kept, quote, colour, centreText, isUnclosed }),
    [kind, corners, isUnclosed, kept, quote, colour, centreText],
  )

  const bounds = kind === 'polygon' ? null : quote?.bounds
  const view: Box | null = bounds ? [bounds.west, bounds.south, bounds.east, bounds.north] : draft.view

  const pick = (at: Point) => {
    if (board.current?.isDrawing()) return
    if (kind === 'radius') return change({ centre: written(at) })
    change({ corners: `${corners.trimEnd()}${corners.trim() === '' ? '' : '\n'}${written(at)}` })
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
          <Button onPress={() => change({ corners: '' })}>Clear the drawing</Button>
        </div>
      )}
    </MapPart>
  )
}

interface Drawing extends Pick<Props, 'change'> {
  shape: ReturnType<typeof draftPlace>['shape']
  setTool: (tool: Tool) => void
  /** The rings of the fields as JSON, and the current tool. */
  rings: string
  activeTool: Tool
}

/** Attaches the drawing tools once the map is there. What is drawn goes into the fields. */
function useBoard({ shape, change, setTool, rings, activeTool }: Drawing) {
  const board = useRef<DrawingTools | null>(null)
  const [ready, setReady] = useState(false)
  // Listeners of the map read the latest values from here.
  const latest = useRef({ shape, change })
  latest.current = { shape, change }
  const attach = useCallback(
    (map: MapLibre) => {
      const tools = attachDrawingTools(map, {
        changed(rings) {
          latest.current.change({ corners: changedCorners(rings, latest.current.shape) })
          setTool('select')
        },
        circled(middle, miles) {
          latest.current.change({ centre: written(middle), radius_miles: String(Number(miles.toFixed(RADIUS_DECIMALS))) })
        },
      })
      board.current = tools
      setReady(true)
      return () => {
        board.current = null
        setReady(false)
        tools.end()
      }
    },
    [setTool],
  )
  // The map follows the fields, except while somebody is drawing.
  useEffect(() => {
    if (!ready || !board.current) return
    if (!board.current.isDrawing()) board.current.show(JSON.parse(rings))
    board.current.use(activeTool)
  }, [ready, rings, activeTool])
  return { board, attach }
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

interface Shown extends Pick<Draft, 'kind' | 'corners' | 'kept'>, Pick<Props, 'quote' | 'colour'> {
  /** Coordinates of the centre; empty if there is none. */
  centreText: string
  /** Corners are set, but no area is closed. */
  isUnclosed: boolean
}

/** The content of the map besides the drawing. */
function shownOf({ kind, corners, kept, quote, colour, centreText, isUnclosed }: Shown) {
  const unclosedCorners = isUnclosed && faultOfCorners(corners) === null ? readCorners(corners).flat() : []
  const middle = centreText === '' ? null : readCoordinates(centreText)
  return [
    ...(kind !== 'polygon' && quote ? [area(quote.geometry as Geometry, { colour })] : []),
    ...(kept ? [area(drawn(kept), { colour })] : []),
    ...cornerMarks(unclosedCorners.map(([east, north]) => ({ latitude: Number(north), longitude: Number(east) }))),
    ...(middle ? [place(middle, 'The centre')] : []),
  ]
}
