import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openLoaded } from '#test/support/loaded-shape.ts'

/** From the moment in which the stand-by accepts writes. */
const WITHIN_MS = 15_000
/** The time until monitoring declares the primary dead. */
const NOTICED_MS = 3000

it('the primary freezes and a stand-by replaces it: confirmed data are there, and work continues within 15 s', {
  timeout: 900_000,
}, async () => {
  const loaded = await openLoaded({ followed: true })
  try {
    await loaded.serveAnotherTeam(async () => {})
    const alone = await loaded.serveAnotherTeam(async () => {})
    const took = await loaded.serveAnotherTeam(async () => {
      await loaded.postgres?.freeze()
      await pause(NOTICED_MS)
      await loaded.failOver()
    })
    console.log(`alone ${alone.before}, ${alone.after} ms; once the stand-by had taken over ${took.before}, ${took.after} ms`)
    await loaded.settle()
    expect(Math.max(took.before, took.after)).toBeLessThan(WITHIN_MS + Math.max(alone.before, alone.after))
  } finally {
    await loaded.close()
  }
})
