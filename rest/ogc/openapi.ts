import { FILTER_MAX } from '#domain/exports/archive/cql2.ts'
import { CRS84, LIMIT, LIMIT_MAX } from '#domain/exports/archive/feature-query.ts'
import { COLLECTION, featureProperties, GEOJSON_TYPE, OPENAPI_TYPE, SCHEMA_TYPE, TITLE } from '#rest/ogc/documents.ts'

const text = { type: 'string' }
const queryParameter = (name: string, description: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  description,
  schema,
  ...more,
})

/** Query parameters of the features, by name. */
const parameters = {
  bbox: queryParameter(
    'bbox',
    'West, south, east and north, in degrees. If west is greater than east, the box crosses the antimeridian.',
    { type: 'array', minItems: 4, maxItems: 6, items: { type: 'number' } },
    { style: 'form', explode: false },
  ),
  'bbox-crs': queryParameter('bbox-crs', 'Coordinate reference system of the bbox.', {
    type: 'string',
    format: 'uri',
    enum: [CRS84],
    default: CRS84,
  }),
  datetime: queryParameter(
    'datetime',
    'A point in time, a day, or an interval of two separated by a slash. Either end may be .. for an open interval.',
    text,
  ),
  limit: queryParameter(
    'limit',
    'Largest number of features per page. A page has fewer if finding more takes too long; its next link continues. A number above the maximum is set to the maximum.',
    {
      type: 'integer',
      minimum: 1,
      maximum: LIMIT_MAX,
      default: LIMIT,
    },
  ),
  filter: queryParameter('filter', "CQL2 text: type = 'hail' AND hail_size_in >= 1.75", { type: 'string', maxLength: FILTER_MAX }),
  'filter-lang': queryParameter('filter-lang', 'Language of the filter.', {
    type: 'string',
    enum: ['cql2-text'],
    default: 'cql2-text',
  }),
  'filter-crs': queryParameter('filter-crs', 'Coordinate reference system of the filter.', {
    type: 'string',
    format: 'uri',
    enum: [CRS84],
    default: CRS84,
  }),
  cursor: queryParameter('cursor', 'Start of a page, taken from a next link.', text),
}

const reference = (schema: string) => ({ $ref: `#/components/schemas/${schema}` })
const answer = (description: string, schema: string, type = 'application/json') => ({
  description,
  content: { [type]: { schema: reference(schema) } },
})
const errorResponse = (description: string) => answer(description, 'exception')

function getOperation(
  operationId: string,
  summary: string,
  success: object,
  more: { parameters?: object[]; faults?: Record<string, object> } = {},
): object {
  const { faults, ...rest } = more
  const commonErrors = {
    401: errorResponse('The token is missing or invalid'),
    402: errorResponse('The plan does not reach so far back'),
    403: errorResponse('The token lacks maps:read'),
  }
  const responses = {
    200: success,
    400: errorResponse('A parameter is invalid'),
    ...commonErrors,
    ...faults,
    429: errorResponse('Too many requests'),
  }
  return { get: { operationId, summary, tags: [TITLE], ...rest, responses } }
}

const records = `/collections/${COLLECTION}`

/** The OpenAPI document of the features API, which is outside the contract: OpenAPI 3.0, as its conformance class requires. */
export function describeFeatures(base: string): object {
  return {
    openapi: '3.0.3',
    info: { title: TITLE, version: '1.0.0', description: 'OGC API - Features over the archive of the Weather Report Service.' },
    servers: [{ url: base }],
    tags: [{ name: TITLE }],
    security: [{ token: [] }],
    paths: {
      '/': getOperation('getLandingPage', 'The landing page', answer('Links to all resources', 'document')),
      '/conformance': getOperation('getConformance', 'Conformance classes', answer('The conformance classes', 'document')),
      '/api': getOperation('getApi', 'This OpenAPI document', answer('This document', 'document', OPENAPI_TYPE)),
      '/collections': getOperation('getCollections', 'The collections', answer('The only collection', 'document')),
      [records]: getOperation('getCollection', 'The collection of records', answer('Description of the collection', 'document')),
      [`${records}/queryables`]: getOperation(
        'getQueryables',
        'Properties that a filter can use',
        answer('As JSON Schema', 'document', SCHEMA_TYPE),
      ),
      [`${records}/schema`]: getOperation('getSchema', 'Properties of a record', answer('As JSON Schema', 'document', SCHEMA_TYPE)),
      [`${records}/items`]: getOperation(
        'getFeatures',
        'A page of records',
        answer('Newest day first', 'featureCollection', GEOJSON_TYPE),
        {
          parameters: Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
        },
      ),
      [`${records}/items/{featureId}`]: getOperation('getFeature', 'A record', answer('The record', 'feature', GEOJSON_TYPE), {
        parameters: [{ name: 'featureId', in: 'path', required: true, description: 'Id of the record', schema: text }],
        faults: { 404: errorResponse('The record does not exist') },
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
    geometry: { type: 'object', nullable: true, description: 'A GeoJSON Point; null for a record of a county or zone.' },
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
      numberMatched: { type: 'integer', description: 'Present if one page contains all.' },
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
