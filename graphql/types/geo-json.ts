import { POLYGONS_MAX, POSITIONS_MAX, RING_MIN } from '#domain/geo/geometry-parse.ts'
import { markJson } from '#domain/kernel/exact-json.ts'
import { builder } from '#graphql/builder.ts'
import { readShapeLiteral } from '#graphql/shape-literal.ts'

/** The limit on a territory's shape; the shape of a swath is usually shorter. */
const SHAPE_KILOBYTES = 512

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const position = {
  type: 'array',
  minItems: 2,
  maxItems: 3,
  items: { type: 'number' },
  description: 'Longitude, latitude, and an optional height that is ignored.',
}
const ring = {
  type: 'array',
  minItems: RING_MIN,
  maxItems: POSITIONS_MAX,
  items: position,
  description: 'A closed ring: its last position equals its first.',
}
const polygon = { type: 'array', minItems: 1, items: ring }

/** A GeoJSON shape. It is a scalar, not an input type, so that the domain can report what is wrong with it. */
builder.scalarType('GeoJson', {
  description: 'A GeoJSON Polygon or MultiPolygon. Input may also be a Feature that wraps one. Coordinates keep every digit that was sent.',
  serialize: (shape) => (typeof shape === 'string' ? markJson(shape) : shape),
  // The same object, not a copy: the digits of its coordinates are recorded against this object.
  parseValue: (sent) => sent as object,
  parseLiteral: (node, variables) => readShapeLiteral(node, variables) as object,
  extensions: {
    kilobytes: SHAPE_KILOBYTES,
    json_schema: { oneOf: [refTo('Polygon'), refTo('MultiPolygon')] },
    json_schema_of_input: { oneOf: [refTo('Polygon'), refTo('MultiPolygon'), refTo('PolygonFeature')] },
    json_schemas: {
      Polygon: shapeSchema('Polygon', polygon, 'A GeoJSON Polygon: its outer ring, then its holes.'),
      MultiPolygon: shapeSchema(
        'MultiPolygon',
        { type: 'array', minItems: 1, maxItems: POLYGONS_MAX, items: polygon },
        `A GeoJSON MultiPolygon of at most ${POLYGONS_MAX} polygons.`,
      ),
      PolygonFeature: {
        type: 'object',
        description: 'A GeoJSON Feature that wraps a shape. Its properties are ignored.',
        required: ['type', 'geometry'],
        properties: {
          type: { type: 'string', const: 'Feature' },
          geometry: { oneOf: [refTo('Polygon'), refTo('MultiPolygon')] },
          properties: { type: ['object', 'null'], additionalProperties: true },
        },
      },
    },
  },
})

function shapeSchema(type: string, coordinates: object, description: string): object {
  return {
    type: 'object',
    description,
    required: ['type', 'coordinates'],
    properties: { type: { type: 'string', const: type }, coordinates },
  }
}
