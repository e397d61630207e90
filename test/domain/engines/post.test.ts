import { execFileSync } from 'node:child_process'
import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { metadataObjection, openGuard } from '#domain/engines/guard.ts'
import { openPoster, type Poster } from '#domain/engines/post.ts'
import { waitUntil } from '#test/support/wait-until.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

describe('a post is refused or allowed by its address', () => {
  const forms = [
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f000001',
    'https://0177.0.0.1',
    'https://127.1',
    'https://127.0.0.1.',
    'https://10.1.2.3',
    'https://172.16.0.1',
    'https://192.168.1.1',
    'https://100.64.0.1',
    'https://169.254.169.254',
    'https://0.0.0.0',
    'https://198.18.0.1',
    'https://224.0.0.1',
    'https://255.255.255.255',
    'https://168.63.129.16',
    'https://192.0.2.1',
    'https://[::1]',
    'https://[::]',
    'https://[::127.0.0.1]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:7f00:1]',
    'https://[64:ff9b::7f00:1]',
    'https://[64:ff9b:1::7f00:1]',
    'https://[2002:7f00:1::]',
    'https://[2001::1]',
    'https://[2001:db8::1]',
    'https://[3fff::1]',
    'https://[fe80::1]',
    'https://[fec0::1]',
    'https://[fd00:ec2::254]',
    'https://[fc00::1]',
    'https://[ff02::1]',
    'https://[4000::1]',
    'http://93.184.216.34',
    'http://[2606:4700::1111]',
  ]
  it.each(forms)('refuses %s at registration and at connect', async (url) => {
    const { poster, connections } = await behindListener([])
    expect(await poster.objection(new URL(url), 'a team')).toMatch(/range|http/)
    await expect(poster.post(`${url}:${connections.port}/`, {}, '{}')).rejects.toThrow("The destination's address may not be posted to")
    expect(connections.count).toBe(0)
  })

  it('refuses names that resolve to such an address, in part or only at the second lookup', async () => {
    const names: Record<string, string[][]> = {
      'inside.test': [['127.0.0.1']],
      'mixed.test': [['93.184.216.34', '127.0.0.1']],
      'mapped.test': [['::ffff:127.0.0.1']],
    }
    for (const name of Object.keys(names)) {
      const { poster, connections } = await behindListener([], names)
      expect(await poster.objection(new URL(`https://${name}`), 'a team')).toMatch(/range/)
      await expect(poster.post(`https://${name}:${connections.port}/`, {}, '{}')).rejects.toThrow('may not be posted to')
      expect(connections.count).toBe(0)
    }
    const rebinding = await behindListener([], { 'rebinding.test': [['93.184.216.34'], ['127.0.0.1']] })
    expect(await rebinding.poster.objection(new URL('https://rebinding.test'), 'a team')).toBeNull()
    await expect(rebinding.poster.post(`https://rebinding.test:${rebinding.connections.port}/`, {}, '{}')).rejects.toThrow(
      'may not be posted to',
    )
    expect(rebinding.connections.count).toBe(0)
  })

  it('looks up one name at a time for registrations, waits for none too long, and for posts once at a time', async () => {
    const asked: string[] = []
    const answers: (() => void)[] = []
    const lookup = ((hostname: string, _options: object, done: (fault: Error | null, addresses: LookupAddress[]) => void) => {
      asked.push(hostname)
      answers.push(() => done(null, [{ address: '127.0.0.1', family: 4 }]))
    }) as never
    const poster = openPoster(openGuard([]), lookup, 1000)
    open.push(poster)
    const slow = Array.from({ length: 22 }, (_, nth) => poster.objection(new URL(`https://${nth}.slow.test`), 'slow'))
    const other = poster.objection(new URL('https://other.test'), 'other')
    const outcomes = await Promise.allSettled([...slow, other])
    expect(asked).toEqual(['0.slow.test'])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'rate_limited' } }])
    expect(outcomes.at(-1)).toEqual({ status: 'fulfilled', value: null })
    answers[0]?.()
    const posts = [1, 2].map(() => poster.post('https://posts.test/', {}, '{}').catch((fault: Error) => fault.message))
    const next = poster.objection(new URL('https://next.test'), 'other')
    await waitUntil(async () => asked.length === 3)
    for (const answer of answers.slice(1)) answer()
    expect(asked.toSorted()).toEqual(['0.slow.test', 'next.test', 'posts.test'])
    expect(await next).toMatch(/range/)
    for (const message of await Promise.all(posts)) expect(message).toContain('may not be posted to')
  })

  it('refuses link-local and metadata addresses, even in an opened network', async () => {
    const guard = openGuard(['169.254.0.0/16', '0.0.0.0/0', '::/0'])
    expect(guard.objection('169.254.169.254', 'https')).toMatch(/metadata/)
    expect(guard.objection('fe80::1', 'https')).toMatch(/link-local/)
    expect(guard.objection('fd00:ec2::254', 'https')).toMatch(/metadata/)
    expect(guard.objection('10.0.0.1', 'http')).toBeNull()
  })

  it('states which setting lets the operator open a refused address', async () => {
    const guard = openGuard([])
    expect(guard.objection('192.168.0.1', 'https')).toMatch(/WEBHOOK_ALLOWED_NETWORKS/)
    expect(guard.objection('93.184.216.34', 'http')).toMatch(/WEBHOOK_ALLOWED_NETWORKS/)
  })

  it.each([
    ...['fd00:ec2::254', 'fd00:ec2::23', 'fd00:ec2:ffff::1', 'fd20:ce::254', '100.100.100.200', '169.254.0.1', '169.254.170.2'],
    // Mapped, compatible, translated and 6to4 forms.
    ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '::169.254.169.254', '::ffff:0:169.254.169.254', '2002:a9fe:a9fe::1'],
    // NAT64, and local NAT64 with prefixes of 48, 56, 64 and 96 bits.
    ...['64:ff9b::169.254.169.254', '64:ff9b::a9fe:a902', '64:ff9b::100.100.100.200', '2002:6464:64c8::'],
    ...['64:ff9b:1:a9fe:a9:fe00::', '64:ff9b:1:a9:fe:a9fe::', '64:ff9b:1:5:a9:fea9:fe00:0', '64:ff9b:1:5::169.254.169.254'],
  ])('refuses the metadata address %s, whatever networks are opened', (address) => {
    const everything = ['0.0.0.0/0', '::/0', '169.254.0.0/16', '100.64.0.0/10', 'fd00::/8', '64:ff9b::/96', '64:ff9b:1::/48', '2002::/16']
    expect(openGuard(everything).objection(address, 'https')).toMatch(/metadata/)
    expect(metadataObjection(address)).toMatch(/metadata/)
  })

  it.each([
    'fd20:ce::253',
    'fd00:ec3::1',
    '100.100.100.201',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::10.0.0.1',
    '2002:a00:1::',
    '::ffff:10.0.0.1',
  ])('allows other addresses in an opened network: %s', (address) =>
    expect(openGuard(['0.0.0.0/0', '::/0']).objection(address, 'http')).toBeNull(),
  )

  it('does not follow a redirect, which is the response', async () => {
    const inner = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
    const { poster, connections } = await behindListener(['127.0.0.1/32'], {}, (socket) =>
      socket.end(`HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:${inner.port}/\r\nContent-Length: 0\r\n\r\n`),
    )
    const answer = await poster.post(`http://127.0.0.1:${connections.port}/`, {}, '{}')
    expect(answer.status).toBe(307)
    expect(inner.count).toBe(0)
  })
})

describe('a hostile receiver', () => {
  const DEADLINE_MS = 400
  it('that hangs or drips is dropped at the deadline', async () => {
    const hanging = await behindListener(['127.0.0.1/32'], {}, () => {}, DEADLINE_MS)
    await expect(hanging.poster.post(`http://127.0.0.1:${hanging.connections.port}/`, {}, '{}')).rejects.toMatchObject({ timed_out: true })
    const slow = await behindListener(
      ['127.0.0.1/32'],
      {},
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n')
        const timer = setInterval(() => socket.write('.'), 20)
        socket.on('close', () => clearInterval(timer))
      },
      DEADLINE_MS,
    )
    await expect(slow.poster.post(`http://127.0.0.1:${slow.connections.port}/`, {}, '{}')).rejects.toMatchObject({
      timed_out: true,
    })
  })

  it('that responds without end is read for 64 KiB, and 1 KiB is stored without control characters', async () => {
    let sent = 0
    const flood = await behindListener(['127.0.0.1/32'], {}, (socket) => {
      socket.write('HTTP/1.1 500 No\r\nContent-Length: 1000000000\r\n\r\n')
      const chunk = Buffer.from('spam\u0007\u001b[2J\u200f\u202e\u061c'.repeat(2000))
      const pump = () => {
        while (!socket.destroyed && sent < 50_000_000) {
          sent += chunk.length
          if (!socket.write(chunk)) return
        }
      }
      socket.on('drain', pump)
      pump()
    })
    const answer = await flood.poster.post(`http://127.0.0.1:${flood.connections.port}/`, {}, '{}')
    expect(answer.status).toBe(500)
    expect(answer.text.length).toBeLessThanOrEqual(1024)
    expect(answer.text).toMatch(/^(?:spam \[2J )+/)
    expect(answer.text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    expect(sent).toBeLessThan(20_000_000)
  })

  it('whose TLS fails is reported with the reason, without its address', async () => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=receiver', '-keyout', '-']
    const pem = execFileSync('openssl', ['req', '-x509', ...key], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    const selfSigned = createTlsServer({ key: pem, cert: pem }).listen(0, '127.0.0.1')
    open.push(selfSigned)
    await once(selfSigned, 'listening')
    const { poster, connections } = await behindListener(['127.0.0.0/8'], {}, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    const failureAt = (port: number) => poster.post(`https://127.0.0.1:${port}/hook`, {}, '{}').catch((fault: Error) => fault.message)
    expect(await failureAt((selfSigned.address() as AddressInfo).port)).toBe(
      'The certificate of the destination is not signed by a trusted authority, or an intermediate certificate is missing.',
    )
    expect(await failureAt(connections.port)).toBe('The destination does not respond with TLS as https needs it.')
  })

  it('that resets the connection is reported without its address', async () => {
    const reset = await behindListener(['127.0.0.1/32'], {}, (socket) => socket.resetAndDestroy())
    await expect(reset.poster.post(`http://127.0.0.1:${reset.connections.port}/`, {}, '{}')).rejects.toThrow(
      'The destination closed the connection.',
    )
  })
})

interface Connections {
  port: number
  count: number
}

async function listen(answer: (socket: Socket) => void): Promise<Connections> {
  const connections = { port: 0, count: 0 }
  const server: Server = createServer((socket) => {
    connections.count++
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  connections.port = (server.address() as { port: number }).port
  open.push({
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((done) => server.close(done))
    },
  })
  return connections
}

async function behindListener(
  allowed: string[],
  names: Record<string, string[][]> = {},
  answer: (socket: Socket) => void = (s) => s.end(),
  deadline_ms?: number,
) {
  const connections = await listen(answer)
  const lookupCounts = new Map<string, number>()
  const lookup = ((hostname: string, _options: object, done: (fault: Error | null, addresses: LookupAddress[]) => void) => {
    const answers = names[hostname]
    if (!answers) return done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), [])
    const turn = lookupCounts.get(hostname) ?? 0
    lookupCounts.set(hostname, turn + 1)
    const addresses = (answers[Math.min(turn, answers.length - 1)] as string[]).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    done(null, addresses)
  }) as never
  const poster: Poster = openPoster(openGuard(allowed), lookup, deadline_ms)
  open.push(poster)
  return { poster, connections }
}
