import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSample, type SampleService } from './sample.ts'
import { openTerminal, type Terminal } from './terminal.ts'

describe('a reading command prints as JSON exactly what the API returned', () => {
  let sample: SampleService
  let weather: Terminal
  const ids = { report: '', property: '', territory: '', integration: '', delivery: '' }
  const get = async (address: string) =>
    (await fetch(`${sample.url}/api/v1${address}`, { headers: { authorization: `Bearer ${sample.token}` } })).json()

  beforeAll(async () => {
    sample = await openSample()
    weather = await openTerminal({ WEATHER_URL: sample.url, WEATHER_TOKEN: sample.token })
    const listings = { report: '/reports', property: '/properties', territory: '/territories', integration: '/integrations' }
    for (const [noun, address] of Object.entries(listings)) ids[noun as keyof typeof ids] = (await get(address)).data[0].id
    ids.delivery = (await get('/integrations/deliveries?status=sent')).data[0].id
  })
  afterAll(() => sample?.close())

  const box = ['--south', '33', '--west', '-97', '--north', '33.3', '--east', '-96.7']
  const cases: [words: string, address: string][] = [
    ['whoami', '/account'],
    ['status', '/monitoring/runs'],
    ['credits', '/credits'],
    ['credits --transactions --kind spend', '/credits/transactions?kind=spend'],
    ['runs', '/monitoring/runs'],
    ['events', '/integrations/events'],
    ['api GET /team', '/team'],
    ['reports list --status complete --address frisco', '/reports?status=complete&address=frisco'],
    ['reports show {report}', '/reports/{report}'],
    ['reports events {report} --type hail --per-page 2 --page 2', '/reports/{report}/events?type=hail&per_page=2&page=2'],
    ['reports verify {report}', '/reports/{report}/verification'],
    ['reports wait {report}', '/reports/{report}'],
    ['properties list --search main', '/properties?search=main'],
    ['properties show {property}', '/properties/{property}'],
    ['properties exposures {property} --from 2025-06-01', '/properties/{property}/exposures?from=2025-06-01'],
    ['contacts list {property}', '/properties/{property}/contacts'],
    ['territories list', '/territories'],
    ['territories show {territory}', '/territories/{territory}'],
    ['territories exposures {territory} --min-measured-in 1', '/territories/{territory}/exposures?min_measured_in=1'],
    ['places search Moore', '/places?search=Moore'],
    ['exposures list --open true --subject property', '/exposures?open=true&subject=property'],
    ['exposures show 1', '/exposures/1'],
    ['destinations list --channel webhook', '/integrations?channel=webhook'],
    ['destinations show {integration}', '/integrations/{integration}'],
    ['destinations secret {integration}', '/integrations/{integration}/secret'],
    ['deliveries list --status failed', '/integrations/deliveries?status=failed'],
    ['deliveries list --destination {integration}', '/integrations/{integration}/deliveries'],
    [`playback --date 2025-05-28 ${box.join(' ')}`, '/playback?date=2025-05-28&south=33&west=-97&north=33.3&east=-96.7'],
  ]

  test.concurrent.for(cases)('weather %s', async ([words, address], { expect }) => {
    const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, noun: keyof typeof ids) => ids[noun])
    const { status, stdout } = await weather(...filled(words).split(' '), '--json')
    expect({ status, answer: JSON.parse(stdout) }).toEqual({ status: 0, answer: await get(filled(address)) })
  })

  test('prints reported hail and what radar estimated in columns of their own', async () => {
    const { data } = await get('/exposures')
    const [titles = '', ...rows] = (await weather('exposures', 'list')).stdout.trim().split('\n')
    const cells = rows.map((row) => row.split(/ {2,}/))
    const columnOf = (title: string) => cells.map((row) => row[titles.split(/ +/).indexOf(title)])
    const shown = (sizes: (number | null)[]) => sizes.map((size) => String(size ?? '-'))
    expect(columnOf('hail_in')).toEqual(shown(data.map((one: { largest_measured_in: number | null }) => one.largest_measured_in)))
    expect(columnOf('radar_hail_in')).toEqual(shown(data.map((one: { largest_detected_in: number | null }) => one.largest_detected_in)))
  })

  test('prints every page of a listing as one, and a delivery with its posted body', async () => {
    const all = JSON.parse((await weather('exposures', 'list', '--all', '--json')).stdout)
    expect(all.data).toEqual((await get('/exposures?per_page=100')).data)
    const { delivery, body } = JSON.parse((await weather('deliveries', 'show', ids.delivery, '--json')).stdout)
    expect(delivery).toEqual((await get('/integrations/deliveries?status=sent')).data[0])
    expect(JSON.parse(body)).toMatchObject({ id: ids.delivery })
  })

  test('prints the same values in every format', async () => {
    const fields = ['--fields', 'date,subject.object', '--from', '2025-11-01']
    const shown = async (output: string) => (await weather('exposures', 'list', ...fields, '--output', output)).stdout
    expect(JSON.parse(await shown('json'))).toEqual([
      { date: '2025-11-09', 'subject.object': 'territory' },
      { date: '2025-11-09', 'subject.object': 'property' },
    ])
    expect(await shown('ndjson')).toBe(
      '{"date":"2025-11-09","subject.object":"territory"}\n{"date":"2025-11-09","subject.object":"property"}\n',
    )
    expect(await shown('csv')).toBe('date,subject.object\r\n2025-11-09,territory\r\n2025-11-09,property\r\n')
    expect(await shown('table')).toBe('date        subject.object\n2025-11-09  territory\n2025-11-09  property\n')
  })
})
