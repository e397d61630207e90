import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { buildConnector } from 'undici'
import { literalAddress } from '#domain/engines/guard.ts'

export type Lookup = (hostname: string, options: LookupAllOptions, done: LookupDone) => void
export type LookupDone = (fault: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void

type Scheme = 'http' | 'https'

interface Options {
  /** Returns why a connection to the address is not allowed, or null. */
  objection(address: string, scheme: Scheme): string | null
  /** Creates the error that a refused request fails with. */
  refuse(objection: string): Error
  lookup: Lookup
  timeout_ms: number
}

/**
 * A connector for undici that checks an IP literal (which is never looked up), every looked-up address, and the address that
 * the socket connected to. It checks redirects too, since each makes a new connection.
 */
export function guardedConnector(options: Options): buildConnector.connector {
  const { objection, refuse } = options
  const connectors = { http: connectorFor(options, 'http'), https: connectorFor(options, 'https') }
  return (target, callback) => {
    const scheme = schemeOf(target.protocol)
    const literal = literalAddress(target.hostname)
    const early = literal && objection(literal, scheme)
    if (early) return callback(refuse(early), null)
    connectors[scheme](target, (...result) => {
      const [fault, socket] = result
      if (fault) return callback(fault, null)
      const late = objection(socket.remoteAddress ?? '', scheme)
      if (!late) return callback(null, socket)
      socket.destroy()
      callback(refuse(late), null)
    })
  }
}

/** The scheme of a URL's protocol, "https:" or "http:". */
export const schemeOf = (protocol: string): Scheme => (protocol === 'https:' ? 'https' : 'http')

function connectorFor(options: Options, scheme: Scheme): buildConnector.connector {
  return buildConnector({ timeout: options.timeout_ms, lookup: guardedLookup(options, scheme) } as buildConnector.BuildOptions)
}

/** A single forbidden address refuses the whole name, since the socket could choose it. */
function guardedLookup({ objection, refuse, lookup }: Options, scheme: Scheme) {
  return (hostname: string, options: object, done: (fault: Error | null, address?: string | LookupAddress[], family?: number) => void) => {
    lookup(hostname, { ...options, all: true }, (fault, addresses) => {
      if (fault) return done(fault)
      for (const { address } of addresses) {
        const found = objection(address, scheme)
        if (found) return done(refuse(found))
      }
      if ('all' in options && options.all) return done(null, addresses)
      const [first] = addresses
      done(null, first?.address, first?.family)
    })
  }
}
