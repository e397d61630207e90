import { cutRows, ROWS_MAX } from '#domain/integrations/announcements/facts.ts'
import { cut } from '#domain/integrations/channels/cut.ts'
import type { Payload } from '#domain/integrations/payload.ts'
import { withoutDirection } from '#domain/kernel/printable.ts'

const TEXT_MAX = 1000
/** The chat product rejects a longer message. */
const BODY_MAX_BYTES = 28 * 1024

/** Returns a message with one Adaptive Card for an incoming webhook of the second chat product. Rows that do not fit are left out and counted. */
export function chatBBody(payload: Payload): string {
  for (let count = ROWS_MAX; ; count--) {
    const text = JSON.stringify(message({ ...payload, rows: cutRows(payload.rows, count) }))
    if (count === 0 || Buffer.byteLength(text) <= BODY_MAX_BYTES) return text
  }
}

function message(payload: Payload) {
  const { headline, lede, rows, facts, link, link_label } = payload
  const body: unknown[] = [block(headline, { size: 'Medium', weight: 'Bolder' })]
  if (lede) body.push(block(lede))
  for (const row of rows) body.push(block(`- ${row}`))
  if (facts.length > 0)
    body.push({ type: 'FactSet', facts: facts.map(({ label, value }) => ({ title: plain(label), value: plain(value) })) })
  body.push(block(`${payload.team_name}: ${payload.event}`, { isSubtle: true, size: 'Small' }))
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body,
    actions: link && link_label ? [{ type: 'Action.OpenUrl', title: link_label, url: link }] : [],
  }
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  }
}

const block = (text: string, look: object = {}) => ({ type: 'TextBlock', text: plain(text), wrap: true, ...look })

/** The card renders a subset of Markdown and <at> mentions. Their marks are escaped, so that outside text stays text, and nothing changes the text direction. */
function plain(text: string): string {
  return cut(withoutDirection(text), TEXT_MAX)
    .replace(/[\\*_~`[\]()#!|]/g, '\\$&')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/(:\/\/|@)/g, '\u200b$1')
}
