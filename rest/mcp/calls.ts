import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorBody } from '#rest/refusals.ts'

/** Calls the API with the caller's token, so that a tool may do exactly what the token may. */
export interface Calls {
  /** @throws CallRefused with the message of the API */
  rest<Body>(call: RestCall): Promise<Body>
  /** The same, for a call with a key: `replayed` if an earlier request had the key, and nothing was done. @throws CallRefused */
  restOnce<Body>(call: RestCall): Promise<{ body: Body; replayed: boolean }>
  /** One root field of a GraphQL document. @throws CallRefused */
  graph<Value>(query: string, variables: Record<string, unknown>): Promise<Value>
}

export interface RestCall {
  method: 'GET' | 'POST'
  /** Relative to /api/v1. */
  path: string
  query?: Record<string, unknown>
  body?: Record<string, unknown>
  /** Sent as the Idempotency-Key. */
  key?: string | undefined
}

/** A refusal by the API, with its error body. */
export class CallRefused extends Error {
  constructor(readonly body: Partial<ErrorBody> & { message: string }) {
    super(body.message)
    this.name = 'CallRefused'
  }
}

/** A refusal of one argument, as the API words it. */
export function argumentRefused(name: string, message: string): CallRefused {
  return new CallRefused({ status: 422, code: 'validation_failed', message, errors: { [name]: [message] } })
}

/** Calls pass through the whole API with its rate limits and checks, as if the client of the request had sent them over the network. */
export function callsOf(fastify: FastifyInstance, { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): Calls {
  const forwardedHeaders = { authorization: headers.authorization ?? '', host: headers.host ?? 'localhost' }
  async function restOnce<Body>({ method, path, query = {}, body, key }: RestCall): Promise<{ body: Body; replayed: boolean }> {
    const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => textsOf(name, value))).toString()
    const answer = await fastify.inject({
      method,
      url: `/api/v1${path}${search && `?${search}`}`,
      remoteAddress: ip,
      headers: { ...forwardedHeaders, ...(key !== undefined && { 'idempotency-key': key }) },
      ...(body && { payload: body }),
    })
    const answered = answer.json()
    if (answer.statusCode >= 400) throw new CallRefused(answered)
    return { body: answered, replayed: answer.headers['idempotent-replay'] === 'true' }
  }
  return {
    restOnce,
    rest: async <Body>(call: RestCall) => (await restOnce<Body>(call)).body,
    async graph(query, variables) {
      const answer = await fastify.inject({
        method: 'POST',
        url: '/graphql',
        remoteAddress: ip,
        headers: forwardedHeaders,
        payload: { query, variables },
      })
      const { data, errors, ...refused } = answer.json()
      const [fault] = errors ?? []
      if (fault) throw new CallRefused({ ...fault.extensions, message: fault.message })
      if (!data) throw new CallRefused(refused)
      return Object.values(data)[0] as never
    },
  }
}

/**
 * Returns the query parameters of an argument. A list is sent as one, in brackets, so that the API refuses it in its own words.
 * @throws CallRefused for an object, which a query cannot express
 */
function textsOf(name: string, value: unknown): [name: string, text: string][] {
  if (value == null) return []
  if (Array.isArray(value)) return [[`${name}[]`, JSON.stringify(value)]]
  if (typeof value === 'object') throw argumentRefused(name, `The ${name} must be one value, not an object.`)
  return [[name, String(value)]]
}
