import type { ColumnType } from '#domain/exports/archive/columns.ts'
import { CRS84 } from '#domain/exports/archive/feature-query.ts'
import { featureColumns } from '#domain/exports/archive/features.ts'
import { queryables } from '#domain/exports/archive/queryables.ts'

/** The only collection: the archive's records. */
export const COLLECTION = 'records'
export const GEOJSON_TYPE = 'application/geo+json'
export const OPENAPI_TYPE = 'application/vnd.oai.openapi+json;version=3.0'
export const SCHEMA_TYPE = 'application/schema+json'
const JSON_TYPE = 'application/json'

/** Relations are case-insensitive, but GDAL recognizes this one only in this spelling. */
const DESCRIBED_BY = 'describedBy'

/** Conformance classes: OGC API - Features parts 1 and 3, and CQL2. */
const conformsTo = [
  'http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson',
  'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/queryables',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter',
  'http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/features-filter',
  'http://www.opengis.net/spec/cql2/1.0/conf/cql2-text',
  'http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2',
  'http://www.opengis.net/spec/cql2/1.0/conf/advanced-comparison-operators',
]

export interface Link {
  href: string
  rel: string
  type: string
  title: string
}

/** A link of a document; JSON unless another type is given. */
export const link = (href: string, rel: string, title: string, type = JSON_TYPE): Link => ({ href, rel, type, title })

/** @param base the URL of the landing page, without a trailing slash */
export function landingPage(base: string, docs: string): object {
  return {
    title: TITLE,
    description: 'The archive of severe weather as features: each record with its source, its citation and any doubts about it.',
    links: [
      link(base, 'self', 'This page'),
      link(`${base}/api`, 'service-desc', 'The OpenAPI document of this API', OPENAPI_TYPE),
      link(docs, 'service-doc', 'The guide', 'text/html'),
      link(`${base}/conformance`, 'conformance', 'Conformance classes'),
      link(`${base}/collections`, 'data', 'The collections'),
    ],
  }
}

export const TITLE = 'Weather records'

export const conformance = { conformsTo }

/**
 * The list of collections: there is one.
 * @param begins the first day that the team's plan reaches
 */
export function collections(base: string, begins: string): object {
  return { links: [link(`${base}/collections`, 'self', 'This list')], collections: [collection(base, begins)] }
}

/** @param begins the first day that the team's plan reaches */
export function collection(base: string, begins: string): object {
  const self = `${base}/collections/${COLLECTION}`
  return {
    id: COLLECTION,
    title: TITLE,
    description:
      'The current records of the agencies’ sources, newest day first: hail, wind, tornadoes, floods and more. A record of a county or zone has no geometry. A path or an area is at its start point.',
    itemType: 'feature',
    crs: [CRS84],
    storageCrs: CRS84,
    extent: {
      spatial: { bbox: [[-180, -90, 180, 90]], crs: CRS84 },
      temporal: { interval: [[`${begins}T00:00:00Z`, null]], trs: 'http://www.opengis.net/def/uom/ISO-8601/0/Gregorian' },
    },
    links: [
      link(self, 'self', 'This collection'),
      link(`${self}/items`, 'items', 'Its records', GEOJSON_TYPE),
      link(`${self}/schema`, DESCRIBED_BY, 'Properties of a record', SCHEMA_TYPE),
      link(`${self}/queryables`, 'http://www.opengis.net/def/rel/ogc/1.0/queryables', 'Properties that a filter can use', SCHEMA_TYPE),
    ],
  }
}

const schemas: Record<ColumnType, object> = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  text: { type: 'string' },
  texts: { type: 'array', items: { type: 'string' } },
  boolean: { type: 'boolean' },
  day: { type: 'string', format: 'date' },
  moment: { type: 'string', format: 'date-time' },
}

/**
 * JSON Schema of a record as a feature: it gives clients the type of each column before they see a value. Every column may be null: that is
 * stated as in OpenAPI 3.0, since GDAL takes a column with a list of types for text.
 */
export function schemaOf(base: string): object {
  const properties = Object.fromEntries(
    featureColumns.map(([name, { type, says }]) => [name, { title: says, nullable: true, ...schemas[type] }]),
  )
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${base}/collections/${COLLECTION}/schema`,
    type: 'object',
    title: TITLE,
    properties: {
      type: { const: 'Feature' },
      id: { type: 'integer' },
      geometry: {
        title: 'None for a record of a county or a zone',
        anyOf: [{ $ref: 'https://geojson.org/schema/Point.json' }, { type: 'null' }],
      },
      properties: { type: 'object', properties },
    },
  }
}

/** JSON Schema of the properties that a filter can use. */
export function queryablesOf(base: string): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${base}/collections/${COLLECTION}/queryables`,
    type: 'object',
    title: TITLE,
    properties: Object.fromEntries(
      Object.entries(queryables).map(([name, { type, says, values }]) => [
        name,
        { title: says, ...schemas[type], ...(values && { enum: values }) },
      ]),
    ),
    additionalProperties: false,
  }
}

/** The properties of a feature, each nullable, in the form of OpenAPI 3.0. */
export const featureProperties = Object.fromEntries(
  featureColumns.map(([name, { type, says }]) => [name, { description: says, nullable: true, ...schemas[type] }]),
)
