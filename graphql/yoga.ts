import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga'
import { authenticate, chargeRequests } from '#domain/access/authenticate.ts'
import { operatorOf } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import { requireApiAccess } from '#domain/plans/ceilings.ts'
import { Refusal } from '#domain/refusal.ts'
import { BODY_LIMIT, checkedBody } from '#graphql/body.ts'
import type { Context } from '#graphql/context.ts'
import { clientError, rateHeaders, refusalHeaders } from '#graphql/errors.ts'
import { guard } from '#graphql/guard.ts'
import { isStandardIntrospection } from '#graphql/introspection.ts'
import { countRootFields } from '#graphql/root-fields.ts'
import { operatorSchema, teamSchema } from '#graphql/schema.ts'

const PATH = '/graphql'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What yoga hands on to the resolvers. */
interface Request extends Context {
  reply: FastifyReply
}

/** Mounts GraphQL: JSON by POST alone, for the same tokens as REST and for the operator's key. */
export function mountGraphql(fastify: FastifyInstance, app: App): void {
  const callers = new WeakMap<FastifyRequest, Context['caller']>()
  const team = yogas(teamSchema, app)
  const operator = yogas(operatorSchema, app)

  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, text, done) => {
      try {
        done(null, checkedBody(text as string))
      } catch (refusal) {
        done(refusal as Error)
      }
    })
    scope.setErrorHandler((error, request, reply) => refuse(app, error, request, reply))
    // Before the body is read: who may not ask sends nothing.
    scope.addHook('onRequest', async (request, reply) => {
      if (app.config.development && isForPeople(request))
        return reply.send(await team.open.fetch(request.url, { headers: { accept: 'text/html' } }))
      callers.set(request, await admit(app, request, reply))
      if (request.method !== 'POST') throw new Refusal('method_not_allowed', 'GraphQL is asked by POST.', { allow: ['POST'] })
    })
    scope.route({
      method: METHODS,
      url: PATH,
      handler: async (request, reply) => {
        const caller = callers.get(request)
        if (!caller) throw new Error('a request came past its admission')
        const body = typeof request.body === 'string' ? request.body : checkedBody('')
        const { open, guarded } = 'operator' in caller ? operator : team
        const yoga = isStandardIntrospection(JSON.parse(body).query) ? open : guarded
        const context: Request = { app, caller, request_id: request.id, idempotency: null, replayed: false, reply }
        const headers = { 'content-type': 'application/json', accept: request.headers.accept ?? 'application/json' }
        const response = await yoga.fetch(`http://localhost${PATH}`, { method: 'POST', headers, body }, context)
        response.headers.forEach((value, name) => void reply.header(name, value))
        return reply.code(response.status).send(await response.text())
      },
    })
  })
}

/** Who asks: the operator by the key, else a team by its token, with the checks of REST in their order. */
async function admit(app: App, { headers, ip }: FastifyRequest, reply: FastifyReply): Promise<Context['caller']> {
  const operator = operatorOf(app.config, headers.authorization)
  if (operator) return operator
  const { caller, rate } = await authenticate(app, headers.authorization, ip)
  reply.headers(rateHeaders(rate))
  requireApiAccess(caller)
  return caller
}

/** The standard introspection document is deeper than others may be: it has a server without the guard. */
function yogas(schema: GraphQLSchema, app: App): Record<'open' | 'guarded', YogaServerInstance<Request, Context>> {
  const yoga = (plugins: Plugin[]) =>
    createYoga<Request, Context>({
      schema,
      plugins: [...plugins, chargeEachRootField, showErrors(app)],
      graphqlEndpoint: PATH,
      graphiql: app.config.development && { defaultQuery: '{ account { team { name } } }' },
      landingPage: false,
      multipart: false,
      cors: false,
      logging: false,
      // Every error is judged once, where the request is known.
      maskedErrors: false,
    })
  return { open: yoga([]), guarded: yoga(guard()) }
}

/** A request counts as one; each root field beyond the first as one more. */
const chargeEachRootField: Plugin<Request> = {
  async onExecute({ args: { document, operationName, contextValue } }) {
    const { app, caller, reply } = contextValue as Request
    const further = countRootFields(document, operationName) - 1
    if (further < 1 || 'operator' in caller) return
    reply.headers(rateHeaders(await chargeRequests(app, caller, further)))
  },
}

const showErrors = ({ log }: App): Plugin => ({
  onResultProcess({ result, setResult, serverContext }) {
    if (Array.isArray(result) || !('errors' in result) || !result.errors) return
    const { request_id } = serverContext as unknown as Request
    setResult({ ...result, errors: result.errors.map((error) => clientError(error, request_id, log)) })
  },
})

/** A refusal of a whole request, in the shape of GraphQL's own answers. */
function refuse(app: App, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const cause = transportRefusal(error) ?? error
  const shown = clientError(cause, request.id, app.log)
  const refused = cause instanceof Refusal ? cause : null
  return reply
    .code(statusOf(refused))
    .headers(refused ? refusalHeaders(refused) : {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ errors: [shown] }))
}

/** GraphQL over HTTP asks for 400 where JSON cannot be read. */
const statusOf = (refused: Refusal | null) => (refused?.code === 'malformed_json' ? 400 : (refused?.status ?? 500))

/** What the host itself finds wrong with a body. */
function transportRefusal(error: unknown): Refusal | null {
  const { code } = error as { code?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal('payload_too_large', `The body must not be larger than ${BODY_LIMIT / 1024 / 1024} MiB.`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupported_media_type', 'The body must be sent as application/json.')
  return code?.startsWith('FST_ERR_CTP_') ? new Refusal('malformed_json', 'The body cannot be read.') : null
}

function isForPeople({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}
