import { Readable } from 'node:stream'
import type { Config } from '#domain/kernel/config.ts'
import { codeOf } from '#domain/kernel/fault.ts'

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
   * the server has no message. Once it returns, the server may have the message, whatever the outcome seems to be.
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

/** Timeout of the SMTP dialogue for one message. */
export const MAIL_DEADLINE_MS = 15_000

export function openMail({ smtp_url, contact, base_url }: Pick<Config, 'smtp_url' | 'contact' | 'base_url'>): Mail {
  if (!smtp_url) return { configured: false, send: async () => {}, close: () => {} }
  const from = contact ?? `weather@${new URL(base_url).hostname}`
  const transport = import('nodemailer').then(({ createTransport }) => createTransport(smtp_url, { from } as never))
  return {
    configured: true,
    async send({ beforeEnd, message_id, ...fields }) {
      const mailer = await transport
      const message = { from, ...fields, ...(message_id !== undefined && { messageId: message_id }) }
      const sent = beforeEnd
        ? mailer.sendMail({ envelope: { from, to: fields.to }, raw: delayEnd(await composeRaw(message), beforeEnd) })
        : mailer.sendMail(message)
      await Promise.race([sent, rejectAfterDeadline()])
    },
    close: () => void transport.then((open) => open.close()),
  }
}

/**
 * Sends a mail without revealing its recipient in errors.
 * @throws Error, without the address, if the server does not accept the mail
 */
export async function sendMail({ mail }: { mail: Pick<Mail, 'send'> }, message: Message): Promise<void> {
  try {
    await mail.send(message)
  } catch (fault) {
    throw new Error(`the mail server did not accept the message (${codeOf(fault) ?? 'no code'})`)
  }
}

/** Returns the message as sent over the wire. */
async function composeRaw(message: object): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer(message).compile().build()
}

/** A stream of the bytes whose end waits for `beforeEnd`. */
function delayEnd(bytes: Buffer, beforeEnd: () => Promise<void>): Readable {
  async function* parts() {
    yield bytes
    await beforeEnd()
  }
  return Readable.from(parts(), { objectMode: false })
}

function rejectAfterDeadline(): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('the mail server did not answer in time')), MAIL_DEADLINE_MS).unref())
}
