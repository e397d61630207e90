import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Keys whose values never reach a log line, at the top level or up to two levels deep. */
const SECRET_KEYS = [
  ...['authorization', 'cookie', 'token', 'secret', 'url', 'password', 'email', 'phone'],
  ...[
    'database_url',
    'database_direct_url',
    'database_replica_url',
    'database_migrate_url',
    'redis_url',
    'redis_sentinel_password',
    'smtp_url',
    'client_secret',
    'secret_keys',
    'signing_key',
    'certificate_password',
    'operator_key',
    'enrichment_token',
    'mapillary_token',
    // Of a bucket, and of the collector of traces.
    ...['credentials', 'headers'],
  ],
  // Database error details: values of the row and of the statement.
  ...['detail', 'where', 'meta', 'parameters'],
]

/** Opens a log with one JSON object a line, on standard output by default. */
export function openLog(level: string, to?: DestinationStream): Log {
  const paths = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`])
  return pino({ level, base: null, redact: { paths, censor: '[withheld]' } }, to)
}
