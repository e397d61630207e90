import { builder } from '#graphql/builder.ts'

/**
 * Scalars that say more than String. `json_schema` is how the machine-readable description states them.
 * Whether a text is a real date or an id of something is judged by the domain, which names the field at fault.
 */
builder.scalarType('Date', {
  description: 'A calendar date, YYYY-MM-DD.',
  serialize: String,
  parseValue: text('a date written YYYY-MM-DD'),
  extensions: { json_schema: { type: 'string', format: 'date' } },
})

builder.scalarType('DateTime', {
  description: 'A moment in UTC: ISO 8601, ending in Z.',
  serialize: (moment) => (moment instanceof Date ? moment.toISOString() : moment),
  parseValue: text('a moment written as ISO 8601'),
  extensions: { json_schema: { type: 'string', format: 'date-time' } },
})

builder.scalarType('UUID', {
  description: 'An id.',
  serialize: String,
  parseValue: text('an id'),
  extensions: { json_schema: { type: 'string', format: 'uuid' } },
})

function text(what: string) {
  return (value: unknown): string => {
    if (typeof value !== 'string') throw new TypeError(`must be ${what}`)
    return value
  }
}
