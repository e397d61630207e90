import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '#domain/engines/clock.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { openLog } from '#domain/engines/log.ts'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { readConfig } from '#domain/kernel/config.ts'

// A process that appends all waiting entries, from its start signal until it is killed.
const config = readConfig(process.env)
const app = { config, ...openDatabase(config.database_url), clock: systemClock, log: openLog('silent') }
await app.pool.query('SELECT 1')
process.stdout.write('ready\n')
await once(process.stdin, 'data')
for (;;) {
  await appendPending(app)
  await pause(1)
}
