import { POLYGONS_MAX, POSITIONS_MAX, RING_MIN } from '#domain/geo/geometry-parse.ts'
import { markJson } from '#domain/kernel/exact-json.ts'
import { builder } from '#graphql/builder.ts'
import { readShapeLiteral } from '#graphql/shape-literal.ts'

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const position = {
  type: 'array',
  minItems: 2,
  maxItems: 3,
  items: { type: 'number' },
  description: 'Longitude, latitude, and a height that is not used.',
}
const ring = {
  type: 'array',
  minItems: RING_MIN,
  maxItems: POSITIONS_MAX,
  items: position,
  description: 'Closed: its last position is its first.',
}
const polygon = { type: 'array', minItems: 1, items: ring }

/** A shape as GeoJSON has it, so no input type: the domain says what is wrong with one. */
builder.scalarType('GeoJson', {
  description:
    'A GeoJSON Polygon or MultiPolygon, as input also a Feature wrapping one. Coordinates keep every digit with which they were sent.',
  serialize: (shape) => (typeof shape === 'string' ? markJson(shape) : shape),
  parseValue: readShape,
  parseLiteral: (node, variables) => readShape(readShapeLiteral(node, variables)),
  extensions: {
    json_schema: { oneOf: [refTo('Polygon'), refTo('MultiPolygon')] },
    json_schema_of_input: { oneOf: [refTo('Polygon'), refTo('MultiPolygon'), refTo('PolygonFeature')] },
    json_schemas: {
      Polygon: shapeOf('Polygon', polygon, 'A GeoJSON Polygon: its outer ring, then its holes.'),
      MultiPolygon: shapeOf(
        'MultiPolygon',
        { type: 'array', minItems: 1, maxItems: POLYGONS_MAX, items: polygon },
        `A GeoJSON MultiPolygon of at most ${POLYGONS_MAX} polygons.`,
      ),
      PolygonFeature: {
        type: 'object',
        description: 'A GeoJSON Feature that wraps a shape; its properties are not read.',
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

function shapeOf(type: string, coordinates: object, description: string): object {
  return {
    type: 'object',
    description,
    required: ['type', 'coordinates'],
    properties: { type: { type: 'string', const: type }, coordinates },
  }
}

/** The very object that was read: what was noted of its digits is noted of it. */
function readShape(sent: unknown): object {
  if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) return sent
  throw new TypeError('must be a GeoJSON object')
}
