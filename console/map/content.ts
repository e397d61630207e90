import type { Feature, Geometry } from 'geojson'
import { circle, type Point } from './box.ts'

/** What a page puts on the map; each kind is drawn in its own way. */
export type ContentKind = 'area' | 'corner' | 'edge' | 'place' | 'record' | 'cell' | 'swath'

export type Content = Feature<Geometry, { kind: ContentKind; [key: string]: unknown }>

const feature = (kind: ContentKind, geometry: Geometry, more: object = {}): Content => ({
  type: 'Feature',
  geometry,
  properties: { kind, ...more },
})

const at = ({ latitude, longitude }: Point): Geometry => ({ type: 'Point', coordinates: [longitude, latitude] })

/** An area in its colour, dashed where it is not saved; a text is shown when it is picked. */
export const area = (geometry: Geometry, more: { colour?: string; text?: string } = {}) => feature('area', geometry, more)
export const circleArea = (centre: Point, miles: number, more: { colour?: string } = {}) =>
  area({ type: 'Polygon', coordinates: [circle(centre, miles)] }, more)
/** The place that a page is about. */
export const place = (point: Point, text: string) => feature('place', at(point), { text })
/** A record of weather: its type decides the colour, and the text is shown when it is picked. The one that is chosen is larger. */
export const record = (point: Point, type: string, text: string, more: { id?: number; chosen?: boolean } = {}) =>
  feature('record', at(point), { type, text, ...more })
/** What radar estimates of hail over one cell of its grid, in inches. */
export const cell = (point: Point, mesh_in: number) => feature('cell', at(point), { mesh_in })
/** Where the largest hail of a day, as radar estimated it, lay in one band: from how many inches. */
export const swath = (geometry: Geometry, from_in: number) => feature('swath', geometry, { from_in })
/** The corners of a drawing that is no area yet, and the line along them. */
export const corners = (points: Point[]): Content[] => [
  ...points.map((point) => feature('corner', at(point))),
  ...(points.length > 1
    ? [feature('edge', { type: 'LineString', coordinates: points.map(({ latitude, longitude }) => [longitude, latitude]) })]
    : []),
]
