import { FILTER_MAX } from '#domain/exports/archive/cql2.ts'
import { CRS84, LIMIT, LIMIT_MAX } from '#domain/exports/archive/feature-query.ts'
import { COLLECTION, featureProperties, GEOJSON_TYPE, OPENAPI_TYPE, SCHEMA_TYPE, TITLE } from '#rest/ogc/documents.ts'

const text = { type: 'string' }
const named = (name: string, description: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  description,
  schema,
  ...more,
})

/** Of every parameter of the features' query by its name. */
const parameters = {
  bbox: named(
    'bbox',
    'West, south, east and north in degrees. A west that is right of the east goes around the back of the map.',
    { type: 'array', minItems: 4, maxItems: 6, items: { type: 'number' } },
    { style: 'form', explode: false },
  ),
  'bbox-crs': named('bbox-crs', 'Of the bbox.', { type: 'string', format: 'uri', enum: [CRS84], default: CRS84 }),
  datetime: named('datetime', 'A moment, a day, or two with a slash between them, of which either may be .. for an open end.', text),
  limit: named(
    'limit',
    'Features of a page at most: it has fewer where finding more takes long, and its next link goes on. A larger number is the largest.',
    {
      type: 'integer',
      minimum: 1,
      maximum: LIMIT_MAX,
      default: LIMIT,
    },
  ),
  filter: named('filter', "CQL2 text: type = 'hail' AND hail_size_in >= 1.75", { type: 'string', maxLength: FILTER_MAX }),
  'filter-lang': named('filter-lang', 'Of the filter.', { type: 'string', enum: ['cql2-text'], default: 'cql2-text' }),
  'filter-crs': named('filter-crs', 'Of the filter.', { type: 'string', format: 'uri', enum: [CRS84], default: CRS84 }),
  cursor: named('cursor', 'Where a page begins: that of a next link.', text),
}

const reference = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })
const answer = (description: string, schema: string, type = 'application/json') => ({
  description,
  content: { [type]: { schema: reference(schema) } },
})
const fault = (description: string) => answer(description, 'exception')

function reads(
  operationId: string,
  summary: string,
  success: object,
  more: { parameters?: object[]; faults?: Record<string, object> } = {},
): object {
  const { faults, ...rest } = more
  const usual = {
    401: fault('No token, or none in force'),
    402: fault('The plan does not reach so far'),
    403: fault('The token lacks maps:read'),
  }
  const responses = { 200: success, 400: fault('A parameter is at fault'), ...usual, ...faults, 429: fault('Too many requests') }
  return { get: { operationId, summary, tags: [TITLE], ...rest, responses } }
}

const records = `/collections/${COLLECTION}`

/** The description of the features' API, which is none of the contract's: OpenAPI 3.0, as its conformance class asks. */
export function describeFeatures(base: string): object {
  return {
    openapi: '3.0.3',
    info: { title: TITLE, version: '1.0.0', description: 'OGC API - Features over the archive of the Weather Report Service.' },
    servers: [{ url: base }],
    tags: [{ name: TITLE }],
    security: [{ token: [] }],
    paths: {
      '/': reads('getLandingPage', 'The landing page', answer('Where everything is', 'document')),
      '/conformance': reads('getConformance', 'What of the standards is kept', answer('The classes', 'document')),
      '/api': reads('getApi', 'This description', answer('This document', 'document', OPENAPI_TYPE)),
      '/collections': reads('getCollections', 'The collections', answer('The one there is', 'document')),
      [records]: reads('getCollection', 'The collection of records', answer('What is in it', 'document')),
      [`${records}/queryables`]: reads('getQueryables', 'What a filter may name', answer('As JSON Schema', 'document', SCHEMA_TYPE)),
      [`${records}/schema`]: reads('getSchema', 'What a record has', answer('As JSON Schema', 'document', SCHEMA_TYPE)),
      [`${records}/items`]: reads('getFeatures', 'A page of records', answer('Newest day first', 'featureCollection', GEOJSON_TYPE), {
        parameters: Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      }),
      [`${records}/items/{featureId}`]: reads('getFeature', 'A record', answer('The record', 'feature', GEOJSON_TYPE), {
        parameters: [{ name: 'featureId', in: 'path', required: true, description: 'Its number', schema: text }],
        faults: { 404: fault('There is no such record') },
      }),
    },
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } }, parameters, schemas },
  }
}

const links = {
  type: 'array',
  items: { type: 'object', required: ['href', 'rel'], properties: { href: text, rel: text, type: text, title: text } },
}

const feature = {
  type: 'object',
  required: ['type', 'id', 'geometry', 'properties'],
  properties: {
    type: { type: 'string', enum: ['Feature'] },
    id: { type: 'integer' },
    geometry: { type: 'object', nullable: true, description: 'A GeoJSON Point; null for a record of a county or a zone.' },
    properties: { type: 'object', properties: featureProperties },
    links,
  },
}

const schemas = {
  document: { type: 'object' },
  feature,
  featureCollection: {
    type: 'object',
    required: ['type', 'features'],
    properties: {
      type: { type: 'string', enum: ['FeatureCollection'] },
      features: { type: 'array', items: reference('feature') },
      links,
      timeStamp: { type: 'string', format: 'date-time' },
      numberMatched: { type: 'integer', description: 'Stated where one page holds all.' },
      numberReturned: { type: 'integer' },
    },
  },
  exception: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      object: text,
      status: { type: 'integer' },
      code: text,
      message: text,
      errors: {
        type: 'object',
        nullable: true,
        description: 'Sentences by parameter.',
        additionalProperties: { type: 'array', items: text },
      },
      request_id: text,
    },
  },
}
