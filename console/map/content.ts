import type { Feature, Geometry } from 'geojson'
import { circle, type Point } from './box.ts'

/** The kinds of things that a page puts on the map, each drawn in its own way. */
export type ContentKind = 'area' | 'corner' | 'edge' | 'place' | 'record' | 'cell' | 'swath'

export type Content = Feature<Geometry, { kind: ContentKind; [key: string]: unknown }>

const feature = (kind: ContentKind, geometry: Geometry, more: object = {}): Content => ({
  type: 'Feature',
  geometry,
  properties: { kind, ...more },
})

const at = ({ latitude, longitude }: Point): Geometry => ({ type: 'Point', coordinates: [longitude, latitude] })

/** An area in its colour; the text is shown when it is clicked. */
export const area = (geometry: Geometry, more: { colour?: string; text?: string } = {}) => feature('area', geometry, more)

/**
 * A circle as an area of the map.
 * @param miles its radius
 */
export const circleArea = (centre: Point, miles: number, more: { colour?: string } = {}) =>
  area({ type: 'Polygon', coordinates: [circle(centre, miles)] }, more)
/** The place that the page shows. */
export const place = (point: Point, text: string) => feature('place', at(point), { text })
/** A weather record: the type sets its colour, and the text is shown when it is clicked. The chosen record is larger. */
export const record = (point: Point, type: string, text: string, more: { id?: number; chosen?: boolean } = {}) =>
  feature('record', at(point), { type, text, ...more })
/** The radar estimate of hail over one grid cell, in inches. */
export const cell = (point: Point, mesh_in: number) => feature('cell', at(point), { mesh_in })
/** The area where the largest radar-estimated hail of a day is in one size band, which starts at `from_in` inches. */
export const swath = (geometry: Geometry, from_in: number) => feature('swath', geometry, { from_in })
/** The corners of an area that is not closed yet, and the line through them. */
export const corners = (points: Point[]): Content[] => [
  ...points.map((point) => feature('corner', at(point))),
  ...(points.length > 1
    ? [feature('edge', { type: 'LineString', coordinates: points.map(({ latitude, longitude }) => [longitude, latitude]) })]
    : []),
]
