import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from '#domain/reports/document/html.ts'
import { addToRequestLog } from '#graphql/context.ts'
import type { Answer } from '#rest/exchange.ts'
import { cspHashOf, renderPage, sendPage } from '#rest/pages/plain-page.ts'
import type { ErrorBody } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

/** A short page for a person who followed a link. */
export interface Notice {
  title: string
  body: Html
}

/** A page with a heading and one paragraph. Both are escaped. */
export const notice = (title: string, text: string): Notice => ({ title, body: html`<h1>${title}</h1><p>${text}</p>` })

const style = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:0 auto;padding:2rem 1rem;color:#16191d;background:#fff}
h1{font-size:1.4rem;line-height:1.25;overflow-wrap:anywhere}p{overflow-wrap:anywhere}
button{font:inherit;padding:.6rem 1.2rem;border-radius:.4rem;border:1px solid #0b4f6c;background:#0b4f6c;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #7fb6d0;outline-offset:2px}
@media (prefers-color-scheme:dark){body{color:#eceff1;background:#14171a}}`

/** Forms may only post to this service. */
const POLICY = `default-src 'none'; style-src ${cspHashOf(style)}; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

/** Sends a page of a few sentences, with a policy under which no script runs. */
export function sendNotice(reply: FastifyReply, status: number, { title, body }: Notice): FastifyReply {
  return sendPage(reply, status, renderPage({ title, style, body: body.html }), POLICY)
}

/** Returns whether the client accepts HTML by name, as browsers do for an address that they open; programs and scripts of pages do not. */
export const wantsPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean => headers.accept?.includes('text/html') ?? false

/** Sends a refusal: as a page to a browser that followed a link, as JSON to programs. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Answer): FastifyReply {
  reply.header('vary', 'accept')
  if (!wantsPage(request)) return send(request, reply, refusal)
  addToRequestLog(request, { refused: refusal.refused })
  const { code, message } = JSON.parse(String(refusal.body)) as ErrorBody
  const title = TITLES[code] ?? 'This page cannot be shown now'
  const body = html`<h1>${title}</h1><p>${message}</p><p><a href="/">Go to the start page of this service</a></p>`
  return sendNotice(reply.headers(refusal.headers), refusal.status, { title, body })
}

const TITLES: Record<string, string> = {
  not_found: 'There is nothing here',
  link_expired: 'This link has expired',
}
