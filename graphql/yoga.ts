import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import { createYoga, type GraphQLParams, type Plugin, type YogaServerInstance } from 'graphql-yoga'
import { operatorOf } from '#domain/access/operator.ts'
import { withinTeam } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { parseJson, stringifyMarked } from '#domain/kernel/exact-json.ts'
import { checkMediaType } from '#domain/kernel/media-type.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { admitOperator } from '#domain/people/admit-operator.ts'
import { openTeamChanges } from '#domain/people/team-changes.ts'
import { admitSession, admitToken, refuseSession } from '#graphql/admit.ts'
import { reportArgumentFaults } from '#graphql/argument-faults.ts'
import { BODY_LIMIT, checkedBody } from '#graphql/body.ts'
import { chargeRootFields, logRootFields, type OperationContext } from '#graphql/charge-root-fields.ts'
import { addToRequestLog, type Context } from '#graphql/context.ts'
import { maskErrors } from '#graphql/errors.ts'
import { guard } from '#graphql/guard.ts'
import { isStandardIntrospection } from '#graphql/introspection.ts'
import { limitLargeOperations } from '#graphql/large-operations.ts'
import { refuseRequest } from '#graphql/refuse-request.ts'
import { boundResult } from '#graphql/result-size.ts'
import { operatorSchema, personSchema, teamSchema } from '#graphql/schema.ts'
import { actsAsOperator, isFromConsole, readTeamHeader, requireConsole, sessionCookie } from '#graphql/session.ts'

const PATH = '/graphql'
/** Methods that get a response; all except POST are refused with 405 and an Allow header. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Mounts GraphQL: JSON over POST only, for the same tokens as REST, for people who are signed in, and for the operator's key. */
export function mountGraphql(fastify: FastifyInstance, app: App): void {
  const team = createYogas(teamSchema, app)
  const person = createYogas(personSchema, app)
  const operator = createYogas(operatorSchema, app)
  const yogasFor = (caller: Context['caller']) => ('operator' in caller ? operator : caller.person ? person : team)
  const changes = openTeamChanges(app)
  // A subscription lasts for hours and would keep the service from stopping.
  fastify.addHook('preClose', () => changes.close())
  const callers = new WeakMap<FastifyRequest, Context['caller']>()

  fastify.register(async (scope) => {
    addJsonParser(scope)
    scope.setErrorHandler((error, request, reply) => refuseRequest(app, error, request, reply))
    // Runs before the body is read, so a refused caller sends no body.
    scope.addHook('onRequest', async (request, reply) => {
      // A result may contain a new token, a signing secret or a sign-in link.
      reply.header('cache-control', 'no-store')
      if (app.config.development && acceptsHtml(request))
        return sendResponse(reply, await team.open.fetch(`${app.config.base_url}${PATH}`, { headers: { accept: 'text/html' } }))
      callers.set(request, await admit(app, request, reply))
      if (request.method !== 'POST') throw new Refusal('method_not_allowed', 'Send GraphQL requests with POST.', { allow: ['POST'] })
    })
    scope.route({
      method: METHODS,
      url: PATH,
      async handler(request, reply) {
        const caller = callers.get(request) as Context['caller']
        if ('team' in caller) await caller.requireAdmitted()
        const body = (request.body as string | undefined) ?? checkedBody(Buffer.alloc(0))
        const { open, guarded } = yogasFor(caller)
        const yoga = isStandardIntrospection(JSON.parse(body).query) ? open : guarded
        const headers = { 'content-type': 'application/json', accept: responseTypeFor(request.headers.accept, caller) }
        const scopedApp = 'operator' in caller ? app : withinTeam(app, caller)
        const requestFields = { request_id: request.id, address: request.ip, idempotency: null, unknown: {}, replayed: false }
        const context: OperationContext = { app: scopedApp, caller, changes, ...requestFields, reply }
        return sendResponse(reply, await yoga.fetch(`${app.config.base_url}${PATH}`, { method: 'POST', headers, body }, context))
      },
    })
  })
}

const NEWER_TYPE = 'application/graphql-response+json'

/** Subscriptions respond with events, only to people. */
const EVENTS_TYPE = 'text/event-stream'

/** Returns the newer media type for clients that accept it by name, and JSON for all others, as everywhere in the API. */
function responseTypeFor(accept: string | undefined, caller: Context['caller']): string {
  if (accept === EVENTS_TYPE && 'person' in caller && caller.person) return EVENTS_TYPE
  return accept?.includes(NEWER_TYPE) ? NEWER_TYPE : 'application/json'
}

/** Checks bodies and passes them on as text, because yoga parses them itself. */
function addJsonParser(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      checkMediaType(headers)
      return checkedBody(bytes)
    },
  )
}

/** Admits the operator by a key, a person by their session, or else a team by its token, with the checks of REST in their order. */
async function admit(app: App, request: FastifyRequest, reply: FastifyReply): Promise<Context['caller']> {
  const { authorization } = request.headers
  const secret = authorization === undefined ? sessionCookie.read(request, app.config) : null
  if (secret && actsAsOperator(request)) {
    requireConsole(request, app.config)
    return (await admitOperator(app, secret)) ?? refuseSession(app, request)
  }
  if (secret) return admitSession(app, request, reply, readTeamHeader(request))
  if (authorization === undefined && isFromConsole(request)) return refuseSession(app, request)
  const operator = await operatorOf(app, authorization)
  if (operator) return operator
  return admitToken(app, request, reply)
}

type Yoga = YogaServerInstance<OperationContext, Context>

/** The standard introspection document is deeper than the guard allows, so it runs without the guard. */
function createYogas(schema: GraphQLSchema, app: App): { open: Yoga; guarded: Yoga } {
  const yoga = (plugins: Plugin[]): Yoga =>
    createYoga<OperationContext, Context>({
      schema,
      plugins: [
        ...plugins,
        keepDigits,
        logRootFields,
        chargeRootFields,
        reportArgumentFaults,
        limitLargeOperations,
        boundResult,
        maskErrors(app),
        insertShapes,
      ],
      graphqlEndpoint: PATH,
      graphiql: app.config.development,
      landingPage: false,
      multipart: false,
      cors: false,
      logging: false,
      // maskErrors handles every error once, where the request is known.
      maskedErrors: false,
    })
  return { open: yoga([]), guarded: yoga(guard()) }
}

/** Parses bodies so that shapes keep the digits that were sent. */
const keepDigits: Plugin = {
  onRequestParse({ request, setRequestParser }) {
    if (request.method === 'POST') setRequestParser(async (posted) => parseJson(await posted.text()) as GraphQLParams)
  },
}

/** Writes results so that shapes keep the digits that were sent. It comes last: yoga takes `stringify` from the final result. */
const insertShapes: Plugin = {
  onResultProcess({ result, setResult }) {
    if (!Array.isArray(result) && 'data' in result) setResult({ ...result, stringify: stringifyMarked })
  },
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) reply.header(name, value)
  if (response.body && response.headers.get('content-type')?.startsWith(EVENTS_TYPE)) {
    addToRequestLog(reply.request, { operation: 'graphql.changes' })
    // A proxy that buffers the response would never pass an event on.
    reply.header('x-accel-buffering', 'no')
    // The stream is iterable, although not every version of its type states it.
    return reply.code(response.status).send(Readable.from(response.body as unknown as AsyncIterable<Uint8Array>))
  }
  return reply.code(response.status).send(await response.text())
}

function acceptsHtml({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}
