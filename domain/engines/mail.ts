import { Readable } from 'node:stream'
import type { PluginFunction } from 'nodemailer'
import type { Config } from '#domain/kernel/config.ts'
import { codeOf } from '#domain/kernel/fault.ts'
import { withoutDirection } from '#domain/kernel/printable.ts'

/** One e-mail. */
export interface Message {
  to: string
  subject: string
  text: string
  html?: string
  /** The same for every attempt to send one mail; with angle brackets. */
  message_id?: string
  /** Further headers. */
  headers?: Record<string, string>
  /**
   * Called when the server has accepted the recipient and all of the message except its end. If it throws, the dialogue ends and
   * the server has no message. Once it returns in time, the server may have the message, whatever the outcome seems to be.
   */
  beforeEnd?(): Promise<void>
}

/** Sends e-mail if a server is configured. */
export interface Mail {
  /** False if no server is configured. */
  configured: boolean
  send(message: Message): Promise<void>
  close(): void
}

/** Timeout of the SMTP dialogue up to the end of a message; after it the end is not sent, so the server has no message. */
export const MAIL_DEADLINE_MS = 15_000
/**
 * Timeout of the response to the end of a message. It is longer because a server may scan the content before it responds, and
 * because whoever stops waiting does not know whether the message was sent.
 */
export const MAIL_RESPONSE_MS = 60_000

export function openMail(
  { smtp_url, contact, base_url }: Pick<Config, 'smtp_url' | 'contact' | 'base_url'>,
  { deadline_ms, response_ms } = { deadline_ms: MAIL_DEADLINE_MS, response_ms: MAIL_RESPONSE_MS },
): Mail {
  if (!smtp_url) return { configured: false, send: async () => {}, close: () => {} }
  const from = contact ?? `weather@${new URL(base_url).hostname}`
  const transport = import('nodemailer').then(({ createTransport }) => createTransport(smtp_url).use('stream', delayEnd))
  return {
    configured: true,
    async send({ beforeEnd, message_id, ...fields }) {
      const mailer = await transport
      const timeout = startTimeout(deadline_ms)
      const end = async () => {
        await beforeEnd?.()
        timeout.restart(response_ms)
      }
      const message = { from, ...fields, ...(message_id !== undefined && { messageId: message_id }), signal: timeout.signal, end }
      try {
        await mailer.sendMail(message)
      } catch (fault) {
        timeout.signal.throwIfAborted()
        throw fault
      } finally {
        timeout.stop()
      }
    },
    close: () => void transport.then((open) => open.close()),
  }
}

/** Returns the Message-ID by which a receiver recognises a repeated mail: RFC 5322 section 3.6.4. */
export function messageIdOf({ base_url }: Pick<Config, 'base_url'>, id: string): string {
  return `<${id}@${new URL(base_url).hostname}>`
}

/**
 * Sends a mail without revealing its recipient in errors. Names in its subject and text cannot change the direction of the rest.
 * @throws Error, without the address, if the server does not accept the mail
 */
export async function sendMail({ mail }: { mail: Pick<Mail, 'send'> }, message: Message): Promise<void> {
  try {
    const { subject, text } = message
    await mail.send({ ...message, subject: withoutDirection(subject), text: withoutDirection(text) })
  } catch (fault) {
    throw new Error(`the mail server did not accept the message (${codeOf(fault) ?? 'no code'})`)
  }
}

/** Lets the end of a message wait for its `end`. The stream is read only once the server has accepted the recipient, so the function runs no earlier. */
const delayEnd: PluginFunction = ({ data, message }, done) => {
  const { end } = data as { end?: () => Promise<void> }
  async function* parts(bytes: AsyncIterable<Buffer>) {
    yield* bytes
    await end?.()
  }
  message.processFunc((bytes) => Readable.from(parts(bytes), { objectMode: false }))
  done()
}

/** Starts a timeout, which aborts the signal. After that `restart` throws. */
function startTimeout(ms: number) {
  const controller = new AbortController()
  const { signal } = controller
  const fault = Object.assign(new Error('the mail server did not answer in time'), { code: 'ETIMEDOUT' })
  const start = (after: number) => setTimeout(() => controller.abort(fault), after).unref()
  let timer = start(ms)
  return {
    signal,
    restart(after: number) {
      signal.throwIfAborted()
      clearTimeout(timer)
      timer = start(after)
    },
    stop: () => clearTimeout(timer),
  }
}
