import { markJson } from '#domain/exact-json.ts'
import { builder } from '#graphql/builder.ts'
import { readShapeLiteral } from '#graphql/shape-literal.ts'

/** A shape as GeoJSON has it, hence no input type: the domain says what is wrong with one. */
builder.scalarType('GeoJson', {
  description:
    'A GeoJSON Polygon or MultiPolygon, as input also a Feature wrapping one. Coordinates keep every digit with which they were sent.',
  serialize: (shape) => (typeof shape === 'string' ? markJson(shape) : shape),
  parseValue: readShape,
  parseLiteral: (node, variables) => readShape(readShapeLiteral(node, variables)),
  extensions: {
    json_schema: {
      type: 'object',
      required: ['type'],
      properties: { type: { type: 'string', enum: ['Polygon', 'MultiPolygon', 'Feature'] } },
    },
  },
})

/** The very object that was read: what was noted of its digits is noted of it. */
function readShape(sent: unknown): object {
  if (typeof sent === 'object' && sent !== null && !Array.isArray(sent)) return sent
  throw new TypeError('must be a GeoJSON object')
}
