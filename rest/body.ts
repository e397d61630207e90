import type { IncomingMessage } from 'node:http'
import { parseJson } from '#domain/kernel/exact-json.ts'
import { checkMediaType } from '#domain/kernel/media-type.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** A shape in a GeoJSON feature is the most deeply nested input of the contract. A body beyond this limit is an attack. */
const DEPTH_MAX = 32

/**
 * Reads the JSON object of a request. A request without a body gives an empty object.
 * @param limit bytes
 * @throws Refusal payload_too_large, unsupported_media_type or malformed_json, in this order
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Record<string, unknown>> {
  const value = await readJson(request, limit)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('The body must be a JSON object.')
  return value as Record<string, unknown>
}

/** Reads any JSON value, with the same limits. @throws Refusal as readBody */
export async function readJson(request: IncomingMessage, limit: number): Promise<unknown> {
  if (!announcesBody(request)) return {}
  const bytes = await readBytes(request, limit)
  if (bytes.length === 0) return {}
  checkMediaType(request.headers)
  return parse(bytes)
}

/** A request without either header has no body (RFC 9112 section 6.3). */
export function announcesBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => new Refusal('payload_too_large', `The body must not be larger than ${limit / 1024 / 1024} MiB.`)
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  try {
    // Stays open on refusal: destroying the request would close the connection before the response is sent.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length
      if (length > limit) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (fault) {
    // A client that disconnects during its body gets no response. That is not a fault of the service.
    throw fault instanceof Refusal ? fault : malformed('The body is incomplete.')
  }
  return Buffer.concat(chunks, length)
}

function parse(bytes: Buffer): unknown {
  let value: unknown
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw malformed('The body is not valid JSON in UTF-8.')
  }
  if (typeof value === 'object' && value !== null) checkNesting(value, 1)
  return value
}

function checkNesting(value: object, depth: number): void {
  if (depth > DEPTH_MAX) throw malformed(`The body must not be nested deeper than ${DEPTH_MAX} levels.`)
  if (Object.hasOwn(value, '__proto__')) throw malformed('The body must not have a key named __proto__.')
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) checkNesting(part, depth + 1)
  }
}

const malformed = (message: string) => new Refusal('malformed_json', message)
