import type { Payload } from '#domain/integrations/payload.ts'

const ROWS_MAX = 20
/** The chat product takes a message of 28 kB; a text of this length leaves room for all of them. */
const TEXT_MAX = 1000

/** A message with one Adaptive Card: an incoming webhook of the second chat product. */
export function chatBBody(payload: Payload): string {
  const { headline, lede, rows, facts, link, link_label } = payload
  const body: unknown[] = [block(headline, { size: 'Medium', weight: 'Bolder' })]
  if (lede) body.push(block(lede))
  for (const row of rows.slice(0, ROWS_MAX)) body.push(block(`- ${row}`))
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
  return JSON.stringify({
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }],
  })
}

const block = (text: string, look: object = {}) => ({ type: 'TextBlock', text: plain(text), wrap: true, ...look })

/** The card renders a subset of Markdown and <at> mentions: their marks are escaped, so that what comes from outside stays text. */
function plain(text: string): string {
  const cut = [...text].slice(0, TEXT_MAX).join('')
  return cut
    .replace(/[\\*_~`[\]()#!|]/g, '\\$&')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/(:\/\/|@)/g, '\u200b$1')
}
