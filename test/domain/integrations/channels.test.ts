import { describe, expect, it } from 'vitest'
import { catalogue, type EventName } from '#domain/events/catalogue.ts'
import { bodies } from '#domain/integrations/channels/index.ts'
import { type Payload, payloadOf } from '#domain/integrations/payload.ts'

const BASE = 'https://weather.example.com'
/** Everything that a person could put into a name to notify everyone, to plant a link, or to reverse what follows. */
const HOSTILE =
  '\u202e\u2069\u061c<!channel> <!here> <@U123> @here @everyone <at>All</at> <https://evil.example|Pay here> [Pay](https://evil.example) *bold* _it_ ~no~ `code` # big https://evil.example'

const address = { query: '1 Main St', street: '1 Main St', city: 'Moore', state: 'OK', postal_code: '73160' }
const property = { id: 'p', name: HOSTILE, status: 'watching', reference: HOSTILE, address, links: { self: `${BASE}/api/v1/properties/p` } }
const exposure = {
  id: 7,
  kind: 'record',
  date: '2026-05-20',
  headline: `Hail up to 1.75 in reported 0.8 mi NNE of ${HOSTILE}`,
  subject: { name: HOSTILE, object: 'property' },
  reports: 2,
  largest_measured_in: 1.75,
  largest_detected_in: null,
  max_gust_mph: 61,
  nearest_miles: 0.84,
  families: { tornado: 0 },
  provisional: true,
  warning: null,
}
const report = {
  id: 'r',
  headline: 'Hail',
  address,
  window: { start: '2026-01-01', end: '2026-05-31', radius_miles: 5 },
  findings: [{ family_label: 'Hail', statement: HOSTILE, confidence_label: 'High' }],
  nothing_found: null,
  coverage: {
    complete: true,
    provisional: false,
    summary: 'Final records',
    sources_searched: ['noaa_storm_events'],
    unplaced_zone_records: 0,
  },
  links: { self: `${BASE}/api/v1/reports/r`, pdf: `${BASE}/api/v1/reports/r/pdf` },
}
const digest = {
  period: { from: '2026-05-19T12:00:00.000Z', to: '2026-05-20T12:00:00.000Z' },
  totals: { exposures: 30, properties: 1, territories: 0, warnings: 0 },
}
const payloads: Record<string, { data: unknown[] } & Record<string, unknown>> = {
  exposure: { data: [exposure] },
  warning: { data: [{ ...exposure, kind: 'warning' }] },
  digest: { data: Array.from({ length: 30 }, () => exposure), ...digest },
  property: { data: [property] },
  report: { data: [report], download: { url: `${BASE}/signed` } },
}

const payloadFor = (event: EventName): Payload =>
  payloadOf(
    {
      delivery_id: 'd',
      created_at: new Date('2026-05-20T12:00:00Z'),
      event,
      subject: HOSTILE,
      exposure_ids: [7],
      content: payloads[event.split('.')[0] as string] as never,
      team_name: HOSTILE,
    },
    BASE,
  )

/** Every text of a body, with its key. */
function texts(value: unknown, key = ''): { key: string; text: string }[] {
  if (typeof value === 'string') return [{ key, text: value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([inner, each]) => texts(each, Array.isArray(value) ? key : inner))
}

describe.each(catalogue.map(({ name }) => name))('%s', (event) => {
  const payload = payloadFor(event)

  it('is a message of blocks for chat_a, without foreign mentions or links', () => {
    const body = JSON.parse(bodies.chat_a(payload))
    expect(Object.keys(body).sort()).toEqual(['blocks', 'link_names', 'text', 'unfurl_links', 'unfurl_media'])
    expect(body).toMatchObject({ unfurl_links: false, unfurl_media: false, link_names: false })
    expect(JSON.stringify(body)).not.toMatch(/\p{Bidi_Control}/u)
    const [header] = body.blocks
    expect(header).toMatchObject({ type: 'header', text: { type: 'plain_text' } })
    expect([...header.text.text].length).toBeLessThanOrEqual(150)
    expect(body.blocks.length).toBeLessThanOrEqual(50)
    for (const section of body.blocks.filter(({ type }: { type: string }) => type === 'section')) {
      const marked = [section.text, ...(section.fields ?? [])].filter(Boolean)
      expect(section.fields?.length ?? 0).toBeLessThanOrEqual(10)
      for (const { type, text, verbatim } of marked) {
        expect([type, verbatim]).toEqual(['mrkdwn', true])
        expect([...text].length).toBeLessThanOrEqual(3000)
        expect(text).not.toMatch(/[<>]|(?<!\u200b)@|(?<!\u200b):\/\/|(?<!\u200b)[_~`]/)
      }
    }
    expect(body.text).not.toMatch(/[<>]|(?<!\u200b)@|(?<!\u200b):\/\//)
    const [button] = body.blocks.flatMap((block: { elements?: unknown[] }) => block.elements ?? [])
    expect(button).toMatchObject({ type: 'button', url: payload.link, text: { type: 'plain_text', text: payload.link_label } })
  })

  it('is one Adaptive Card for chat_b, without foreign mentions or links', () => {
    const text = bodies.chat_b(payload)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(28 * 1024)
    expect(text).not.toMatch(/\p{Bidi_Control}/u)
    const message = JSON.parse(text)
    expect(Object.keys(message).sort()).toEqual(['attachments', 'type'])
    expect(message).toMatchObject({ type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive' }] })
    const { content } = message.attachments[0]
    expect(content).toMatchObject({ type: 'AdaptiveCard', version: '1.4' })
    expect(content.actions).toEqual([{ type: 'Action.OpenUrl', title: payload.link_label, url: payload.link }])
    expect(content).not.toHaveProperty('msteams')
    for (const { key, text } of texts(content.body).filter(({ key }) => ['text', 'title', 'value'].includes(key))) {
      expect(text, key).not.toMatch(/[<>]|(?<!\u200b)@|(?<!\u200b):\/\/|(?<!\\)[*`[\]()#]/)
    }
  })

  it('is the payload itself for a webhook, with every key of its kind', () => {
    const body = JSON.parse(bodies.webhook(payload))
    expect(body).toMatchObject({ id: 'd', event, object: body.kind, subject: HOSTILE, exposure_ids: [7] })
    const shared =
      'activity_url created_at data event exposure_ids facts headline id kind lede link link_label object rows settings_url subject team_name'
    const added = { alert: 'escalation', property: 'changed reason', report: 'download', digest: 'period totals' }[body.kind as string]
    expect(Object.keys(body).sort()).toEqual(`${shared} ${added}`.split(' ').sort())
  })
})

it('stays within the size limit of chat_b, however long the content is', () => {
  const payload = payloadFor('report.completed')
  const long = { ...payload, lede: '界'.repeat(5000), rows: Array.from({ length: 100 }, () => '*界'.repeat(2000)) }
  expect(Buffer.byteLength(bodies.chat_b(long))).toBeLessThanOrEqual(28 * 1024)
  expect(JSON.parse(bodies.chat_b(long)).attachments[0].content.body.length).toBeGreaterThan(3)
})

it('marks in both chats a text that is cut: a statement must not seem to end there', () => {
  const long = { ...payloadFor('report.completed'), lede: 'é'.repeat(4000) }
  expect(JSON.parse(bodies.chat_a(long)).blocks[1].text.text).toBe(`${'é'.repeat(2999)}…`)
  expect(JSON.parse(bodies.chat_b(long)).attachments[0].content.body[1].text).toBe(`${'é'.repeat(999)}…`)
})

it.each([
  ['short', 'Row', 20],
  ['long', 'Row '.padEnd(300, 'x'), 9],
])('says in both chats how many %s rows are left out', (_, row, shown) => {
  const payload = payloadFor('digest.sent')
  const rows = [...Array.from({ length: 20 }, (_, nth) => `${row} ${nth + 1}`), 'And 40 more.']
  const [section] = JSON.parse(bodies.chat_a({ ...payload, lede: '', rows })).blocks.slice(1)
  const listed = section.text.text.split('\n')
  expect(listed).toEqual([...rows.slice(0, shown), `And ${60 - shown} more.`].map((text) => `• ${text}`))
  const large = rows.slice(0, 20).map((text) => text.padEnd(2 * 1024, 'é'))
  const cardRows = (list: string[]) =>
    texts(JSON.parse(bodies.chat_b({ ...payload, rows: list })).attachments[0].content.body)
      .map(({ text }) => text)
      .filter((text) => text.startsWith('- '))
  expect(cardRows(rows)).toEqual(rows.map((text) => `- ${text}`))
  const fitting = cardRows([...large, 'And 40 more.'])
  expect(fitting.length).toBeLessThan(20)
  expect(fitting.at(-1)).toBe(`- And ${60 - (fitting.length - 1)} more.`)
})
