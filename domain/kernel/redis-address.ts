/** A Redis server, or the sentinels that know the current master. */
export interface RedisAddress {
  /** The server's URL, or that of the first sentinel; user, password and database number are always the server's. */
  url: URL
  /** Null: a single server at `url`. */
  sentinels: { host: string; port: number }[] | null
  /** Name of the master that the sentinels watch. */
  master: string | null
  tls: boolean
}

/** `redis+sentinel://host:port,host:port/MASTER/0`. */
const SENTINELS = /^(redis|rediss)\+sentinel:\/\/(?:([^@/]*)@)?([^@/?#]+)\/([\w.-]+)(?:\/(\d*))?$/
const SENTINEL_PORT = 26_379
/** The path of a server's URL. The driver would ask Redis for any other text as a number, and the process would die of the response. */
const DATABASE_NUMBER = /^\/?\d{0,5}$/

/** Parses `redis://host:port/0` or the sentinel form, with `rediss` for TLS; null if invalid. */
export function readRedisAddress(text: string): RedisAddress | null {
  const [, scheme, credentials, hosts = '', master = '', database = ''] = SENTINELS.exec(text) ?? []
  const before = credentials === undefined ? '' : `${credentials}@`
  const named = scheme ? hosts.split(',').map((host) => `redis://${host}`) : []
  const url = scheme ? `${scheme}://${before}${hosts.split(',')[0]}/${database}` : text
  if (![...named, url].every((one) => URL.canParse(one) && new URL(one).hostname !== '') || !isDecodable(new URL(url))) return null
  const server = new URL(url)
  const tls = server.protocol === 'rediss:'
  if (!tls && server.protocol !== 'redis:') return null
  if (!DATABASE_NUMBER.test(server.pathname)) return null
  if (!scheme) return { url: server, sentinels: null, master: null, tls }
  const sentinels = named
    .map((one) => new URL(one))
    .map(({ hostname, port }) => ({ host: bare(hostname), port: Number(port) || SENTINEL_PORT }))
  return { url: server, sentinels, master, tls }
}

/** Returns the URL with a password from its own setting, percent-encoded: it may contain any character. */
export function withRedisPassword(text: string, password: string | undefined): string {
  if (password === undefined) return text
  return text.replace(/:\/\/(?:([^@/:]*)(?::[^@/]*)?@)?/, (_, user = '') => `://${user}:${encodeURIComponent(password)}@`)
}

/** An IPv6 address has brackets only in a URL. */
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/** Whether each % is part of an escape. Otherwise it usually comes from a password, and must be written %25. */
export function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    return [username, password, pathname].every((part) => decodeURIComponent(part) !== null)
  } catch {
    return false
  }
}
