import { expect, it } from 'vitest'
import { playStormDay } from '#domain/maps/playback.ts'
import { detailsText, importText } from '#test/domain/archive/files.ts'
import { openWorld } from '#test/support/world.ts'

const nowhere = { BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' }

it('a storm day counts the reports that name a county of the box and no point', async () => {
  const world = await openWorld()
  await importText(
    world,
    detailsText(
      {},
      { EVENT_ID: '2', ...nowhere },
      { EVENT_ID: '3', ...nowhere },
      { EVENT_ID: '4', ...nowhere, BEGIN_DAY: '23', END_DAY: '23' },
      { EVENT_ID: '5', ...nowhere, STATE: 'OKLAHOMA', STATE_FIPS: '40', CZ_FIPS: '109', CZ_NAME: 'OKLAHOMA' },
    ),
  )
  const over = async (date: string, [south, north]: [number, number]) => {
    const { context, meta } = await playStormDay(world.app, { date, south, north, west: -98, east: -96 })
    return [context.reports.length, meta.reports_without_point]
  }
  expect(await over('2019-03-24', [32, 34])).toEqual([1, 2])
  expect(await over('2019-03-23', [32, 34])).toEqual([0, 1])
  expect(await over('2019-03-24', [35, 36])).toEqual([0, 1])
  expect(await over('2019-03-22', [32, 34])).toEqual([0, 0])
})
