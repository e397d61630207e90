import type { Config } from '#domain/kernel/config.ts'

/** Sends e-mail where a server is configured. */
export interface Mail {
  /** False where no server is configured. */
  configured: boolean
  send(message: { to: string; subject: string; text: string }): Promise<void>
  close(): void
}

/** The SMTP dialogue of one message ends within this. */
const DEADLINE_MS = 15_000

export function openMail({ smtp_url, contact, base_url }: Pick<Config, 'smtp_url' | 'contact' | 'base_url'>): Mail {
  if (!smtp_url) return { configured: false, send: async () => {}, close: () => {} }
  const from = contact ?? `weather@${new URL(base_url).hostname}`
  const transport = import('nodemailer').then(({ createTransport }) => createTransport(smtp_url, { from } as never))
  return {
    configured: true,
    async send({ to, subject, text }) {
      const open = await transport
      await Promise.race([open.sendMail({ from, to, subject, text }), late()])
    },
    close: () => void transport.then((open) => open.close()),
  }
}

function late(): Promise<never> {
  return new Promise((_, refuse) => setTimeout(() => refuse(new Error('the mail server did not answer in time')), DEADLINE_MS).unref())
}
