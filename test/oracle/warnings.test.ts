import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiServer } from '#rest/host.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { realRecordsPresent } from './files.ts'
import { inForce, noticesOf } from './warned.ts'
import { askWarnings, countAnswers, readNotices, warningTexts } from './warning-questions.ts'
import { type LiveWarning, liveInForce, warningDifferences, warningsAt } from './warning-service.ts'

/** Places for each segment of a text; the whole comparison is `npm run test:oracle`. */
const EACH = 3
const SEED = 20240426
const TIMEOUT_MS = 240_000

const text = (action: string, header: string, code: string, corners: string) =>
  `000\nWFUS53 KOAX ${header}\nTOROAX\n/O.${action}.KOAX.TO.W.0038.${code}-240426T2300Z/\n459 PM CDT FRI APR 26 2024\n\nLAT...LON ${corners}\n\n$$\n`
const wide = '4100 9578 4105 9585 4151 9568 4150 9541'
const narrow = '4135 9555 4136 9565 4151 9560 4150 9542'
const at = (clock: string) => Date.parse(`2024-04-26T${clock}:00Z`) / 1000
const place = [-95.6813, 41.2932] as const

describe('a warning of the texts', () => {
  const notices = [text('NEW', '262159', '240426T2159Z', wide), text('COR', '262243 CCA', '000000T0000Z', narrow)].flatMap(noticesOf)

  test('is in force by its newest text sent so far, if the polygon contains the place', () => {
    expect(inForce(notices, place, at('21:58'))).toEqual([])
    expect(inForce(notices, place, at('22:42'))).toEqual(['KOAX.TO.W.0038.2024 by 202404262159-KOAX-WFUS53-TOROAX'])
    expect(inForce(notices, place, at('22:43'))).toEqual([])
    expect(inForce(notices, [-95.55, 41.45], at('22:59'))).toEqual(['KOAX.TO.W.0038.2024 by 202404262243-KOAX-WFUS53-TOROAX'])
    expect(inForce(notices, [-95.55, 41.45], at('23:00'))).toEqual([])
  })

  test('is not in force with a polygon that crosses itself', () => {
    const crossed = noticesOf(text('NEW', '262159', '240426T2159Z', '4100 9578 4150 9541 4100 9541 4150 9578'))
    expect(inForce(crossed, [-95.75, 41.25], at('22:10'))).toEqual([])
  })

  test.each<[string, Partial<LiveWarning>]>([
    ['a service that says too little', { periods: [] }],
    ['one that says it too long', { periods: [{ from: '2024-04-26T21:59:00Z', until: '2024-04-26T23:00:00Z' }] }],
    [
      'one that names another text',
      { messages: [{ from: '2024-04-26T21:59:00Z', until: '2024-04-26T22:43:00Z', citation_url: 'x?pid=other' }] },
    ],
  ])('is distinguished from %s', (_name, change) => {
    const right: LiveWarning = {
      periods: [{ from: '2024-04-26T21:59:00Z', until: '2024-04-26T22:43:00Z' }],
      messages: [
        { from: '2024-04-26T21:59:00Z', until: '2024-04-26T22:43:00Z', citation_url: 'x?pid=202404262159-KOAX-WFUS53-TOROAX' },
        { from: '2024-04-26T22:43:00Z', until: '2024-04-26T23:00:00Z', citation_url: 'x?pid=202404262243-KOAX-WFUS53-TOROAX' },
      ],
      citation_url: 'x/event/2024-O-NEW-KOAX-TO-W-0038',
    }
    const questions = [{ place, moments: [at('21:58'), at('22:10'), at('22:50')] }]
    expect(liveInForce([right], at('22:10'))).toEqual(inForce(notices, place, at('22:10')))
    expect(warningDifferences(questions, notices, [[right]])).toEqual([])
    expect(warningDifferences(questions, notices, [[{ ...right, ...change }]])).not.toEqual([])
  })
})

describe.skipIf(!realRecordsPresent)(
  `warnings against the raw texts${realRecordsPresent ? '' : ' (skipped: real records not present)'}`,
  () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ config: { rate_limit_per_minute: 10_000 } })
    })
    afterAll(() => world.close())

    test('are in force over the same places at the same moments, by the same messages', { timeout: TIMEOUT_MS }, async () => {
      const notices = readNotices()
      const questions = askWarnings(notices, EACH, SEED)
      expect(countAnswers(questions, notices)).toBeGreaterThan(150)
      const api = await createApiServer(world.app)
      const url = await api.listen({ host: '127.0.0.1', port: 0 })
      try {
        const connection = { url, token: null, operator_key: OPERATOR_KEY }
        const places = questions.map((question) => question.place)
        const live = await warningsAt(connection, places, warningTexts(), () => world.drain())
        expect(warningDifferences(questions, notices, live)).toEqual([])
      } finally {
        await api.close()
      }
    })
  },
)
