import { type Logger, pino } from 'pino'

export type Log = Logger

/** Keys whose values never reach a log line, wherever they stand. */
const SECRET_KEYS = ['authorization', 'token', 'secret', 'url', 'password', 'email', 'phone']

export function openLog(level: string): Log {
  return pino({
    level,
    base: null,
    redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[withheld]' },
  })
}
