import { z } from 'zod'
import {
  basemap,
  blobs,
  certificates,
  domains,
  emptyIsUnset,
  flag,
  integer,
  issuer,
  keyValues,
  LOG_NAME,
  networks,
  optional,
  origins,
  port,
  redisAddress,
  secretRing,
  signingKey,
  url,
  witnesses,
} from '#domain/kernel/setting-types.ts'
import { samplers } from '#domain/kernel/trace-settings.ts'

/**
 * Minimum pool size; with fewer connections a process can deadlock. Detection holds two (its pages and its transaction) and
 * waits for a third; a backfill beside it holds one and waits for a second. With one more than these three, one always proceeds.
 */
export const POOL_MIN = 4

/** Every setting of the service, by its environment variable: its allowed values and its default. */
export const settings = z.object({
  HOST: z.preprocess(emptyIsUnset, z.string().default('127.0.0.1')),
  PORT: integer(0, 65535, 4000),
  BASE_URL: optional(url(['http', 'https'])),
  WEATHER_HOME: z.preprocess(emptyIsUnset, z.string().default('.weather')),
  DATABASE_URL: z.preprocess(
    emptyIsUnset,
    z.string('is required: the address of a PostgreSQL database').pipe(url(['postgresql', 'postgres'])),
  ),
  DATABASE_PASSWORD: optional(z.string()),
  DATABASE_DIRECT_URL: optional(url(['postgresql', 'postgres'])),
  DATABASE_REPLICA_URL: optional(url(['postgresql', 'postgres'])),
  DATABASE_MIGRATE_URL: optional(url(['postgresql', 'postgres'])),
  DATABASE_MIGRATE_PASSWORD: optional(z.string()),
  DATABASE_POOL: integer(POOL_MIN, 100, 8, ': detection and a backfill use three connections while each waits for one more'),
  // The database ends a statement after 8 s and a wait for a lock after 6 s: a longer wait than both gets the connection that this frees.
  // More than a minute outlasts every client and only fills memory with requests that nobody waits for.
  DATABASE_WAIT_MS: integer(1000, 60_000, 15_000),
  REDIS_URL: optional(redisAddress),
  REDIS_PASSWORD: optional(z.string()),
  REDIS_SENTINEL_PASSWORD: optional(z.string()),
  REDIS_CA: optional(certificates),
  WEATHER_SECRET_KEY: z.preprocess(
    emptyIsUnset,
    z.string('is required with DATABASE_URL: 32 bytes in base64, as `openssl rand -base64 32` prints').pipe(secretRing),
  ),
  WEATHER_SIGNING_KEY: optional(signingKey),
  WEATHER_CERTIFICATE: optional(z.string()),
  WEATHER_CERTIFICATE_PASSWORD: optional(z.string()),
  LOG_ORIGIN: optional(z.string().regex(LOG_NAME, 'must be a name of at most 200 characters without spaces and plus signs')),
  LOG_WITNESSES: optional(witnesses),
  TIMESTAMP_URL: optional(url(['http', 'https'])),
  WEATHER_BLOBS: optional(blobs),
  WEATHER_BLOBS_ALSO: optional(blobs),
  // The names that Amazon's own tools use.
  AWS_REGION: optional(z.string().regex(/^[a-z0-9-]{1,40}$/, 'must be a name such as us-east-1')),
  AWS_ACCESS_KEY_ID: optional(z.string()),
  AWS_SECRET_ACCESS_KEY: optional(z.string()),
  AWS_SESSION_TOKEN: optional(z.string()),
  ARCHIVE_FILES: optional(blobs),
  WEATHER_OPERATOR_KEY: optional(z.string().regex(/^wo_[A-Za-z0-9_-]{20,}$/, 'must be wo_ and at least 20 letters or digits')),
  WEATHER_SAMPLE: flag,
  RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000, 120),
  TRUST_PROXY: integer(0, 10, 0),
  WEBHOOK_ALLOWED_NETWORKS: z.preprocess(emptyIsUnset, z.string().default('')).pipe(networks),
  GEOCODER: z.preprocess(
    emptyIsUnset,
    z.enum(['embedded', 'census', 'nominatim', 'pelias'], 'must be embedded, census, nominatim or pelias').default('embedded'),
  ),
  GEOCODER_URL: optional(url(['http', 'https'])),
  ENRICHMENT_URL: optional(url(['http', 'https'])),
  ENRICHMENT_TOKEN: optional(z.string()),
  WEATHER_CONTACT: optional(z.email('must be an e-mail address')),
  SMTP_URL: optional(url(['smtp', 'smtps'])),
  OIDC_ISSUER: optional(issuer),
  OIDC_CLIENT_ID: optional(z.string()),
  OIDC_CLIENT_SECRET: optional(z.string()),
  OIDC_DOMAINS: optional(domains),
  OIDC_TEAM_CLAIM: optional(z.string()),
  OIDC_ROLE: z.preprocess(emptyIsUnset, z.enum(['viewer', 'analyst'], 'must be viewer or analyst').default('viewer')),
  MAPILLARY_TOKEN: optional(z.string()),
  AERIAL_IMAGERY: flag,
  BASEMAP: optional(basemap),
  BASEMAP_STYLE_URL: optional(url(['http', 'https'])),
  BASEMAP_ORIGINS: optional(origins),
  MESH_RETENTION_DAYS: integer(1, 36500, 30),
  OBSERVATIONS_YEARS: integer(0, 200, 0),
  VERSIONS_DAYS: integer(0, 36500, 0),
  // The database keeps 30 days of the audit log in any case, so that nobody can delete the trace of a recent change.
  AUDIT_DAYS: integer(30, 36500, 400),
  BROWSER_WS: optional(url(['ws', 'wss'])),
  PUPPETEER_EXECUTABLE_PATH: optional(z.string()),
  BROWSER_SANDBOX: z.preprocess(emptyIsUnset, z.enum(['auto', 'on', 'off'], 'must be auto, on or off').default('auto')),
  // Outside every distribution's range of users, so that it owns nothing. `nobody` may own a database of the service.
  BROWSER_UID: integer(1, 4_294_967_294, 65_533, ': the browser must not run as root'),
  BROWSER_MEMORY_MB: integer(1024, 1_048_576, 2048, ': a page of a long document takes some 300'),
  LOG_LEVEL: z.preprocess(
    emptyIsUnset,
    z.enum(['silent', 'error', 'warn', 'info', 'debug'], 'must be silent, error, warn, info or debug').default('info'),
  ),
  METRICS_HOST: z.preprocess(emptyIsUnset, z.string().default('127.0.0.1')),
  METRICS_PORT: optional(port),
  // The names of OpenTelemetry. Other protocols need packages that are not installed, and would silently send nothing.
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(url(['http', 'https'])),
  OTEL_EXPORTER_OTLP_PROTOCOL: optional(z.literal('http/protobuf', 'must be http/protobuf')),
  OTEL_EXPORTER_OTLP_HEADERS: keyValues(/^[\w!#$%&'*+.^`|~-]+$/),
  OTEL_SERVICE_NAME: z.preprocess(emptyIsUnset, z.string().max(100, 'must have at most 100 characters').default('weather')),
  OTEL_RESOURCE_ATTRIBUTES: keyValues(/^[\w.-]+$/),
  OTEL_TRACES_SAMPLER: z.preprocess(
    emptyIsUnset,
    z
      .string()
      .refine((name): name is keyof typeof samplers => Object.hasOwn(samplers, name), `must be ${Object.keys(samplers).join(', ')}`)
      .default('parentbased_always_on'),
  ),
  OTEL_TRACES_SAMPLER_ARG: z.preprocess(
    emptyIsUnset,
    z.coerce.number('must be a number from 0 to 1').min(0, 'must be at least 0').max(1, 'must be at most 1').default(1),
  ),
  NODE_ENV: optional(z.string()),
})

export type Settings = z.infer<typeof settings>

/** The name of every setting. */
export const settingNames = Object.keys(settings.shape)

type Name = keyof Settings

/** A setting that has no effect without `needed`, or without a value of it that matches `pattern`, which `words` describe. */
interface Need {
  setting: Name
  /** Only for these values of the setting; by default for all. */
  values?: RegExp
  needed: Name
  words?: string
  pattern?: RegExp
  /** The whole message, if it is another one. */
  message?: string
}

/**
 * What settings need to have an effect: an operator who gives one expects it. Names that other programs read too (AWS_, OTEL_) are not
 * here, because a machine may set them for those; nor are those that the container layouts set for every process (PUPPETEER_EXECUTABLE_PATH
 * and BROWSER_MEMORY_MB beside a BROWSER_WS).
 */
export const needs: Need[] = [
  { setting: 'DATABASE_MIGRATE_PASSWORD', needed: 'DATABASE_MIGRATE_URL' },
  { setting: 'REDIS_PASSWORD', needed: 'REDIS_URL' },
  {
    setting: 'REDIS_SENTINEL_PASSWORD',
    needed: 'REDIS_URL',
    words: 'with sentinels: redis+sentinel:// or rediss+sentinel://',
    pattern: /^rediss?\+sentinel:/,
  },
  // Without TLS the authority would protect nothing, and the password would be sent as it is.
  { setting: 'REDIS_CA', needed: 'REDIS_URL', words: 'with TLS: rediss:// or rediss+sentinel://', pattern: /^rediss/i },
  { setting: 'WEATHER_CERTIFICATE_PASSWORD', needed: 'WEATHER_CERTIFICATE' },
  { setting: 'GEOCODER_URL', needed: 'GEOCODER', words: 'with an address: census, nominatim or pelias', pattern: /^(?!embedded$)./ },
  { setting: 'ENRICHMENT_TOKEN', needed: 'ENRICHMENT_URL' },
  { setting: 'OIDC_CLIENT_ID', needed: 'OIDC_ISSUER' },
  { setting: 'OIDC_CLIENT_SECRET', needed: 'OIDC_ISSUER' },
  { setting: 'OIDC_DOMAINS', needed: 'OIDC_ISSUER' },
  { setting: 'OIDC_TEAM_CLAIM', needed: 'OIDC_ISSUER' },
  { setting: 'OIDC_ROLE', needed: 'OIDC_TEAM_CLAIM' },
  { setting: 'BASEMAP_ORIGINS', needed: 'BASEMAP_STYLE_URL' },
  { setting: 'METRICS_HOST', needed: 'METRICS_PORT' },
  // `on` promises that nothing is printed without the sandbox, and a remote browser does not show whether it has one.
  {
    setting: 'BROWSER_SANDBOX',
    values: /^on$/,
    needed: 'BROWSER_WS',
    pattern: /^$/,
    message: 'BROWSER_SANDBOX on cannot be ensured with BROWSER_WS: the remote browser is confined where it runs',
  },
]
