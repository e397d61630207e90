import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { escapeHtml } from '#domain/reports/document/html.ts'

/** A page in one response. It loads nothing, not even an icon, and asks not to be indexed. Its policy must allow the empty icon: `img-src data:`. */
export interface PlainPage {
  title: string
  style: string
  /** Attributes of the body tag, with escaped values. */
  attributes?: string
  /** As HTML. */
  body: string
}

/** Returns a whole page. `title` is escaped; `body` and `attributes` are HTML. */
export function renderPage({ title, style, attributes = '', body }: PlainPage): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><link rel="icon" href="data:,"><title>${escapeHtml(title)}</title><style>${style}</style></head><body ${attributes}><main>${body}</main></body></html>`
}

/** Returns the source expression by which a Content-Security-Policy names a style or a script of the page. */
export const cspHashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** @param policy of Content-Security-Policy */
export function sendPage(reply: FastifyReply, status: number, page: string, policy: string): FastifyReply {
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    })
    .send(page)
}
