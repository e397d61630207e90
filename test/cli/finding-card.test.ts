import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestReport } from '#domain/reports/request.ts'
import { createApiServer } from '#rest/host.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { reports } from '../../cli/screens/reports.ts'
import { lookOf } from '../../cli/screens/terminal.ts'
import { detailsText, importText } from '../domain/archive/files.ts'

let world: World
let close: () => Promise<unknown>
let linesOf: (window_end: string) => Promise<string>

const signatures = `ZTIME,WSR_ID,CELL_ID,PROB,SEVPROB,MAXSIZE,LAT,LON
2019-03-24T23:36:03Z,KFWS,A1,90,50,1.50,33.16,-96.82
summary
count,1
`

beforeAll(async () => {
  world = await openWorld()
  const api = await createApiServer(world.app)
  close = () => api.close()
  const url = await api.listen({ host: '127.0.0.1', port: 0 })
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const connection = { url, token: (await aToken(world, team)).token, operator_key: OPERATOR_KEY }
  const hail = { EVENT_ID: '1', BEGIN_DAY: '26', END_DAY: '26' }
  const wind = { EVENT_ID: '2', EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: '52', MAGNITUDE_TYPE: 'EG', BEGIN_DAY: '25', END_DAY: '25' }
  const elsewhere = { CZ_FIPS: '201', CZ_NAME: 'HARRIS' }
  const doubted = { EVENT_ID: '3', MAGNITUDE: '1.50', BEGIN_DAY: '25', END_DAY: '25', ...elsewhere }
  await importText(world, detailsText(hail, wind, doubted), { quiet: true })
  await importText(world, signatures, { quiet: true, file_name: 'nx3hail.csv' }, 'radar-hail')
  linesOf = async (window_end) => {
    const input = { latitude: 33.15, longitude: -96.82, window_start: '2019-03-01', window_end, radius_miles: 10 }
    const { id } = (await requestReport(world.app, caller, input, null)).report
    await world.drain()
    const layout = await reports.open(connection, { id })
    return layout(160, lookOf({ LANG: 'en_US.UTF-8' }))
      .map(({ text }) => text)
      .join('\n')
  }
})
afterAll(async () => {
  await close?.()
  await world?.close()
})

test('a card states that the largest hail of a finding is a radar estimate if no report without a caveat has a size', async () => {
  expect(await linesOf('2019-03-24')).toMatch(/ 1 record on 1 day, last 2019-03-24 · hail 1\.50 in by radar · /)
  expect(await linesOf('2019-03-25')).toMatch(/ 3 records on 2 days, last 2019-03-25 · hail 1\.50 in by radar · wind 60 mph · /)
  expect(await linesOf('2019-03-26')).toMatch(/ 4 records on 3 days, last 2019-03-26 · hail 2\.00 in · wind 60 mph · /)
})
