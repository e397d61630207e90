import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP connection to a server that a test can cut like a pulled cable: nothing passes any more, and neither end is notified. */
export interface Link {
  port: number
  /** Returns the port on the server's side for a client's local port. */
  beyond(port: number): number | undefined
  /** Lets nothing pass from now on, for open and for new connections. */
  cut(): void
  /** Serves new connections, by another server if one is named; connections that were cut stay silent for good. */
  mend(to?: number): void
  /** Closes open connections visibly; this server serves new ones. */
  turn(to: number): void
  close(): Promise<void>
}

/** @param port its own port; 0 takes any free one */
export async function openLink(to: number, port = 0): Promise<Link> {
  const pairs = new Set<Socket[]>()
  let [target, silent] = [to, false]
  const server = createServer((near) => {
    const pair = [near]
    pairs.add(pair)
    if (silent) near.pause()
    else pair.push(joined(near, target))
    for (const socket of pair) {
      socket.on('error', () => {})
      // An end that closes is reported to the other end; a connection that was cut reports nothing.
      socket.on('close', () => pair.every((one) => !one.isPaused()) && endAll(pair, pairs))
    }
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return {
    port: (server.address() as AddressInfo).port,
    beyond: (port) => [...pairs].find(([near]) => near?.remotePort === port)?.[1]?.localPort,
    cut() {
      silent = true
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    mend(next = target) {
      ;[target, silent] = [next, false]
    },
    turn(to) {
      for (const pair of pairs) endAll(pair, pairs)
      target = to
    },
    async close() {
      for (const pair of pairs) endAll(pair, pairs)
      await new Promise((closed) => server.close(closed))
    },
  }
}

function joined(near: Socket, port: number): Socket {
  const far = connect(port, '127.0.0.1')
  for (const [from, into] of [
    [near, far],
    [far, near],
  ] as const)
    from.on('data', (bytes) => into.write(bytes))
  return far
}

function endAll(pair: Socket[], pairs: Set<Socket[]>): void {
  pairs.delete(pair)
  for (const socket of pair) socket.destroy()
}
