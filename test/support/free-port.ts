import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port of the loopback address that was free just now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((closed) => probe.close(closed))
  return port
}
