import { builder } from '#graphql/builder.ts'

/**
 * Scalars more specific than String. `json_schema` is their form in the OpenAPI document.
 * The domain checks whether a text is a real date or the id of a record, and names the faulty field.
 */
builder.scalarType('Date', {
  description: 'A calendar date, YYYY-MM-DD.',
  serialize: String,
  parseValue: text('a date written YYYY-MM-DD'),
  extensions: { json_schema: { type: 'string', format: 'date' } },
})

builder.scalarType('DateTime', {
  description: 'A point in time in UTC: ISO 8601, ending in Z.',
  serialize: (moment) => (moment instanceof Date ? moment.toISOString() : moment),
  parseValue: text('a moment written as ISO 8601'),
  extensions: { json_schema: { type: 'string', format: 'date-time' } },
})

builder.scalarType('UUID', {
  description: 'An id.',
  serialize: String,
  // Upper case is another spelling of the same id: documents and the audit log are found by the stored one.
  parseValue: (value) => text('an id')(value).toLowerCase(),
  extensions: { json_schema: { type: 'string', format: 'uuid' } },
})

function text(what: string) {
  return (value: unknown): string => {
    if (typeof value !== 'string') throw new TypeError(`must be ${what}`)
    return value
  }
}
