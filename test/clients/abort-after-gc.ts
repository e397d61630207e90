import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWeatherClient } from 'weather-report-client'

/** A program for `node --expose-gc`: aborts a streamed download after a garbage collection, and prints how the download ended. */

/** Milliseconds, far beyond what an abort takes. */
const DEADLINE_MS = 5000

const server = createServer((_, response) => {
  const timer = setInterval(() => response.write('row\n'), 20)
  response.on('close', () => clearInterval(timer))
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const { gc } = globalThis
if (!gc) throw new Error('run with --expose-gc')

const stop = new AbortController()
const reader = await openDownload(stop.signal)
await reader.read()
// What a signal holds weakly goes at a collection that follows a turn of the event loop.
for (let turns = 0; turns < 5; turns++) {
  await sleep(20)
  gc()
}
stop.abort(new Error('enough'))
console.log(await Promise.race([endOf(reader), sleep(DEADLINE_MS, 'still open')]))
process.exit()

/** In a function of its own, so that no variable here holds the response or the client. */
async function openDownload(signal: AbortSignal) {
  const weather = createWeatherClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'wt_x' })
  const { body } = await weather.fetch('/exports/reports.csv', { signal }, { stream: true })
  if (!body) throw new Error('no body')
  return body.getReader()
}

async function endOf(download: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  try {
    while (!(await download.read()).done);
    return 'read to its end'
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault)
  }
}
