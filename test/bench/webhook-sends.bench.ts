import assert from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openGuard } from '#domain/engines/guard.ts'
import { openPoster, type Poster } from '#domain/engines/post.ts'
import { newSigningSecret, SIGNATURE_HEADER, sign } from '#domain/integrations/signature.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'

export const claim = 'A signed post is sent from behind the guard in a quarter of the time that the built-in fetch takes'

/** Bytes of a body: an alert has about two thousand, a digest of fifty exposures some forty thousand. */
export const sizes = { small: [400, 4_000], full: [2_000, 20_000] } as const
/** Posts in flight: as many as four destinations receive at once. */
const AT_ONCE = 16
/** An attempt's deadline. */
const DEADLINE_MS = 15_000

interface Stage {
  url: string
  body: string
  headers: Record<string, string>
  poster: Poster
}

/** In a process of its own, so that its cost affects neither arm. It responds with the number of bytes that it received. */
const RECEIVER = `
  const server = require('node:http').createServer((request, response) => {
    let bytes = 0
    request.on('data', (part) => (bytes += part.length)).on('end', () => response.end(String(bytes)))
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

export async function setup(bed: Bed): Promise<Stage> {
  const receiver = spawn(process.execPath, ['-e', RECEIVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  bed.closing(async () => {
    receiver.kill()
    await once(receiver, 'exit')
  })
  const [port] = await once(createInterface(receiver.stdout), 'line')
  const poster = openPoster(openGuard(['127.0.0.0/8']))
  bed.closing(() => poster.close())
  const body = JSON.stringify({ object: 'alert', lede: 'x'.repeat(bed.size) }).slice(-bed.size)
  const headers = { 'Content-Type': 'application/json', [SIGNATURE_HEADER]: sign(newSigningSecret(), body, new Date()) }
  return { url: `http://127.0.0.1:${port}/hook`, body, headers, poster }
}

async function byPoster({ poster, url, headers, body }: Stage): Promise<string> {
  return (await poster.post(url, headers, body)).text
}

/** The same promises without the guard: one deadline for everything, no redirects, the response read. */
async function byFetch({ url, headers, body }: Stage): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(DEADLINE_MS) })
  return answer.text()
}

/** The measured value is the time of one post among those in flight. */
async function together(send: (stage: Stage) => Promise<string>, stage: Stage): Promise<Measured> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => send(stage)))
  return { operations: AT_ONCE }
}

export const arms: Arm<Stage>[] = [
  { name: 'our poster', run: (stage) => together(byPoster, stage) },
  { name: 'global fetch', peer: true, run: (stage) => together(byFetch, stage) },
]

export const reach: Reach[] = [{ arm: 'our poster', peer: 'global fetch', ratio_at_most: 1 / 4 }]

/** Both deliver the whole body. */
export async function check(stage: Stage): Promise<void> {
  for (const send of [byPoster, byFetch]) assert.equal(await send(stage), String(stage.body.length))
}
