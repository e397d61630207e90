import type { KeyObject } from 'node:crypto'
import path from 'node:path'
import { type BucketSettings, bucketOf } from '#domain/kernel/bucket-settings.ts'
import { consoleUrlOf } from '#domain/kernel/console-url.ts'
import { withRedisPassword } from '#domain/kernel/redis-address.ts'
import type { SecretRing } from '#domain/kernel/secret-ring.ts'
import { type Environment, withFiles } from '#domain/kernel/setting-files.ts'
import type { BasemapSetting, WitnessSetting } from '#domain/kernel/setting-types.ts'
import { type Settings, settingNames, settings } from '#domain/kernel/settings.ts'
import { type TraceSettings, traceSettingsOf } from '#domain/kernel/trace-settings.ts'

/** The settings of the service, read once from the environment. docs/settings.md holds the same table in prose. */
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
  /** The server itself, for what needs a session of its own; another where the first is of a pooler that gives each transaction another session. */
  database_direct_url: string
  /** A server that follows it, for reads; null: none. */
  database_replica_url: string | null
  /** Of the role that owns the tables; the same where one role does both. */
  database_migrate_url: string
  /** Connections of one process's pool. */
  database_pool: number
  /** Milliseconds for which a transaction waits for one of them that is free. */
  database_wait_ms: number
  /** Null: the queue runs on PostgreSQL. */
  redis_url: string | null
  redis_sentinel_password: string | null
  /** Certificates (PEM) that vouch for Redis and its sentinels; null: those that this machine trusts. */
  redis_ca: string | null
  /** Encrypt destinations' urls and secrets and the key that signs documents, and derive the link key. */
  secret_keys: SecretRing
  /** Ed25519 private key that signs fingerprints; null: they are not signed. */
  signing_key: KeyObject | null
  /** File of the certificate and private key (PEM or PKCS #12) that sign documents as a whole; null: one that the install makes. */
  certificate: string | null
  certificate_password: string | null
  /** Name of the log of fingerprints, of a log that has none yet. */
  log_origin: string
  /** Verifier keys and addresses of those who are asked to cosign the log's checkpoints. */
  log_witnesses: WitnessSetting[]
  /** Authority that stamps checkpoints with the time (RFC 3161); null: none is asked. */
  timestamp_url: string | null
  /** Folder of rendered documents; of no use where a bucket is set. */
  blobs: string
  /** Takes the folder's place. */
  bucket: BucketSettings | null
  /** A folder or a bucket where documents stood before, or will stand; null: there is one store. */
  blobs_also: string | BucketSettings | null
  /** Folder or bucket in which the agencies' files are kept; null: they are not. */
  archive_files: string | BucketSettings | null
  /** Null: the operator API is 404. */
  operator_key: string | null
  /** True where the made-up sample is seeded. */
  sample: boolean
  rate_limit_per_minute: number
  /** How many proxies in front are believed about the client's address. */
  trust_proxy: number
  webhook_allowed_networks: string[]
  geocoder: 'embedded' | 'census' | 'nominatim' | 'pelias'
  geocoder_url: string | null
  /** Provider of public records about properties; null: a property is only located anew. */
  enrichment_url: string | null
  enrichment_token: string | null
  /** E-mail in the User-Agent of feeds. */
  contact: string | null
  /** Null: no digest is mailed. */
  smtp_url: string | null
  /** OpenID Connect provider by which people sign in to the console; null: none. */
  oidc: OidcSettings | null
  mapillary_token: string | null
  aerial_imagery: boolean
  /** A MapLibre style that lies under the console's maps; null: borders alone, and nothing is asked of another host. */
  basemap_style_url: string | null
  /** Where else the style takes its tiles, pictures and letters from. */
  basemap_origins: string[]
  /** What lies under the map page; null: a basemap that was imported, or the packaged ground. */
  basemap: BasemapSetting | null
  mesh_retention_days: number
  /** Calendar years (UTC) before the running one whose observations are kept; 0: all. */
  observations_years: number
  /** Days for which it is kept what the archive said before it changed; 0: for ever. */
  versions_days: number
  /** Days for which the audit log is kept. */
  audit_days: number
  browser_ws: string | null
  browser_path: string | null
  /** Chromium's own: where it can be made, always, or never. */
  browser_sandbox: 'auto' | 'on' | 'off'
  /** User and group under which a service of root runs the browser. */
  browser_uid: number
  /** Of all its processes together; one may hold half of it. */
  browser_memory_mb: number
  log_level: string
  /** Where metrics are also served without the operator key; a null port: nowhere. */
  metrics_host: string
  metrics_port: number | null
  /** Null: nothing is traced. */
  traces: TraceSettings | null
  /** GraphiQL, for a browser that asks /graphql. */
  development: boolean
}

/** How people of the operator's company sign in to the console. */
export interface OidcSettings {
  issuer: string
  client_id: string
  client_secret: string
  /** Domains of e-mail addresses whose owners may come, in lower case. */
  domains: string[]
  /** Claim that holds ids of teams to let somebody into; null: nobody comes without an invitation. */
  team_claim: string | null
  /** Their role in such a team. */
  role: 'viewer' | 'analyst'
}

/** A setting that cannot be used, named; thrown at start, with all that are wrong. */
export class BadSettings extends Error {
  constructor(readonly faults: string[]) {
    super(faults.join('\n'))
    this.name = 'BadSettings'
  }
}

/** What the provider cannot be used without. */
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
    // What it is served under, without the scheme (c2sp.org/tlog-tiles).
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

/** What each setting says, and the buckets that some of them name together. */
function readSettings(env: Environment): { s: Settings } & Buckets {
  const { values, faults } = withFiles(env, settingNames)
  const read = settings.safeParse(values)
  // A setting whose file cannot be used is not also said to be missing.
  const others = (read.error?.issues ?? []).filter(({ path: [name] }) => !faults.has(String(name)))
  const missing = read.data?.OIDC_ISSUER ? WITH_ISSUER.filter((name) => !read.data[name] && !faults.has(name)) : []
  const [bucket, also, files] = [
    bucketOf(read.data, 'WEATHER_BLOBS'),
    bucketOf(read.data, 'WEATHER_BLOBS_ALSO'),
    bucketOf(read.data, 'ARCHIVE_FILES'),
  ]
  const incomplete = [...new Set([bucket, also, files].filter((fault) => typeof fault === 'string'))]
  if (faults.size + others.length + missing.length > 0 || isFault(bucket) || isFault(also) || isFault(files) || !read.success)
    throw new BadSettings([
      ...faults.values(),
      ...others.map((issue) => `${issue.path.join('.')} ${issue.message}`),
      ...missing.map((name) => `${name} is required with OIDC_ISSUER`),
      ...incomplete,
    ])
  return { s: read.data, bucket, also, files }
}

interface Buckets {
  bucket: BucketSettings | null
  also: BucketSettings | null
  files: BucketSettings | null
}

const isFault = (bucket: BucketSettings | string | null) => typeof bucket === 'string'

/** A folder of the state does not move with the process: the path is made whole at once. */
const basemapOf = (given: BasemapSetting | undefined): BasemapSetting | null =>
  given?.kind === 'file' ? { ...given, path: path.resolve(given.path) } : (given ?? null)

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

/** A password beside its address, where it may hold any character. */
function withPassword(address: string, password: string | undefined): string {
  return password === undefined ? address : Object.assign(new URL(address), { password: encodeURIComponent(password) }).href
}
