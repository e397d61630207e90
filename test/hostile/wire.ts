import net from 'node:net'
import type { Target } from './stock.ts'

/**
 * A connection completes a probe within this time. The service cuts endless requests after 30 seconds; the probe
 * does not wait for that.
 */
const DONE_WITHIN_MS = 3_000

interface Probe {
  name: string
  /** The bytes, of which all or a part is sent. */
  bytes: string
  /** Allowed statuses of the responses; none if no response should come while the request is incomplete. */
  statuses: number[][]
}

/** Bytes that no client sends: no request, two requests, or half a request. */
function probesOf({ base_url, token }: Target): Probe[] {
  const { host } = new URL(base_url)
  const head = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\n`
  const get = `GET /api/v1/account HTTP/1.1\r\n${head}\r\n`
  const post = (headers: string, body: string) =>
    `POST /api/v1/properties HTTP/1.1\r\n${head}Content-Type: application/json\r\n${headers}\r\n${body}`
  return [
    { name: 'no HTTP', bytes: '\u0016\u0003\u0001\u0002\u0000\r\n\r\n', statuses: [[400]] },
    { name: 'an unknown method', bytes: get.replace('GET', 'HACK'), statuses: [[400]] },
    { name: 'no host', bytes: `GET /api/v1/account HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n\r\n`, statuses: [[400]] },
    { name: 'an expectation', bytes: get.replace('\r\n\r\n', '\r\nExpect: more\r\n\r\n'), statuses: [[417]] },
    { name: 'a rare method', bytes: get.replace('GET', 'QUERY'), statuses: [[405]] },
    { name: 'an older version', bytes: get.replace('1.1', '1.0'), statuses: [[200]] },
    { name: 'a version that is none', bytes: get.replace('1.1', '9.9'), statuses: [[400, 505]] },
    { name: 'a space before a colon', bytes: get.replace('Host:', 'Host :'), statuses: [[400]] },
    { name: 'a folded header', bytes: get.replace('\r\n\r\n', '\r\nX: a\r\n b\r\n\r\n'), statuses: [[200, 400]] },
    { name: 'a NUL in a header', bytes: get.replace('\r\n\r\n', '\r\nX: a\u0000b\r\n\r\n'), statuses: [[400]] },
    { name: 'headers without end', bytes: get.replace('\r\n\r\n', `\r\nX: ${'a'.repeat(40_000)}`), statuses: [[413]] },
    { name: 'thousands of headers', bytes: get.replace('\r\n\r\n', `\r\n${'X: a\r\n'.repeat(3_000)}\r\n`), statuses: [[200, 413]] },
    { name: 'a path without end', bytes: get.replace('account', 'a'.repeat(40_000)), statuses: [[413]] },
    { name: 'a path of another server', bytes: get.replace('/api', 'http://evil.example/api'), statuses: [[200, 400, 404]] },
    { name: 'a path that climbs', bytes: get.replace('/api/v1/account', '/../../etc/passwd'), statuses: [[404]] },
    { name: 'two lengths', bytes: post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'), statuses: [[400]] },
    { name: 'a length that is none', bytes: post('Content-Length: -1\r\n', '{}'), statuses: [[400]] },
    {
      name: 'a length and chunks',
      bytes: post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${get}`),
      statuses: [[400]],
    },
    { name: 'chunks that are none', bytes: post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'), statuses: [[400]] },
    { name: 'an unknown coding', bytes: post('Transfer-Encoding: gzip\r\n', '{}'), statuses: [[400, 501]] },
    { name: 'chunks without end', bytes: post('Transfer-Encoding: chunked\r\n', '1\r\n{\r\n1\r\n"\r\n'), statuses: [] },
    { name: 'a body that does not come', bytes: post('Content-Length: 100\r\n', '{'), statuses: [] },
    { name: 'a body too large by its word', bytes: post('Content-Length: 99999999\r\n', '{'), statuses: [[413]] },
    { name: 'three requests at once', bytes: get.repeat(3), statuses: [[200], [200], [200]] },
    { name: 'a request and nonsense', bytes: `${get}\r\nnonsense\r\n\r\n`, statuses: [[200, 400]] },
    { name: 'a tunnel', bytes: `CONNECT 169.254.169.254:80 HTTP/1.1\r\n${head}\r\n`, statuses: [] },
    {
      name: 'another protocol',
      bytes: get.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n\r\n'),
      statuses: [[200]],
    },
  ]
}

/** Returns the faults of the responses, probe by probe. Afterwards a plain request must work as before. */
export async function probeWire(target: Target): Promise<string[]> {
  const found = await Promise.all(
    probesOf(target).map(async ({ name, bytes, statuses }) => {
      const received = await exchange(target, bytes, statuses.length)
      const answered = statusesIn(received)
      const fits = answered.length === statuses.length && answered.every((status, at) => statuses[at]?.includes(status))
      const wordless = answered.filter((status) => status >= 400).length > received.split('"object":"error"').length - 1
      return fits && !wordless
        ? []
        : [`${name} was answered ${answered.join(', ') || 'nothing'}${wordless ? ' without an error body' : ''}`]
    }),
  )
  const { status } = await fetch(`${target.base_url}/api/v1/account`, { headers: { authorization: `Bearer ${target.token}` } })
  return [...found.flat(), ...(status === 200 ? [] : [`after it all an account is answered ${status}`])]
}

const statusesIn = (received: string) => [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** Returns the bytes received until the expected number of responses is there, or within a short time if none is expected. */
function exchange({ base_url }: Target, bytes: string, awaited: number): Promise<string> {
  const { hostname, port } = new URL(base_url)
  return new Promise((resolve) => {
    let received = ''
    const socket = net.connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')))
    const done = () => {
      clearTimeout(late)
      socket.destroy()
      resolve(received)
    }
    const late = setTimeout(done, awaited === 0 ? DONE_WITHIN_MS / 3 : DONE_WITHIN_MS)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (awaited > 0 && statusesIn(received).length >= awaited) setImmediate(done)
    })
    socket.on('error', done)
    socket.on('close', done)
  })
}
