import { Readable } from 'node:stream'
import type { Config } from '#domain/kernel/config.ts'
import { codeOf } from '#domain/kernel/fault.ts'

/** One e-mail. */
export interface Message {
  to: string
  subject: string
  text: string
  html?: string
  /** Of all sendings of one mail the same: with its angle brackets. */
  message_id?: string
  /** Further headers. */
  headers?: Record<string, string>
  /**
   * Called once the server has taken the recipient and all of the message but its end. What throws here ends the dialogue, and the
   * server has nothing; from when it answers, the server may have the message, whatever is heard of it.
   */
  beforeEnd?(): Promise<void>
}

/** Sends e-mail where a server is configured. */
export interface Mail {
  /** False where no server is configured. */
  configured: boolean
  send(message: Message): Promise<void>
  close(): void
}

/** The SMTP dialogue of one message ends within this. */
export const MAIL_DEADLINE_MS = 15_000

export function openMail({ smtp_url, contact, base_url }: Pick<Config, 'smtp_url' | 'contact' | 'base_url'>): Mail {
  if (!smtp_url) return { configured: false, send: async () => {}, close: () => {} }
  const from = contact ?? `weather@${new URL(base_url).hostname}`
  const transport = import('nodemailer').then(({ createTransport }) => createTransport(smtp_url, { from } as never))
  return {
    configured: true,
    async send({ beforeEnd, message_id, ...said }) {
      const open = await transport
      const message = { from, ...said, ...(message_id !== undefined && { messageId: message_id }) }
      const sent = beforeEnd
        ? open.sendMail({ envelope: { from, to: said.to }, raw: heldBack(await written(message), beforeEnd) })
        : open.sendMail(message)
      await Promise.race([sent, late()])
    },
    close: () => void transport.then((open) => open.close()),
  }
}

/**
 * Sends a mail of which nothing but its fault is to be known here.
 * @throws Error where the server does not take it, without the address
 */
export async function sendMail({ mail }: { mail: Pick<Mail, 'send'> }, message: Message): Promise<void> {
  try {
    await mail.send(message)
  } catch (fault) {
    throw new Error(`the mail server did not take the message (${codeOf(fault) ?? 'no code'})`)
  }
}

/** The message as it goes over the line. */
async function written(message: object): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer(message).compile().build()
}

/** Its bytes, whose end waits for something to be done. */
function heldBack(bytes: Buffer, beforeEnd: () => Promise<void>): Readable {
  async function* parts() {
    yield bytes
    await beforeEnd()
  }
  return Readable.from(parts(), { objectMode: false })
}

function late(): Promise<never> {
  return new Promise((_, refuse) => setTimeout(() => refuse(new Error('the mail server did not answer in time')), MAIL_DEADLINE_MS).unref())
}
