import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LaneName } from '#domain/closed-sets.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import { MINUTE } from '#test/support/clock.ts'
import { aTeam } from '#test/support/factories.ts'
import { type FeedReply, type Feeds, openFeeds } from '#test/support/feeds.ts'
import { readTime, stormFeeds } from '#test/support/storm-feeds.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { aProperty } from '../domain/exposures/storm.ts'

let world: World
let feeds: Feeds
beforeEach(async () => {
  feeds = await openFeeds()
  world = await openWorld({ replace: { http: feeds.http }, config: { contact: 'weather@example.com' } })
  world.clock.set(readTime)
  await aProperty(world, await aTeam(world))
  // The feeds were read until a day before, so a pass requests a week, not months.
  await world.app.pool.query(
    `INSERT INTO feed_states (url, source, watermark, checked_at) SELECT id, id, $2, $2 FROM unnest($1::text[]) id`,
    [['nws_lsr', 'noaa_spc_reports', 'asos', 'noaa_mesh', 'nexrad_hail'], new Date(readTime.getTime() - 24 * 60 * MINUTE)],
  )
})
afterEach(async () => {
  await world.close()
  await feeds.close()
})

const storm = stormFeeds()
const keys = async () =>
  (
    await world.app.pool.query<{ key: string }>(
      "SELECT source || ' ' || source_key AS key FROM archive_records WHERE withdrawn_at IS NULL ORDER BY 1",
    )
  ).rows.map(({ key }) => key)
const halved = ({ body = '' }: FeedReply): FeedReply => ({ body: body.slice(0, body.length / 2) })

/** A feed's faulty responses, by fault; null where the feed works as usual. */
const faults: Record<string, (reply: FeedReply) => FeedReply> = {
  'is down': () => ({ status: 503 }),
  'never answers': (reply) => ({ ...reply, fault: 'hangs' }),
  'answers with a page': () => ({ headers: { 'content-type': 'text/html' }, body: '<!DOCTYPE html>\n<title>Maintenance</title>\n' }),
  'is cut off on its way': (reply) => ({ ...reply, fault: 'cut' }),
  'is cut off by its sender': halved,
}

const everyFeed: [string, LaneName, string, RegExp][] = [
  ['local storm reports', 'record', 'National Weather Service local storm reports', /^mesonet\.agron/],
  ['daily reports', 'record', 'NOAA Storm Prediction Center daily reports', /^www\.spc.*260513_rpts_hail/],
  ['stations', 'record', 'Airport weather stations', /^api\.weather\.gov\/stations\//],
  ['the final record', 'record', 'NOAA Storm Events Database', /^www\.ncei\.noaa\.gov\/pub/],
  ['the radar mosaic', 'surfaces', 'NOAA MRMS maximum estimated size of hail', /^mrms\.ncep\.noaa\.gov/],
  ['radar signatures', 'surfaces', 'NOAA NEXRAD hail signatures', /^www\.ncei\.noaa\.gov\/swdiws.*20260513/],
]

/** Each record once, whatever fault the feed had before. */
const expected: Partial<Record<LaneName, string[]>> = {
  record: [
    'noaa_spc_reports 20260513/hail/0208/TX-COLLIN/1',
    'noaa_storm_events 2025/1',
    'noaa_storm_events 2025/2',
    'nws_lsr 2026/KFWD/202605140210/HAIL/TX-COLLIN/1 N FRISCO',
  ],
  surfaces: [
    'nexrad_hail 2026/KFWS/20260513210500/A1',
    'nexrad_hail 2026/KFWS/20260513211000/A1',
    'noaa_mesh mesh/2026-05-14T02:10:00Z/2185/3318',
    'noaa_mesh mesh/2026-05-14T02:10:00Z/2185/3319',
    'noaa_mesh mesh/2026-05-14T02:10:00Z/2185/3320',
    'noaa_mesh mesh/2026-05-14T02:10:00Z/2185/3321',
  ],
}

describe.each(everyFeed)('%s in trouble', (_what, lane, label, paths) => {
  it('affect only themselves, are named, and are recovered by the next run', { timeout: 240_000 }, async () => {
    for (const [fault, applyFault] of Object.entries(faults)) {
      feeds.answer((path, turn) => {
        const reply = storm(path, turn)
        return reply && paths.test(path) ? applyFault(reply) : reply
      })
      const run = await runLane(world.app, lane)
      expect(run, fault).toMatchObject({ status: 'failed' })
      const named = everyFeed.map(([, , other]) => other).filter((other) => run?.failure_reason?.includes(`${other}: `))
      expect(named, fault).toEqual([label])
      world.clock.advance(MINUTE)
    }
    feeds.answer(storm)
    expect(await runLane(world.app, lane)).toMatchObject({ status: 'complete', failure_reason: null })
    expect(await keys()).toEqual(expected[lane])
  })
})
