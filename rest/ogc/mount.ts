import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#domain/access/caller.ts'
import { permit } from '#domain/access/permit.ts'
import type { App } from '#domain/app.ts'
import { featureParameters, readFeatureQuery } from '#domain/exports/archive/feature-query.ts'
import { ARCHIVE_ABILITY, collectionStart, readFeature, readFeatures } from '#domain/exports/archive/features.ts'
import { refuseParameter } from '#domain/exports/archive/refuse-parameter.ts'
import { printableExcerpt } from '#domain/kernel/form.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { admitWithOrigin, answerPreflight } from '#rest/cors.ts'
import { compressFor } from '#rest/encoding.ts'
import {
  COLLECTION,
  collection,
  collections,
  conformance,
  GEOJSON_TYPE,
  landingPage,
  link,
  OPENAPI_TYPE,
  queryablesOf,
  SCHEMA_TYPE,
  schemaOf,
} from '#rest/ogc/documents.ts'
import { describeFeatures } from '#rest/ogc/openapi.ts'
import { send } from '#rest/send.ts'

const PATH = '/ogc'
const ITEMS = `/collections/${COLLECTION}/items`
const JSON_TYPE = 'application/json'
/** The data changes with each import, and a cached copy may not be read without the token. */
const CACHE = 'private, no-cache'

/** A request with an admitted token and only known query parameters. */
interface DocumentRequest {
  app: App
  caller: Caller
  base: string
  query: Record<string, string>
  params: Record<string, string>
  /** Whether the client has closed the connection. */
  isAborted(): boolean
}

interface Document {
  name: string
  type?: string
  /** Known query parameters. */
  parameters?: readonly string[]
  build(request: DocumentRequest): object | Promise<object>
}

const landing: Document = { name: 'landing', build: ({ base, app }) => landingPage(base, `${app.config.base_url}/docs`) }

/** The documents under /ogc, by path. */
const documents: Record<string, Document> = {
  '': landing,
  // Some programs add a trailing slash.
  '/': landing,
  '/conformance': { name: 'conformance', build: () => conformance },
  '/api': { name: 'api', type: OPENAPI_TYPE, build: ({ base }) => describeFeatures(base) },
  '/collections': { name: 'collections', build: ({ base, app, caller }) => collections(base, collectionStart(app, caller)) },
  [`/collections/${COLLECTION}`]: { name: 'collection', build: ({ base, app, caller }) => collection(base, collectionStart(app, caller)) },
  [`/collections/${COLLECTION}/queryables`]: { name: 'queryables', type: SCHEMA_TYPE, build: ({ base }) => queryablesOf(base) },
  [`/collections/${COLLECTION}/schema`]: { name: 'schema', type: SCHEMA_TYPE, build: ({ base }) => schemaOf(base) },
  [ITEMS]: { name: 'items', type: GEOJSON_TYPE, parameters: featureParameters, build: featureCollection },
  [`${ITEMS}/:id`]: { name: 'item', type: GEOJSON_TYPE, build: feature },
}

/**
 * Mounts the archive as OGC API Features, outside the contract: GET under /ogc with a team's token and the ability maps:read, as far back as
 * the plan reaches. The order of checks is that of the contract: 401, 429, 402 of the plan, 403, then the query.
 */
export function mountOgc(fastify: FastifyInstance, app: App): void {
  for (const path of [PATH, `${PATH}/*`])
    fastify.options(path, { onRequest: answerPreflight(app) }, (_request, reply) => reply.callNotFound())
  for (const [path, document] of Object.entries(documents)) {
    fastify.get(PATH + path, (request, reply) => answerDocument(app, document, request, reply))
  }
}

async function answerDocument(app: App, document: Document, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const caller = await admitWithOrigin(app, request, reply)
  addToRequestLog(request, { operation: `ogc.${document.name}` })
  permit(caller, ARCHIVE_ABILITY)
  const query = queryOf(request.query as Record<string, unknown>, document.parameters ?? [])
  const documentRequest = {
    app,
    caller,
    base: app.config.base_url + PATH,
    query,
    params: request.params as Record<string, string>,
    isAborted: () => reply.raw.destroyed,
  }
  const body = JSON.stringify(await document.build(documentRequest))
  const answer = { status: 200, body, content_type: document.type ?? JSON_TYPE, headers: { 'cache-control': CACHE } }
  return send(request, reply, await compressFor(request.headers['accept-encoding'], answer))
}

/** @throws Refusal 400 for an unknown parameter, and for a parameter sent twice */
function queryOf(sent: Record<string, unknown>, known: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      if (!known.includes(name)) refuseParameter(printableExcerpt(name), `There is no parameter called ${printableExcerpt(name)} here.`)
      if (typeof value !== 'string') refuseParameter(name, `The ${name} must be one value.`)
      return [name, value]
    }),
  )
}

/** It has no timeStamp, which is optional and would differ in each response: a client that has the page already gets 304. */
async function featureCollection({ app, caller, base, query, isAborted }: DocumentRequest): Promise<object> {
  const featureQuery = readFeatureQuery(query)
  const { features, cursor } = await readFeatures(app, caller, featureQuery, { isAborted })
  const page = (more: Record<string, string>) => urlOf(base + ITEMS, { ...query, ...more })
  return {
    type: 'FeatureCollection',
    features,
    links: [
      link(page({}), 'self', 'This page', GEOJSON_TYPE),
      ...(cursor === null ? [] : [link(page({ cursor }), 'next', 'The next page', GEOJSON_TYPE)]),
      link(`${base}/collections/${COLLECTION}`, 'collection', 'The collection'),
    ],
    // Counting a longer list would take as long as reading it.
    ...(cursor === null && featureQuery.after === null && { numberMatched: features.length }),
    numberReturned: features.length,
  }
}

function urlOf(path: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

async function feature({ app, caller, base, params }: DocumentRequest): Promise<object> {
  const found = await readFeature(app, caller, params.id ?? '')
  const links = [
    link(`${base}${ITEMS}/${found.id}`, 'self', 'This record', GEOJSON_TYPE),
    link(`${base}/collections/${COLLECTION}`, 'collection', 'The collection'),
  ]
  return { ...found, links }
}
