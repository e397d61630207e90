export interface RestAnswer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the endpoint answers; null without a body
  body: any
  text: string
}

export interface Sent {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

/** Sends one request; the path is beneath /api/v1. */
export type RestCall = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, sent?: Sent) => Promise<RestAnswer>

/** A request as fastify's inject takes it. */
interface InjectRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  payload?: string
}

interface InjectAnswer {
  statusCode: number
  headers: Record<string, string | string[] | number | undefined>
  body: string
}

/** Sends JSON beneath /api/v1 and reads the response, over any transport. */
export const callThrough =
  (ask: (request: InjectRequest) => Promise<InjectAnswer>): RestCall =>
  async (method, path, { token, body, headers } = {}) => {
    const answer = await ask({
      method,
      url: `/api/v1${path}`,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json')
    return { status: answer.statusCode, headers: answer.headers, body: isJson ? JSON.parse(answer.body) : null, text: answer.body }
  }
