import { cutRows, ROWS_MAX } from '#domain/integrations/announcements/facts.ts'
import { cut } from '#domain/integrations/channels/cut.ts'
import type { Payload } from '#domain/integrations/payload.ts'
import { withoutDirection } from '#domain/kernel/printable.ts'

/** Limits of the chat product's blocks: it rejects a message with a longer text. */
const HEADER_MAX = 150
const SECTION_MAX = 3000
const FIELDS_MAX = 10
const FIELD_MAX = 2000

/** Returns {text, blocks} for an incoming webhook of the first chat product. */
export function chatABody(payload: Payload): string {
  const { headline, lede, rows, facts, link, link_label, team_name } = payload
  const blocks: unknown[] = [
    { type: 'header', text: { type: 'plain_text', text: cut(withoutDirection(headline), HEADER_MAX), emoji: false } },
  ]
  if (lede) blocks.push(section(asText(lede)))
  if (rows.length > 0) blocks.push(section(listOf(rows)))
  if (facts.length > 0) {
    blocks.push({
      type: 'section',
      fields: facts.slice(0, FIELDS_MAX).map(({ label, value }) => marked(`*${asText(label)}*\n${asText(value)}`, FIELD_MAX)),
    })
  }
  if (link && link_label)
    blocks.push({ type: 'actions', elements: [{ type: 'button', text: { type: 'plain_text', text: link_label }, url: link }] })
  blocks.push({
    type: 'context',
    elements: [{ type: 'plain_text', text: cut(withoutDirection(`${team_name}: ${payload.event}`), HEADER_MAX) }],
  })
  return JSON.stringify({ text: asText(headline), blocks, unfurl_links: false, unfurl_media: false, link_names: false })
}

/** Returns the rows as one text. Rows that do not fit are left out and counted, but for the first one, which is cut. */
function listOf(rows: string[]): string {
  for (let count = ROWS_MAX; ; count--) {
    const text = cutRows(rows, count)
      .map((row) => `• ${asText(row)}`)
      .join('\n')
    if (count === 1 || [...text].length <= SECTION_MAX) return text
  }
}

const section = (text: string) => ({ type: 'section', text: marked(text, SECTION_MAX) })

/** `verbatim`: names and addresses in the text do not become links. */
const marked = (text: string, max: number) => ({ type: 'mrkdwn', text: cut(text, max), verbatim: true })

/**
 * Escapes outside text: the three characters that begin links and mentions are replaced, a zero-width space breaks emphasis
 * marks and automatic links, and nothing changes the text direction.
 */
function asText(text: string): string {
  return withoutDirection(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/([*_~`@#]|:\/\/)/g, '\u200b$1')
}
