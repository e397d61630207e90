import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import aws4 from 'aws4'
import S3rver from 's3rver'

/** Faults of the next requests, one each. */
export type StoreFault =
  /** Refused with a status and a code, as S3 refuses. */
  | { answer: [status: number, code: string] }
  /** The response body breaks off in the middle. */
  | { breaks_off: true }
  /** One byte of the sent object is changed before it is stored. */
  | { changes: true }
  /** No response comes. */
  | { silent: true }
  /** The request's body is read piece by piece for so many milliseconds, and then the rest of it. */
  | { reads_slowly_ms: number }
  /** The response's body comes in ten pieces over so many milliseconds. */
  | { answers_slowly_ms: number }
  /** The response begins so many milliseconds late. */
  | { waits_ms: number }
  /** None. */
  | { none: true }

/** An S3 service on loopback with one bucket, which keeps its objects in a folder. */
export interface ObjectStore {
  endpoint: string
  /** The folder of its objects, with room for a test's own files. */
  folder: string
  /** Setting of a service: the bucket, and options besides the endpoint. */
  address(options?: string, bucket?: string): string
  /** The faults of the next requests, in order; requests after those succeed. */
  faults: StoreFault[]
  /** Method, path and headers of every request, in order. */
  requests: { method: string; path: string; headers: IncomingMessage['headers'] }[]
  /** Seconds by which its clock is ahead of this machine's. */
  ahead_s: number
  /** Whether it supports checksums and conditions, as Amazon's does and older ones do not. */
  modern: boolean
  /** SHA-256 of each uploaded object, in base64, by path. */
  checksums: Map<string, string>
  close(): Promise<void>
}

/** Its address, and a folder that stays. By default it listens on loopback at a free port, over a folder that is removed with it. */
interface Place {
  host?: string
  port?: number
  folder?: string
}

export const ACCESS_KEY = 'S3RVER'
export const SECRET_KEY = 'secret-of-the-object-store'
const MS_PER_SECOND = 1000
/** The pause after each piece of a request that is read slowly, of up to 64 KB. */
const SLOW_PIECE_MS = 20
/** Pieces of a response that comes slowly. */
const SLOW_PIECES = 10
/** S3 accepts a request that was signed at most this long before or after its own time. */
const SKEW_MS = 900_000

/**
 * s3rver stores and lists objects. This layer adds what it leaves out of S3: signatures (checked by aws4, which is
 * not the client's code), the clock, checksums of uploads, and conditions.
 */
export async function openObjectStore(bucket = 'documents', at: Place = {}): Promise<ObjectStore> {
  const { host = '127.0.0.1' } = at
  const folder = at.folder ?? (await mkdtemp(path.join(tmpdir(), 'weather-objects-')))
  const kept = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    // s3rver takes any host name other than localhost for a bucket's name.
    vhostBuckets: false,
    directory: folder,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = await kept.run()
  const server = createServer((request, response) => {
    serve(store, port, request, response).catch((fault: Error) => response.destroy(fault))
  })
  await new Promise<void>((listening) => server.listen(at.port ?? 0, host, listening))
  const endpoint = `http://${host}:${(server.address() as AddressInfo).port}`
  const store: ObjectStore = {
    endpoint,
    folder,
    address: (options = '', name = bucket) => `s3://${name}/install-1?endpoint=${encodeURIComponent(endpoint)}${options}`,
    faults: [],
    requests: [],
    ahead_s: 0,
    modern: true,
    checksums: new Map(),
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await kept.close()
      if (at.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
  return store
}

async function serve(store: ObjectStore, port: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  const fault = store.faults.shift()
  const slow_until = performance.now() + (fault && 'reads_slowly_ms' in fault ? fault.reads_slowly_ms : 0)
  const parts: Buffer[] = []
  for await (const part of request) {
    parts.push(part)
    if (performance.now() < slow_until) await pause(SLOW_PIECE_MS)
  }
  const body = Buffer.concat(parts)
  store.requests.push({ method, path: url, headers })
  response.setHeader('date', new Date(Date.now() + store.ahead_s * MS_PER_SECOND).toUTCString())
  const refuse = (status: number, code: string) =>
    response
      .writeHead(status, { 'content-type': 'application/xml', 'x-amz-request-id': 'REQUEST1' })
      .end(
        `<?xml version="1.0"?><Error><Code>${code}</Code><Message>of ${ACCESS_KEY}</Message><AWSAccessKeyId>${ACCESS_KEY}</AWSAccessKeyId></Error>`,
      )
  if (fault && 'silent' in fault) return
  if (fault && 'waits_ms' in fault) await pause(fault.waits_ms)
  if (fault && 'answer' in fault) return void refuse(...fault.answer)
  const refusal = signatureRefusal(store, request, body)
  if (refusal) return void refuse(403, refusal)
  if (fault && 'changes' in fault) body[0] = (body[0] ?? 0) ^ 1
  if (store.modern && method === 'PUT') {
    const sha256 = createHash('sha256').update(body).digest('base64')
    if (headers['x-amz-checksum-sha256'] !== sha256) return void refuse(400, 'BadDigest')
    if (headers['if-none-match'] === '*' && (await forward(port, 'HEAD', url, headers)).status === 200)
      return void refuse(412, 'PreconditionFailed')
    response.setHeader('x-amz-checksum-sha256', sha256)
    store.checksums.set(url.replace(/\?.*/, ''), sha256)
  } else if (headers['if-none-match']) return void refuse(501, 'NotImplemented')
  const checksum = store.checksums.get(url.replace(/\?.*/, ''))
  if (store.modern && headers['x-amz-checksum-mode'] === 'ENABLED' && checksum) response.setHeader('x-amz-checksum-sha256', checksum)
  const answer = await forward(port, method, url, headers, body)
  response.writeHead(answer.status, { ...answer.headers, date: response.getHeader('date') as string })
  if (fault && 'breaks_off' in fault) response.write(answer.body.subarray(0, answer.body.length / 2), () => response.destroy())
  else if (fault && 'answers_slowly_ms' in fault) await answerSlowly(response, answer.body, fault.answers_slowly_ms)
  else response.end(answer.body)
}

async function answerSlowly(response: ServerResponse, body: Buffer, ms: number): Promise<void> {
  const piece = Math.ceil(body.length / SLOW_PIECES)
  for (let at = 0; at < body.length; at += piece) {
    response.write(body.subarray(at, at + piece))
    await pause(ms / SLOW_PIECES)
  }
  response.end()
}

/** Why S3 would refuse the request: another key, another secret, a changed header or body, or another time. */
function signatureRefusal(store: ObjectStore, { method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): string | null {
  const requestUrl = new URL(url, 'http://objects')
  if (requestUrl.searchParams.has('X-Amz-Signature')) return linkRefusal(requestUrl, method, headers)
  const authorization = headers.authorization ?? ''
  const [, key, , region = '', service = ''] = /Credential=([^/]+)\/(\d+)\/([^/]+)\/([^/]+)\//.exec(authorization) ?? []
  if (key !== ACCESS_KEY) return 'InvalidAccessKeyId'
  const date = String(headers['x-amz-date'])
  const signed_at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (Math.abs(signed_at - Date.now() - store.ahead_s * MS_PER_SECOND) > SKEW_MS) return 'RequestTimeTooSkewed'
  const names = (/SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? '').split(';')
  const signedHeaders = Object.fromEntries(names.map((name) => [name, String(headers[name])]))
  // By default aws4 does not sign a range; the client does.
  const extraHeadersToInclude = Object.fromEntries(names.map((name) => [name, true]))
  const request = { method, path: url, headers: signedHeaders, service, region, extraHeadersToInclude }
  const again = aws4.sign(request, { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY })
  const signature = (text: unknown) => /Signature=([0-9a-f]+)/.exec(String(text))?.[1]
  if (signature(again.headers?.Authorization) !== signature(authorization)) return 'SignatureDoesNotMatch'
  return headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex') ? null : 'XAmzContentSHA256Mismatch'
}

/** The same check for a presigned address. */
function linkRefusal({ pathname, searchParams }: URL, method: string, { host = '' }: IncomingMessage['headers']): string | null {
  const [, , region = '', service = ''] = (searchParams.get('X-Amz-Credential') ?? '').split('/')
  const signature = searchParams.get('X-Amz-Signature')
  searchParams.delete('X-Amz-Signature')
  const again = aws4.sign(
    { method, path: `${pathname}?${searchParams}`, headers: { host }, service, region, signQuery: true },
    { accessKeyId: ACCESS_KEY, secretAccessKey: SECRET_KEY },
  )
  return new URL(again.path ?? '', 'http://objects').searchParams.get('X-Amz-Signature') === signature ? null : 'SignatureDoesNotMatch'
}

interface Kept {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

function forward(port: number, method: string, url: string, headers: IncomingMessage['headers'], body?: Buffer): Promise<Kept> {
  const { 'if-none-match': _condition, expect: _expect, 'content-length': _length, authorization: _signature, ...others } = headers
  return new Promise((done, fail) => {
    const request = ask(
      { host: '127.0.0.1', port, method, path: url, headers: { ...others, ...(body && { 'content-length': body.length }) } },
      async (answer) => {
        const parts: Buffer[] = []
        for await (const part of answer) parts.push(part)
        done({ status: answer.statusCode ?? 500, headers: answer.headers, body: Buffer.concat(parts) })
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}
