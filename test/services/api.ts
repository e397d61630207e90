import { request } from 'undici'
import { inject } from 'vitest'
import type { Rest } from '#test/support/api.ts'
import { callThrough, type RestAnswer, type Sent } from '#test/support/rest-call.ts'

export type { Rest, RestAnswer, Sent }

interface Injected {
  method?: string
  url: string
  headers?: Record<string, string>
  payload?: string | object
}

/** Replaces test/support/api.ts when the whole service runs: each request goes over HTTP, to its two API processes in turn. */
export async function openRest(): Promise<Rest> {
  const ask = inTurn(inject('service').base_urls)
  return {
    fastify: { inject: (options: Injected | string) => ask(typeof options === 'string' ? { url: options } : options) } as never,
    call: callThrough(ask),
    close: async () => {},
  }
}

/** Responds in the form of a request without a socket; bytes are returned as sent, compressed or not. */
function inTurn(base_urls: string[]) {
  let requestCount = 0
  return async ({ method = 'GET', url, headers, payload }: Injected) => {
    const at = `${base_urls[requestCount++ % base_urls.length]}${url}`
    const sent = typeof payload === 'object' ? JSON.stringify(payload) : payload
    const answer = await request(at, { method: method as 'GET', ...(headers && { headers }), ...(sent !== undefined && { body: sent }) })
    const rawPayload = Buffer.from(await answer.body.arrayBuffer())
    const body = rawPayload.toString()
    return { statusCode: answer.statusCode, headers: answer.headers, rawPayload, body, payload: body, json: () => JSON.parse(body) }
  }
}
