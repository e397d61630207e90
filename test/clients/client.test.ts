import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import {
  createWeatherClient,
  type RowOf,
  type Schemas,
  WeatherApiError,
  type WeatherClient,
  WeatherTimeoutError,
} from 'weather-report-client'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { openSample, type SampleService } from '#test/cli/sample.ts'

let sample: SampleService
let weather: WeatherClient
beforeAll(async () => {
  sample = await openSample()
  weather = createWeatherClient({ baseUrl: sample.url, token: sample.token })
})
afterAll(() => sample.close())

const { address, window_start, window_end } = sampleStorm
const ordered = { address, window_start, window_end }

describe('the client with the real service', () => {
  it('requests a report, waits for it, and reads its records row by row', async () => {
    const { data: created } = await weather.post('/api/v1/reports', { body: { ...ordered, radius_miles: 25 } })
    expect(created.status).toBe('pending')
    const [report] = await Promise.all([weather.waitForReport(created.id), sample.world.drain()])
    expectTypeOf(report.status).toEqualTypeOf<'complete' | 'failed'>()
    expect(report).toMatchObject({ status: 'complete', headline: expect.stringContaining('Hail') })

    const rows: RowOf<'/api/v1/reports/{report}/events'>[] = []
    const params = { path: { report: report.id }, query: { per_page: 2 } }
    for await (const row of weather.each('/api/v1/reports/{report}/events', { params })) rows.push(row)
    expect(rows).toHaveLength(report.event_count ?? 0)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    expect(rows.length).toBeGreaterThan(4)

    const { data: verification } = await weather.get('/api/v1/reports/{report}/verification', { params: { path: { report: report.id } } })
    expect(verification.fingerprint).toBe(report.fingerprint)
    const pdf = await weather.reportPdf(report.id)
    expect(new TextDecoder().decode(pdf.subarray(0, 5))).toBe('%PDF-')
  })

  it('sends a create whose response was lost again: one report, one credit', async () => {
    let losses = 2
    const losing: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      if (losses-- > 0) throw new TypeError('fetch failed')
      return answer
    }
    const unlucky = createWeatherClient({ baseUrl: sample.url, token: sample.token, fetch: losing, retry: { pausesMs: [1, 1] } })
    const readTotals = async () => ({
      reports: (await weather.get('/api/v1/reports')).meta.total,
      balance: (await weather.get('/api/v1/credits')).data.balance,
    })
    const before = await readTotals()
    const { data } = await unlucky.post('/api/v1/reports', { body: ordered })
    expect(await readTotals()).toEqual({ reports: before.reports + 1, balance: before.balance - 1 })
    await expect(weather.waitForReport(data.id, { withinMs: 1 })).rejects.toThrow(WeatherTimeoutError)
    await sample.world.drain()
    expect((await weather.waitForReport(data.id)).id).toBe(data.id)
  })

  it('reads every listing to its end, in rows of its own type', async () => {
    for (const path of ['/api/v1/reports', '/api/v1/properties', '/api/v1/territories', '/api/v1/exposures'] as const) {
      const { meta } = await weather.get(path)
      let rows = 0
      for await (const row of weather.each(path, { params: { query: { per_page: 1 } } })) rows += row.id ? 1 : 0
      expect([path, rows]).toEqual([path, meta.total])
      expect(rows).toBeGreaterThan(0)
    }
    expectTypeOf<RowOf<'/api/v1/credits/transactions'>>().toEqualTypeOf<Schemas['CreditTransaction']>()
    // @ts-expect-error this answers all of its rows at once
    expect(() => weather.each('/api/v1/places')).not.toThrow()
    // @ts-expect-error the description knows no such path
    await expect(weather.get('/api/v1/weather')).rejects.toMatchObject({ code: 'not_found' })
  })

  it('a sync of exposures is complete, though the first of each page leaves the list while it is read', async () => {
    const query = { since: '2000-01-01T00:00:00Z', open: true, per_page: 1 }
    const { meta } = await weather.get('/api/v1/exposures', { params: { query } })
    expect(meta.total).toBeGreaterThan(2)
    const ids: number[] = []
    for await (const { id } of weather.each('/api/v1/exposures', { params: { query } })) {
      ids.push(id)
      await weather.post('/api/v1/exposures/{exposure}/acknowledge', { params: { path: { exposure: id } } })
    }
    expect(new Set(ids).size).toBe(meta.total)
    for (const exposure of ids) await weather.post('/api/v1/exposures/{exposure}/reopen', { params: { path: { exposure } } })
  })

  it('throws the service’s refusal, field by field', async () => {
    const fault = await weather.post('/api/v1/reports', { body: { ...ordered, radius_miles: 1000 } }).catch((thrown: unknown) => thrown)
    expect(fault).toBeInstanceOf(WeatherApiError)
    expect(fault).toMatchObject({
      ...{ status: 422, code: 'validation_failed' },
      errors: { radius_miles: [expect.any(String)] },
      request_id: expect.stringMatching(/\w{10}/),
    })
    const unknownClient = createWeatherClient({ baseUrl: sample.url, token: 'wt_nobody' })
    await expect(unknownClient.get('/api/v1/account')).rejects.toMatchObject({ status: 401, code: 'unauthenticated' })
  })

  it('fetches paths outside the description, with the token and unchanged', async () => {
    const answer = await weather.fetch('/exports/reports.csv', {}, { stream: true })
    expect(answer.headers.get('content-type')).toContain('text/csv')
    expect((await answer.text()).split('\r\n')[0]).toContain('headline')
    await expect(weather.fetch('/exports/reports.csv?status=lost')).rejects.toMatchObject({ status: 422 })
    const pdf = await weather.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ team { name } }' }),
    })
    expect(await pdf.json()).toEqual({ data: { team: { name: 'Sample' } } })
  })

  it('returns the bytes of a tile, none of one without records', async () => {
    const readTile = (x: number) =>
      weather.get('/api/v1/tiles/{z}/{x}/{y}.mvt', { params: { path: { z: 3, x, y: 3 } }, parseAs: 'arrayBuffer' })
    const [storm, sea] = [await readTile(1), await readTile(5)]
    expectTypeOf(sea).toEqualTypeOf<ArrayBuffer>()
    expect([storm.byteLength > 0, sea.byteLength]).toEqual([true, 0])
  })

  it('returns nothing for a response without a body', async () => {
    const { data: territory } = await weather.post('/api/v1/territories', {
      body: { name: 'To go', kind: 'radius', latitude: 33.1, longitude: -96.8, radius_miles: 2 },
    })
    expect(await weather.delete('/api/v1/territories/{territory}', { params: { path: { territory: territory.id } } })).toBeUndefined()
  })
})
