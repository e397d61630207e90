import type { BatchStatus, Endpoint, Handler, Method, OwnEndpoint, Route, TestPostStatus } from '#rest/exchange.ts'
import { indexDocument, indexSchema } from '#rest/index-document.ts'
import { refTo } from '#rest/json-schemas.ts'
import { openApiDocument, openApiSchema } from '#rest/openapi.ts'
import { reportPdfBytes, reportPdfDownload } from '#rest/pdf.ts'
import { TILE_TYPE, tile } from '#rest/tile.ts'

/** A JSON body of one resource is always much smaller than this. */
const BODY_LIMIT = 1024 * 1024
/** 100 rows of a batch, or 10,000 positions of a shape. */
const LARGE_BODY_LIMIT = 4 * BODY_LIMIT

const batchStatus = (all: number): BatchStatus => ({ all })
const testPostStatus = (status: number): TestPostStatus => ({ undelivered: status })

type Optional = Partial<Pick<Route, 'as' | 'status' | 'refuses' | 'also' | 'replays' | 'body_limit' | 'packed' | 'secret' | 'replica'>>
type FieldOptions = Optional & { field: string; engine?: 'jit' | 'graphql' }
type OwnOptions = Optional & { by: Handler } & Partial<Pick<OwnEndpoint, 'ability' | 'json_schema' | 'media_type'>>

const endpoint =
  (method: Method, usual: Pick<Route, 'as' | 'status'>) =>
  (path: string, name: string, summary: string, options: FieldOptions | OwnOptions): Endpoint => {
    const route: Route = {
      method,
      path,
      name,
      summary,
      refuses: [],
      also: [],
      replays: false,
      body_limit: BODY_LIMIT,
      packed: false,
      secret: false,
      replica: method === 'GET' && options.as === 'page',
      ...usual,
      ...options,
    }
    return 'field' in options
      ? { engine: 'jit', ...route, field: options.field }
      : { ability: null, json_schema: {}, media_type: null, ...route, by: options.by }
  }

const get = endpoint('GET', { as: 'data', status: 200 })
const post = endpoint('POST', { as: 'data', status: 200 })
const patch = endpoint('PATCH', { as: 'data', status: 200 })
const del = endpoint('DELETE', { as: 'empty', status: 204 })

/**
 * Every endpoint of the contract, in its order: the single source of route, name, status and envelope.
 * The index, the OpenAPI document, the routing and the contract test are derived from it.
 */
export const endpoints: readonly Endpoint[] = [
  // Account and platform
  get('', 'index', 'The endpoints, and what this token may use', { by: indexDocument, json_schema: indexSchema }),
  get('/account', 'account.show', 'The account behind this token', { field: 'Query.account', as: 'bare' }),
  get('/team', 'team.show', 'The team, its plan and ceilings', { field: 'Query.team' }),
  get('/credits', 'credits.show', 'The credit balance', { field: 'Query.credits' }),
  get('/credits/transactions', 'credits.transactions', 'The credit ledger, newest first', {
    field: 'Query.creditTransactions',
    as: 'page',
  }),
  get('/monitoring/runs', 'monitoring.runs', 'When monitoring last ran', { field: 'Query.monitoringRuns', as: 'list' }),
  get('/openapi.json', 'openapi', 'This OpenAPI document', { by: openApiDocument, as: 'bare', json_schema: openApiSchema }),

  // Reports
  post('/reports', 'reports.create', 'Request a report', {
    field: 'Mutation.createReport',
    status: 202,
    replays: true,
  }),
  get('/reports', 'reports.list', 'Reports, newest first', { field: 'Query.reports', as: 'page' }),
  get('/reports/{report}', 'reports.show', 'One report', { field: 'Query.report' }),
  get('/reports/{report}/events', 'reports.events', 'The records a report cites', { field: 'Query.reportEvents', as: 'page' }),
  get('/reports/{report}/verification', 'reports.verification', 'What is needed to verify a report', {
    field: 'Query.reportVerification',
    refuses: ['report_not_ready'],
  }),
  get('/reports/{report}/pdf', 'reports.pdf', 'The document of a report', {
    by: reportPdfBytes,
    ability: 'reports:export',
    as: 'bytes',
    media_type: 'application/pdf',
    also: [202],
    refuses: ['report_not_ready'],
  }),
  post('/reports/{report}/pdf/link', 'reports.pdf.link', 'A short-lived link to the document', {
    by: reportPdfDownload,
    ability: 'reports:export',
    as: 'bare',
    json_schema: refTo('Download'),
    secret: true,
    also: [202],
    refuses: ['report_not_ready'],
  }),
  post('/reports/batch', 'reports.batch', 'Request up to 25 reports', {
    field: 'Mutation.createReports',
    as: 'bare',
    status: batchStatus(202),
    replays: true,
    body_limit: LARGE_BODY_LIMIT,
  }),
  del('/reports/{report}', 'reports.destroy', 'Delete a report and its document', { field: 'Mutation.deleteReport' }),

  // Properties
  post('/properties', 'properties.create', 'Watch a property', {
    field: 'Mutation.createProperty',
    status: 201,
    refuses: ['duplicate_address'],
  }),
  get('/properties', 'properties.list', 'Watched properties', { field: 'Query.properties', as: 'page' }),
  get('/properties/{property}', 'properties.show', 'One property with its contacts', { field: 'Query.property' }),
  patch('/properties/{property}', 'properties.update', 'Change a property', {
    field: 'Mutation.updateProperty',
    refuses: ['duplicate_address'],
  }),
  post('/properties/batch', 'properties.batch', 'Watch up to 100 properties', {
    field: 'Mutation.createProperties',
    as: 'bare',
    status: batchStatus(201),
    replays: true,
    body_limit: LARGE_BODY_LIMIT,
  }),
  post('/properties/{property}/reports', 'properties.reports.create', 'Request a report for a property', {
    field: 'Mutation.createPropertyReport',
    status: 202,
    replays: true,
  }),
  get('/properties/{property}/exposures', 'properties.exposures', 'Exposures near a property', {
    field: 'Query.propertyExposures',
    as: 'page',
  }),
  post('/properties/{property}/enrich', 'properties.enrich', 'Fill in public records about a property', {
    field: 'Mutation.enrichProperty',
    status: 202,
    refuses: ['property_not_located', 'duplicate_address'],
  }),
  get('/properties/{property}/contacts', 'properties.contacts.list', 'Contacts of a property', {
    field: 'Query.propertyContacts',
    as: 'page',
  }),
  del('/properties/{property}', 'properties.destroy', 'Remove a property', { field: 'Mutation.deleteProperty' }),
  post('/properties/{property}/contacts', 'properties.contacts.create', 'Add a contact', { field: 'Mutation.createContact', status: 201 }),
  patch('/properties/{property}/contacts/{contact}', 'properties.contacts.update', 'Change a contact', { field: 'Mutation.updateContact' }),
  del('/properties/{property}/contacts/{contact}', 'properties.contacts.destroy', 'Remove a contact', { field: 'Mutation.deleteContact' }),

  // Territories
  post('/territories', 'territories.create', 'Draw a territory', {
    field: 'Mutation.createTerritory',
    status: 201,
    replays: true,
    body_limit: LARGE_BODY_LIMIT,
  }),
  post('/territories/quote', 'territories.quote', 'Measure a territory without saving it', {
    field: 'Query.territoryQuote',
    body_limit: LARGE_BODY_LIMIT,
  }),
  get('/territories', 'territories.list', 'Watched territories', { field: 'Query.territories', as: 'page' }),
  get('/territories/{territory}', 'territories.show', 'One territory', { field: 'Query.territory' }),
  patch('/territories/{territory}', 'territories.update', 'Change a territory', {
    field: 'Mutation.updateTerritory',
    body_limit: LARGE_BODY_LIMIT,
  }),
  post('/territories/{territory}/status', 'territories.status', 'Watch, pause or archive a territory', {
    field: 'Mutation.setTerritoryStatus',
  }),
  get('/territories/{territory}/exposures', 'territories.exposures', 'Exposures inside a territory', {
    field: 'Query.territoryExposures',
    as: 'page',
  }),
  get('/places', 'places.list', 'Look up a place by name', { field: 'Query.places', as: 'list', replica: true }),
  del('/territories/{territory}', 'territories.destroy', 'Remove a territory', { field: 'Mutation.deleteTerritory' }),

  // Exposures
  get('/exposures', 'exposures.list', 'Storm days and warnings at watched places', { field: 'Query.exposures', as: 'page' }),
  get('/exposures/{exposure}', 'exposures.show', 'One exposure', { field: 'Query.exposure' }),
  post('/exposures/{exposure}/acknowledge', 'exposures.acknowledge', 'Acknowledge or dismiss an exposure', {
    field: 'Mutation.acknowledgeExposure',
  }),
  post('/exposures/{exposure}/reopen', 'exposures.reopen', 'Reopen an exposure', { field: 'Mutation.reopenExposure' }),

  // Integrations
  post('/integrations', 'integrations.create', 'Register a destination', {
    field: 'Mutation.createIntegration',
    as: 'bare',
    status: 201,
    secret: true,
    refuses: ['destination_cap_reached'],
  }),
  get('/integrations', 'integrations.list', 'Registered destinations', { field: 'Query.integrations', as: 'page' }),
  get('/integrations/{integration}', 'integrations.show', 'One destination', { field: 'Query.integration' }),
  patch('/integrations/{integration}', 'integrations.update', 'Change a destination', {
    field: 'Mutation.updateIntegration',
    refuses: ['url_required'],
  }),
  get('/integrations/events', 'integrations.events', 'The events a destination can subscribe to', {
    field: 'Query.integrationEvents',
    as: 'list',
  }),
  post('/integrations/{integration}/test', 'integrations.test', 'Send a test post', {
    field: 'Mutation.testIntegration',
    as: 'bare',
    status: testPostStatus(502),
  }),
  get('/integrations/{integration}/secret', 'integrations.secret.show', 'The signing secret', {
    field: 'Query.integrationSecret',
    as: 'bare',
    secret: true,
    refuses: ['no_signing_secret'],
  }),
  post('/integrations/{integration}/secret', 'integrations.secret.rotate', 'Rotate the signing secret', {
    field: 'Mutation.rotateIntegrationSecret',
    as: 'bare',
    secret: true,
    refuses: ['no_signing_secret'],
  }),
  get('/integrations/{integration}/deliveries', 'integrations.deliveries', 'Deliveries to one destination', {
    field: 'Query.integrationDeliveries',
    as: 'page',
  }),
  get('/integrations/deliveries', 'deliveries.list', 'Deliveries to every destination', { field: 'Query.deliveries', as: 'page' }),
  del('/integrations/{integration}', 'integrations.destroy', 'Remove a destination', { field: 'Mutation.deleteIntegration' }),

  // Maps and playback
  get('/tiles/{z}/{x}/{y}.mvt', 'maps.tile', 'A vector tile of the archive', {
    by: tile,
    ability: 'maps:read',
    as: 'bytes',
    media_type: TILE_TYPE,
    replica: true,
  }),
  get('/playback', 'maps.playback', 'A storm day over a box', { field: 'Query.playback', as: 'bare', packed: true, replica: true }),
]
