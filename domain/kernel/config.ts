import type { KeyObject } from 'node:crypto'
import path from 'node:path'
import { blockedPorts } from '#domain/kernel/blocked-ports.ts'
import { type BucketSettings, bucketOf } from '#domain/kernel/bucket-settings.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'
import { withRedisPassword } from '#domain/kernel/redis-address.ts'
import type { SecretRing } from '#domain/kernel/secret-ring.ts'
import { type Environment, withFiles } from '#domain/kernel/setting-files.ts'
import type { BasemapSetting, WitnessSetting } from '#domain/kernel/setting-types.ts'
import { needs, type Settings, settingNames, settings } from '#domain/kernel/settings.ts'
import { type TraceSettings, traceSettingsOf } from '#domain/kernel/trace-settings.ts'

/** The settings of the service, read once from the environment. docs/settings.md documents each of them. */
export interface Config {
  host: string
  port: number
  /** Without a trailing slash. */
  base_url: string
  /** Address of the console, without a trailing slash. */
  console_url: string
  /** Absolute path of the state folder. */
  home: string
  database_url: string
  /** The server itself, for work that needs a session; differs from `database_url` when that is a pooler in transaction mode. */
  database_direct_url: string
  /** A read replica; null: none. */
  database_replica_url: string | null
  /** URL for the role that owns the tables; the same as `database_direct_url` when one role does both. */
  database_migrate_url: string
  /** Connections of one process's pool. */
  database_pool: number
  /** Milliseconds that a transaction waits for a free connection. */
  database_wait_ms: number
  /** Null: the queue runs on PostgreSQL. */
  redis_url: string | null
  redis_sentinel_password: string | null
  /** CA certificates (PEM) for Redis and its sentinels; null: those that this machine trusts. */
  redis_ca: string | null
  /** Keys that encrypt destinations' URLs and secrets and the document signing key, and from which the link key is derived. */
  secret_keys: SecretRing
  /** Ed25519 private key that signs fingerprints; null: fingerprints are not signed. */
  signing_key: KeyObject | null
  /** File of the certificate and private key (PEM or PKCS #12) that sign whole documents; null: the install creates its own. */
  certificate: string | null
  certificate_password: string | null
  /** Name for a fingerprint log that has none yet. */
  log_origin: string
  /** Verifier keys and addresses of the witnesses that cosign the log's checkpoints. */
  log_witnesses: WitnessSetting[]
  /** Timestamp authority for checkpoints (RFC 3161); null: checkpoints get no timestamp. */
  timestamp_url: string | null
  /** Folder of rendered documents; unused when a bucket is set. */
  blobs: string
  /** Bucket of rendered documents, used instead of the folder; null: the folder is used. */
  bucket: BucketSettings | null
  /** Folder or bucket that documents are moved from or to; null: there is one store. */
  blobs_also: string | BucketSettings | null
  /** Folder or bucket that keeps the agencies' files; null: they are not kept. */
  archive_files: string | BucketSettings | null
  /** Null: the operator API responds with 404. */
  operator_key: string | null
  /** Whether the made-up sample is seeded. */
  sample: boolean
  rate_limit_per_minute: number
  /** Number of proxies in front of the service that are trusted to report the client's address. */
  trust_proxy: number
  webhook_allowed_networks: string[]
  geocoder: 'embedded' | 'census' | 'nominatim' | 'pelias'
  geocoder_url: string | null
  /** Provider of public records about properties; null: enrichment only locates a property again. */
  enrichment_url: string | null
  enrichment_token: string | null
  /** E-mail address in the User-Agent of requests to feeds. */
  contact: string | null
  /** Null: no mail is sent. */
  smtp_url: string | null
  /** OpenID Connect provider for sign-in to the console; null: none. */
  oidc: OidcSettings | null
  mapillary_token: string | null
  aerial_imagery: boolean
  /** A MapLibre style under the console's maps; null: borders only, with no request to another host. */
  basemap_style_url: string | null
  /** Other origins from which the style loads tiles, sprites and glyphs. */
  basemap_origins: string[]
  /** Basemap of the map page; null: an imported basemap, or else the packaged one. */
  basemap: BasemapSetting | null
  mesh_retention_days: number
  /** Calendar years (UTC) before the current one for which observations are kept; 0: all. */
  observations_years: number
  /** Days for which earlier versions of archive records are kept; 0: forever. */
  versions_days: number
  /** Days for which the audit log is kept. */
  audit_days: number
  browser_ws: string | null
  browser_path: string | null
  /** Chromium's own sandbox: when available, always, or never. */
  browser_sandbox: 'auto' | 'on' | 'off'
  /** User and group id of the browser when the service runs as root. */
  browser_uid: number
  /** Memory of all browser processes together; one process may use half of it. */
  browser_memory_mb: number
  log_level: string
  /** Where metrics are also served without the operator key; port null: nowhere. */
  metrics_host: string
  metrics_port: number | null
  /** Null: tracing is off. */
  traces: TraceSettings | null
  /** Serves GraphiQL to a browser that opens /graphql. */
  development: boolean
}

/** Company sign-in to the console over OpenID Connect. */
export interface OidcSettings {
  issuer: string
  client_id: string
  client_secret: string
  /** E-mail domains that may sign in, in lower case. */
  domains: string[]
  /** Claim with the ids of the teams that a person may join; null: joining needs an invitation. */
  team_claim: string | null
  /** Role in a team joined through the claim. */
  role: 'viewer' | 'analyst'
}

/** Settings that cannot be used, each by its name; thrown at startup with every faulty setting at once. */
export class BadSettings extends Error {
  constructor(readonly faults: string[]) {
    super(faults.join('\n'))
    this.name = 'BadSettings'
  }
}

/** Required with OIDC_ISSUER. */
const WITH_ISSUER = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_DOMAINS'] as const

/**
 * Reads the environment into a Config.
 * @throws BadSettings naming every setting that cannot be used; values are never repeated, they may be secrets.
 */
export function readConfig(env: Environment): Config {
  const { s, bucket, also, files } = readSettings(env)
  const home = path.resolve(s.WEATHER_HOME)
  const base_url = (s.BASE_URL ?? `http://${s.HOST.includes(':') ? `[${s.HOST}]` : s.HOST}:${s.PORT}`).replace(/\/+$/, '')
  const database_url = withPassword(s.DATABASE_URL, s.DATABASE_PASSWORD)
  const database_direct_url = s.DATABASE_DIRECT_URL ? withPassword(s.DATABASE_DIRECT_URL, s.DATABASE_PASSWORD) : database_url
  return {
    host: s.HOST,
    port: s.PORT,
    base_url,
    console_url: consoleUrlOf(base_url),
    home,
    database_url,
    database_direct_url,
    database_replica_url: s.DATABASE_REPLICA_URL ? withPassword(s.DATABASE_REPLICA_URL, s.DATABASE_PASSWORD) : null,
    database_migrate_url: s.DATABASE_MIGRATE_URL ? withPassword(s.DATABASE_MIGRATE_URL, s.DATABASE_MIGRATE_PASSWORD) : database_direct_url,
    database_pool: s.DATABASE_POOL,
    database_wait_ms: s.DATABASE_WAIT_MS,
    redis_url: s.REDIS_URL ? withRedisPassword(s.REDIS_URL, s.REDIS_PASSWORD) : null,
    redis_sentinel_password: s.REDIS_SENTINEL_PASSWORD ?? null,
    redis_ca: s.REDIS_CA ?? null,
    secret_keys: s.WEATHER_SECRET_KEY,
    signing_key: s.WEATHER_SIGNING_KEY ?? null,
    certificate: s.WEATHER_CERTIFICATE ? path.resolve(s.WEATHER_CERTIFICATE) : null,
    certificate_password: s.WEATHER_CERTIFICATE_PASSWORD ?? null,
    // The log's URL without the scheme (c2sp.org/tlog-tiles).
    log_origin: s.LOG_ORIGIN ?? `${base_url.replace(/^https?:\/\//, '')}/log`,
    log_witnesses: s.LOG_WITNESSES ?? [],
    timestamp_url: s.TIMESTAMP_URL ?? null,
    blobs: path.resolve(typeof s.WEATHER_BLOBS === 'string' ? s.WEATHER_BLOBS : path.join(home, 'blobs')),
    bucket,
    blobs_also: typeof s.WEATHER_BLOBS_ALSO === 'string' ? path.resolve(s.WEATHER_BLOBS_ALSO) : also,
    archive_files: typeof s.ARCHIVE_FILES === 'string' ? path.resolve(s.ARCHIVE_FILES) : files,
    operator_key: s.WEATHER_OPERATOR_KEY ?? null,
    sample: s.WEATHER_SAMPLE,
    rate_limit_per_minute: s.RATE_LIMIT_PER_MINUTE,
    trust_proxy: s.TRUST_PROXY,
    webhook_allowed_networks: s.WEBHOOK_ALLOWED_NETWORKS,
    geocoder: s.GEOCODER,
    geocoder_url: s.GEOCODER_URL ?? null,
    enrichment_url: s.ENRICHMENT_URL ?? null,
    enrichment_token: s.ENRICHMENT_TOKEN ?? null,
    contact: s.WEATHER_CONTACT ?? null,
    smtp_url: s.SMTP_URL ?? null,
    oidc: oidcOf(s),
    mapillary_token: s.MAPILLARY_TOKEN ?? null,
    aerial_imagery: s.AERIAL_IMAGERY,
    basemap_style_url: s.BASEMAP_STYLE_URL ?? null,
    basemap_origins: s.BASEMAP_ORIGINS ?? [],
    basemap: basemapOf(s.BASEMAP),
    mesh_retention_days: s.MESH_RETENTION_DAYS,
    observations_years: s.OBSERVATIONS_YEARS,
    versions_days: s.VERSIONS_DAYS,
    audit_days: s.AUDIT_DAYS,
    browser_ws: s.BROWSER_WS ?? null,
    browser_path: s.PUPPETEER_EXECUTABLE_PATH ?? null,
    browser_sandbox: s.BROWSER_SANDBOX,
    browser_uid: s.BROWSER_UID,
    browser_memory_mb: s.BROWSER_MEMORY_MB,
    log_level: s.LOG_LEVEL,
    metrics_host: s.METRICS_HOST,
    metrics_port: s.METRICS_PORT ?? null,
    traces: traceSettingsOf(s),
    development: s.NODE_ENV === 'development',
  }
}

/** Reads each setting, and the buckets that several settings describe together. */
function readSettings(env: Environment): { s: Settings } & Buckets {
  const { values: given, faults } = withFiles(env, settingNames)
  const values = withoutForeign(given)
  const read = settings.safeParse(values)
  // A setting whose file cannot be read is not also reported as missing.
  const others = (read.error?.issues ?? []).filter(({ path: [name] }) => !faults.has(String(name)))
  const missing = read.data?.OIDC_ISSUER ? WITH_ISSUER.filter((name) => !read.data[name] && !faults.has(name)) : []
  const faulty = new Set([...faults.keys(), ...others.map((issue) => String(issue.path[0]))])
  const unmet = unmetNeeds(values, faulty)
  const [bucket, also, files] = [
    bucketOf(read.data, 'WEATHER_BLOBS'),
    bucketOf(read.data, 'WEATHER_BLOBS_ALSO'),
    bucketOf(read.data, 'ARCHIVE_FILES'),
  ]
  const incomplete = [...new Set([bucket, also, files].filter((fault) => typeof fault === 'string'))]
  const blocked = read.data ? blockedPort(read.data) : []
  const repeated = read.data && isSameStore(read.data.WEATHER_BLOBS, read.data.WEATHER_BLOBS_ALSO) ? [SAME_STORE] : []
  if (
    faults.size + others.length + missing.length + unmet.length + blocked.length + repeated.length > 0 ||
    isFault(bucket) ||
    isFault(also) ||
    isFault(files) ||
    !read.success
  )
    throw new BadSettings([
      ...faults.values(),
      ...others.map((issue) => `${issue.path.join('.')} ${issue.message}`),
      ...missing.map((name) => `${name} is required with OIDC_ISSUER`),
      ...unmet,
      ...blocked,
      ...repeated,
      ...incomplete,
    ])
  return { s: read.data, bucket, also, files }
}

/** Returns a sentence if no browser or client would connect to the service. Behind a proxy, the port of its own address decides. */
function blockedPort({ BASE_URL, PORT }: Settings): string[] {
  const port = BASE_URL ? Number(new URL(BASE_URL).port) : PORT
  if (!blockedPorts.has(port)) return []
  return [`${BASE_URL ? 'BASE_URL has' : 'PORT is'} a port that browsers and other clients refuse to connect to: choose another`]
}

const SAME_STORE = 'WEATHER_BLOBS_ALSO must name another store than WEATHER_BLOBS'

/** Whether two settings name one folder or one place in a bucket, where moving documents would move nothing. */
function isSameStore(one: Settings['WEATHER_BLOBS'], other: Settings['WEATHER_BLOBS_ALSO']): boolean {
  if (typeof one === 'object' && typeof other === 'object')
    return one.bucket === other.bucket && one.prefix === other.prefix && one.endpoint === other.endpoint
  return typeof one === 'string' && typeof other === 'string' && path.resolve(one) === path.resolve(other)
}

/** Drops what a machine sets for the traces of other programs: without a collector it has no effect, and need not be usable here. */
function withoutForeign(values: Environment): Environment {
  if (values.OTEL_EXPORTER_OTLP_ENDPOINT) return values
  return Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith('OTEL_')))
}

/** Returns a sentence for each setting without what it needs; a setting that cannot be used is reported as such only. */
function unmetNeeds(values: Environment, faulty: Set<string>): string[] {
  return needs
    .filter(({ setting, values: judged = /./, needed, pattern = /./ }) => {
      const isJudged = judged.test(values[setting] ?? '') && !faulty.has(setting) && !faulty.has(needed)
      return isJudged && !pattern.test(values[needed] ?? '')
    })
    .map(({ setting, needed, words, message }) => {
      if (message) return message
      return words ? `${setting} needs a ${needed} ${words}` : `${setting} needs ${needed}, and has no effect without it`
    })
}

interface Buckets {
  bucket: BucketSettings | null
  also: BucketSettings | null
  files: BucketSettings | null
}

const isFault = (bucket: BucketSettings | string | null) => typeof bucket === 'string'

/** Resolves the path of a basemap file at startup, so that it does not depend on the working directory later. */
const basemapOf = (setting: BasemapSetting | undefined): BasemapSetting | null =>
  setting?.kind === 'file' ? { ...setting, path: path.resolve(setting.path) } : (setting ?? null)

function oidcOf(s: Settings): OidcSettings | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_DOMAINS, OIDC_TEAM_CLAIM, OIDC_ROLE } = s
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET || !OIDC_DOMAINS) return null
  return {
    issuer: OIDC_ISSUER,
    client_id: OIDC_CLIENT_ID,
    client_secret: OIDC_CLIENT_SECRET,
    domains: OIDC_DOMAINS,
    team_claim: OIDC_TEAM_CLAIM ?? null,
    role: OIDC_ROLE,
  }
}

/**
 * Puts a password from its own setting into the URL, percent-encoded: it may contain any character. The address of a socket has no place
 * for it before the host, and the driver prefers a password among the parameters to any other.
 */
function withPassword(address: string, password: string | undefined): string {
  if (password === undefined) return address
  const url = new URL(address)
  if (url.hostname === '' || url.searchParams.has('password')) url.searchParams.set('password', password)
  else url.password = encodeURIComponent(password)
  return url.href
}
