import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail as a server received it. */
export interface ReceivedMail {
  to: string[]
  /** By name in lower case, unfolded. */
  headers: Record<string, string>
  /** The whole message, as received. */
  raw: string
}

/** A real SMTP server that keeps the mails it receives. */
export interface MailServer {
  url: string
  mails: ReceivedMail[]
  /** If set: the response to a recipient. */
  refuse: { code: number; text: string } | null
  /** If set: the response to the sender. */
  refuse_sender: { code: number; text: string } | null
  /** If set: cuts the connection after it has taken a mail and before it confirms that. */
  silent: boolean
  /** Milliseconds before the response to a recipient, and to the end of a mail. */
  delays: { recipient: number; end: number }
  close(): Promise<void>
}

export async function openMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    onMailFrom(_address, _session, done) {
      const { refuse_sender } = opened
      done(refuse_sender && Object.assign(new Error(refuse_sender.text), { responseCode: refuse_sender.code }))
    },
    onRcptTo(_address, _session, done) {
      const { refuse, delays } = opened
      setTimeout(() => done(refuse && Object.assign(new Error(refuse.text), { responseCode: refuse.code })), delays.recipient)
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const raw = Buffer.concat(parts).toString('utf8')
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), headers: headersOf(raw), raw })
        if (!opened.silent) return void setTimeout(done, opened.delays.end)
        for (const connection of server.connections) (connection as { close(): void }).close()
      })
    },
  })
  // A client that is killed closes its connection in any way.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const opened: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: null,
    refuse_sender: null,
    silent: false,
    delays: { recipient: 0, end: 0 },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
  return opened
}

function headersOf(raw: string): Record<string, string> {
  const [head = ''] = raw.split('\r\n\r\n', 1)
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]))
}

/** Returns the text of a mail as a reader sees it, with quoted-printable decoded. */
export function textOf({ raw }: ReceivedMail): string {
  const bytes = raw
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'))
  return bytes.replaceAll('\r\n', '\n')
}
