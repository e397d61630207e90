import type pg from 'pg'
import type { Blobs } from '#domain/engines/blobs.ts'
import { type Clock, systemClock } from '#domain/engines/clock.ts'
import { type Db, openDatabase } from '#domain/engines/database.ts'
import { type Enrichment, openEnrichment } from '#domain/engines/enrichment.ts'
import { type Geocode, openGeocoder } from '#domain/engines/geocoder.ts'
import { openGuard } from '#domain/engines/guard.ts'
import { type Http, openHttp } from '#domain/engines/http.ts'
import { type IdentityProvider, openIdentityProvider } from '#domain/engines/identity-provider.ts'
import { type Limiter, openLimiter } from '#domain/engines/limiter.ts'
import { type Log, openLog } from '#domain/engines/log.ts'
import { type Mail, openMail } from '#domain/engines/mail.ts'
import { type Metrics, openMetrics } from '#domain/engines/metrics.ts'
import { type MovingStores, openBlobs } from '#domain/engines/open-blobs.ts'
import { openPictures, type Pictures } from '#domain/engines/pictures.ts'
import { openPoster, type Poster } from '#domain/engines/post.ts'
import { openPrinter, type Printer } from '#domain/engines/printer.ts'
import { openReplica, type Replica } from '#domain/engines/replica.ts'
import { sharedPool } from '#domain/engines/row-scope.ts'
import { openSourceFiles, type SourceFiles } from '#domain/engines/source-files.ts'
import { openTraces, type Traces } from '#domain/engines/traces.ts'
import type { Config } from '#domain/kernel/config.ts'

/** Every engine of a process: everything that opens a socket or a file, or reads the clock. Opened once; tests replace single parts. */
export interface App {
  config: Config
  /** Sees every team's rows. While a team's request is handled, it sees only that team's rows. */
  db: Db
  /** The connection pool under `db`, for named statements on hot paths and for COPY. */
  pool: pg.Pool
  /** Null when the primary serves every read. */
  replica: Replica | null
  blobs: Blobs
  /** The two stores behind `blobs` while documents move from one to the other; null when there is only one store. */
  moving: MovingStores | null
  /** Null when the agencies' files are not kept. */
  source_files: SourceFiles | null
  geocode: Geocode
  enrichment: Enrichment
  http: Http
  limiter: Limiter
  /** Posts to destinations, through the address guard. */
  poster: Poster
  mail: Mail
  /** OpenID Connect provider for company sign-in; null when none is configured. */
  identity_provider: IdentityProvider | null
  printer: Printer
  pictures: Pictures
  clock: Clock
  log: Log
  metrics: Metrics
  /** Null when tracing is off. */
  traces: Traces | null
}

/** Opens every engine. Parts in `replace` are used instead of the real ones; to replace the database, give both `db` and `pool`. */
export async function openApp(config: Config, replace: Partial<App> = {}): Promise<App> {
  const log = replace.log ?? openLog(config.log_level)
  const clock = replace.clock ?? systemClock
  const { db, pool } =
    replace.db && replace.pool
      ? { db: replace.db, pool: replace.pool }
      : openDatabase(config.database_url, config.database_pool, config.database_wait_ms, config.database_direct_url)
  const http = replace.http ?? openHttp(config)
  return {
    config,
    db,
    pool,
    replica: config.database_replica_url
      ? openReplica(config.database_replica_url, config.database_direct_url, config.database_pool, log)
      : null,
    log,
    clock,
    http,
    ...openBlobs(config),
    source_files: openSourceFiles(config),
    geocode: openGeocoder(config, http),
    enrichment: openEnrichment(config, http),
    limiter: openLimiter(config, sharedPool(pool), log),
    mail: openMail(config),
    identity_provider: config.oidc && openIdentityProvider(config.oidc, `${config.console_url}/sign-in/company`, http),
    printer: openPrinter(config, log),
    pictures: openPictures(config, log),
    poster: openPoster(openGuard(config.webhook_allowed_networks)),
    metrics: openMetrics(),
    traces: config.traces && (await openTraces(config.traces, log)),
    ...replace,
  }
}

/** Closes what openApp opened. */
export async function closeApp(app: App): Promise<void> {
  await app.limiter.close()
  await app.poster.close()
  app.blobs.close()
  app.source_files?.close()
  app.mail.close()
  await app.printer.close()
  await app.http.close()
  await app.replica?.close()
  await app.db.$disconnect()
  await app.traces?.close()
}
