import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

/** Keys whose values never reach a log line, wherever they stand. */
const SECRET_KEYS = [
  ...['authorization', 'cookie', 'token', 'secret', 'url', 'password', 'email', 'phone'],
  ...[
    'database_url',
    'database_direct_url',
    'database_replica_url',
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
  ],
  // What a database says beside an error's message: values of the row at fault, and the statement with them.
  ...['detail', 'where', 'meta', 'parameters'],
]

/** One JSON object a line, on standard output unless said. */
export function openLog(level: string, to?: DestinationStream): Log {
  const paths = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`])
  return pino({ level, base: null, redact: { paths, censor: '[withheld]' } }, to)
}
