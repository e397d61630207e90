import { expect, it } from 'vitest'
import { catalogue, type EventName } from '#domain/events/catalogue.ts'
import { bodies } from '#domain/integrations/channels/index.ts'
import {
  type Payload,
  type Posted,
  type PropertyPayload,
  payloadKindOf,
  payloadOf,
  testPayload,
  withoutContacts,
} from '#domain/integrations/payload.ts'
import { exposureContent } from '#test/support/event-content.ts'

const BASE = 'https://weather.example.com'
const posted = (event: EventName, content: object) => ({
  delivery_id: 'd',
  created_at: new Date('2026-05-20T12:00:00Z'),
  event,
  subject: 'Hail at HQ',
  exposure_ids: [7, 8],
  content,
  team_name: 'Roofers',
})
const property = {
  id: 'p',
  name: 'HQ',
  status: 'watching',
  reference: null,
  notes: 'Ring twice.',
  contacts: [{ name: 'Somebody' }],
  address: { query: '1 Main St', street: '1 Main St', city: 'Moore', state: 'OK', postal_code: '73160' },
  links: { self: `${BASE}/api/v1/properties/p` },
}
/** The parts of each content that its post consists of. */
const payload = (event: EventName, content: object) => payloadOf(posted(event, content) as Posted, BASE)

it('there is a kind for every event', () => {
  expect(Object.fromEntries(catalogue.map(({ name }) => [name, payloadKindOf(name)]))).toEqual({
    'exposure.detected': 'alert',
    'exposure.escalated': 'alert',
    'warning.issued': 'alert',
    'property.created': 'property',
    'property.updated': 'property',
    'property.archived': 'property',
    'report.completed': 'report',
    'report.pdf_ready': 'report',
    'report.failed': 'report',
    'digest.sent': 'digest',
  })
})

it('an alert carries the delivery, its exposures and what grew', () => {
  const content = exposureContent('HQ')
  const escalation = { from_in: 1, to_in: 1.75, tornado: false }
  expect(payload('exposure.escalated', { ...content, escalation })).toMatchObject({
    id: 'd',
    created_at: '2026-05-20T12:00:00.000Z',
    kind: 'alert',
    object: 'alert',
    event: 'exposure.escalated',
    team_name: 'Roofers',
    subject: 'Hail at HQ',
    exposure_ids: [7, 8],
    activity_url: `${BASE}/map?exposure=7`,
    settings_url: `${BASE}/docs#destinations`,
    data: content.data,
    escalation,
  })
  expect(payload('exposure.detected', { data: content.data })).toMatchObject({ escalation: null })
})

it('a property states what changed and why; a new one has no changes', () => {
  const of = (event: EventName, extra: object = {}) => payload(event, { data: [property], ...extra }) as PropertyPayload
  expect(of('property.created')).toMatchObject({ changed: [], reason: 'change' })
  expect(of('property.updated')).toMatchObject({ changed: [], reason: 'change' })
  expect(of('property.archived', { changed: ['status'], reason: 'sent' })).toMatchObject({ changed: ['status'], reason: 'sent' })
})

it('a report carries its download or none, and a digest its period and totals', () => {
  const report = {
    id: 'r',
    headline: 'Hail',
    address: property.address,
    window: { start: '2026-01-01', end: '2026-05-31', radius_miles: 5 },
    findings: [],
    nothing_found: 'No records were found.',
    coverage: { complete: true, provisional: false, summary: 'Final.', sources_searched: ['noaa_storm_events'], unplaced_zone_records: 0 },
    links: { self: `${BASE}/r`, pdf: `${BASE}/r/pdf` },
  }
  const download = { url: `${BASE}/signed`, expires_at: '2026-05-20T12:15:00Z' }
  expect(payload('report.pdf_ready', { data: [report], download })).toMatchObject({ kind: 'report', download, link: download.url })
  expect(payload('report.completed', { data: [report] })).toMatchObject({ kind: 'report', download: null, link: `${BASE}/app/reports/r` })
  const period = { from: '2026-05-19T12:00:00Z', to: '2026-05-20T12:00:00Z' }
  const totals = { exposures: 1, properties: 1, territories: 0, warnings: 0 }
  expect(payload('digest.sent', { data: exposureContent('HQ').data, period, totals })).toMatchObject({ kind: 'digest', period, totals })
})

it('a warning counts its places by all its exposures, not by those in the payload', () => {
  const threats = {
    tornado: null,
    flash_flood: null,
    max_hail_in: null,
    hail_basis: null,
    max_gust_mph: null,
    wind_basis: null,
    damage: null,
  }
  const warning = { event: 'Tornado Warning', ends_at: '2026-05-20T12:30:00Z', expires_at: null, office: { name: 'NWS Norman' }, threats }
  const data = exposureContent('HQ').data.map((exposure) => ({ ...exposure, kind: 'warning', warning }))
  expect(payload('warning.issued', { data })).toMatchObject({
    lede: 'Tornado Warning over HQ and 1 more place until 2026-05-20 12:30 UTC.',
  })
})

it('a test states that nothing happened and links to the map', () => {
  const { event: _, content: __, ...test } = posted('exposure.detected', { data: [] })
  expect(testPayload({ ...test, exposure_ids: [] }, BASE)).toEqual({
    id: 'd',
    created_at: '2026-05-20T12:00:00.000Z',
    kind: 'test',
    object: 'test',
    event: 'test',
    team_name: 'Roofers',
    subject: 'Hail at HQ',
    exposure_ids: [],
    activity_url: `${BASE}/map`,
    settings_url: `${BASE}/docs#destinations`,
    headline: 'Hail at HQ',
    lede: 'This is a test post, sent on request to check that the destination responds. Nothing happened.',
    rows: [],
    facts: [],
    link: null,
    link_label: null,
    data: [],
  })
})

it('the ledger stores it without the people in it', () => {
  const removed = { id: 'q', object: 'property', removed: true }
  const kept = withoutContacts(payload('property.updated', { data: [property, removed] }))
  const { notes: _, contacts: __, ...rest } = property
  expect(kept.data).toEqual([rest, removed])
  expect(kept).toMatchObject({ kind: 'property', event: 'property.updated' })
  const alert = payload('exposure.detected', exposureContent('HQ'))
  expect(withoutContacts(alert)).toBe(alert)
})

/** A payload of plain words that uses every part the chat products show. */
const plain = {
  ...payload('exposure.detected', exposureContent('HQ')),
  headline: 'Hail at HQ',
  lede: 'HQ, 2026-05-20.',
  rows: ['First', 'Second'],
  facts: [{ label: 'Date', value: '2026-05-20' }],
  link: `${BASE}/map`,
  link_label: 'Open',
  team_name: 'Roofers',
} as Payload
const chatA = (overrides: Partial<Payload> = {}) => JSON.parse(bodies.chat_a({ ...plain, ...overrides } as Payload))
const chatB = (overrides: Partial<Payload> = {}) => JSON.parse(bodies.chat_b({ ...plain, ...overrides } as Payload)).attachments[0].content

it('chat_a gets a header, lede, rows, facts, a button and the sender', () => {
  const marked = (text: string) => ({ type: 'mrkdwn', text, verbatim: true })
  expect(chatA()).toEqual({
    text: 'Hail at HQ',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Hail at HQ', emoji: false } },
      { type: 'section', text: marked('HQ, 2026-05-20.') },
      { type: 'section', text: marked('• First\n• Second') },
      { type: 'section', fields: [marked('*Date*\n2026-05-20')] },
      { type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: 'Open' }, url: `${BASE}/map` }] },
      { type: 'context', elements: [{ type: 'plain_text', text: 'Roofers: exposure.detected' }] },
    ],
    unfurl_links: false,
    unfurl_media: false,
    link_names: false,
  })
})

it('leaves out empty parts', () => {
  const nothing = { lede: '', rows: [], facts: [], link: null, link_label: null }
  expect(chatA(nothing).blocks.map(({ type }: { type: string }) => type)).toEqual(['header', 'context'])
  expect(chatB(nothing)).toMatchObject({ body: [{ text: 'Hail at HQ' }, { text: 'Roofers: exposure.detected' }], actions: [] })
  for (const half of [{ link: null }, { link_label: null }]) {
    expect(chatA(half).blocks.map(({ type }: { type: string }) => type)).not.toContain('actions')
    expect(chatB(half).actions).toEqual([])
  }
})

it('stays within the limits of chat_a: 150 characters of a header, 3000 of a section, 20 rows and how many are left out, 10 facts', () => {
  const facts = Array.from({ length: 12 }, (_, nth) => ({ label: `L${nth}`, value: nth === 0 ? 'v'.repeat(2500) : 'v' }))
  const rows = Array.from({ length: 25 }, (_, nth) => `row ${nth}`)
  const { blocks } = chatA({ headline: 'h'.repeat(151), lede: '界'.repeat(3001), rows, facts, team_name: 't'.repeat(200) })
  const [header, lede, list, fields, , context] = blocks
  expect(header.text.text).toBe(`${'h'.repeat(149)}…`)
  expect(lede.text.text).toBe(`${'界'.repeat(2999)}…`)
  expect(list.text.text.split('\n')).toEqual([...rows.slice(0, 20), 'And 5 more.'].map((row) => `• ${row}`))
  expect(fields.fields).toHaveLength(10)
  expect([...fields.fields[0].text]).toHaveLength(2000)
  expect([...context.elements[0].text]).toHaveLength(150)
  expect(chatA({ headline: 'h'.repeat(150) }).blocks[0].text.text).toBe('h'.repeat(150))
})

it('chat_a shows it as text: characters that start a link, a mention or emphasis are broken', () => {
  const text = '<!here> & <@U1> *b* _i_ ~s~ `c` @all #room https://evil.example'
  expect(chatA({ lede: text }).blocks[1].text.text).toBe(
    '&lt;!here&gt; &amp; &lt;\u200b@U1&gt; \u200b*b\u200b* \u200b_i\u200b_ \u200b~s\u200b~ \u200b`c\u200b` \u200b@all \u200b#room https\u200b://evil.example',
  )
})

it('chat_b gets one card with the same parts', () => {
  const block = (text: string, look: object = {}) => ({ type: 'TextBlock', text, wrap: true, ...look })
  expect(JSON.parse(bodies.chat_b(plain))).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            block('Hail at HQ', { size: 'Medium', weight: 'Bolder' }),
            block('HQ, 2026-05-20.'),
            block('- First'),
            block('- Second'),
            { type: 'FactSet', facts: [{ title: 'Date', value: '2026-05-20' }] },
            block('Roofers: exposure.detected', { isSubtle: true, size: 'Small' }),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open', url: `${BASE}/map` }],
        },
      },
    ],
  })
})

it('chat_b shows it as text: marks are escaped, mentions and links broken, and a text is cut to 1000 characters with a mark', () => {
  const text = '\\ * _ ~ ` [a](b) # ! | <at>All</at> https://evil.example @all'
  expect(chatB({ lede: text }).body[1].text).toBe(
    '\\\\ \\* \\_ \\~ \\` \\[a\\]\\(b\\) \\# \\! \\| &lt;at&gt;All&lt;/at&gt; https\u200b://evil.example \u200b@all',
  )
  expect(chatB({ lede: '界'.repeat(1001) }).body[1].text).toBe(`${'界'.repeat(999)}…`)
})

it('leaves out just enough rows for chat_b to accept the message', () => {
  const rows = Array.from({ length: 25 }, () => '界'.repeat(900))
  const count = chatB({ rows }).body.length - 4
  const sizeOf = (length: number) => Buffer.byteLength(bodies.chat_b({ ...plain, rows: rows.slice(0, length) } as Payload))
  expect(sizeOf(count)).toBeLessThanOrEqual(28 * 1024)
  expect(sizeOf(count) + 900 * 3).toBeGreaterThan(28 * 1024)
  expect(chatB({ rows: Array.from({ length: 25 }, () => 'r') }).body).toHaveLength(25)
  const heavy = { facts: Array.from({ length: 40 }, () => ({ label: 'l', value: '界'.repeat(1000) })) }
  expect(chatB({ ...heavy, rows }).body).toHaveLength(5)
})
