import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { Readable } from 'node:stream'
import { type Command, InvalidArgumentError } from 'commander'
import { exits, failure } from '../failure.ts'
import { type Output, print, printLine } from '../format.ts'
import { bytesOf } from '../service.ts'
import { isSigned } from '../signature.ts'
import { addCommand, type Invocation, lineOutputOf, numberFrom, perform, pickOptions, wrapAction } from './command.ts'
import { saveAnswer } from './save-answer.ts'

/** weather listen, playback and tiles. */
export function addLocal(program: Command): void {
  addCommand(program, 'listen', 'receive posts and print them as JSON lines until interrupted', 'listen --port 8080 --secret whsec_...')
    .option('--port <number>', 'port on this machine; 0 for a free port', portFrom, 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--secret <secret>', 'signing secret of the destination; posts without a valid signature get 401')
    .action((options: ListenOptions, command: Command) => listen(options, lineOutputOf(command)))

  addCommand(
    program,
    'playback',
    'a storm day over a box',
    'playback --date 2025-05-28 --south 32.9 --west -97.1 --north 33.4 --east -96.5',
  )
    .requiredOption('--date <date>', 'the day')
    .requiredOption('--south <degrees>', 'southern edge', numberFrom)
    .requiredOption('--west <degrees>', 'western edge', numberFrom)
    .requiredOption('--north <degrees>', 'northern edge', numberFrom)
    .requiredOption('--east <degrees>', 'eastern edge', numberFrom)
    .action(
      wrapAction(async (invocation) => {
        const query = pickOptions(invocation.options, ['date', 'south', 'west', 'north', 'east'])
        await perform(
          invocation,
          { method: 'GET', path: '/playback', query },
          {
            date: 'date',
            moments: 'meta.count',
            available: 'meta.available',
            thinned: 'meta.thinned',
            from: 'meta.from',
            until: 'meta.until',
          },
        )
      }),
    )

  const tiles = program.command('tiles').description('vector tiles of the archive')
  addCommand(tiles, 'get', 'one tile', 'tiles get 6 14 25 --out tile.mvt')
    .argument('<z>', 'zoom')
    .argument('<x>', 'column')
    .argument('<y>', 'row')
    .option('--out <file>', 'output file; - for standard output', '-')
    .action(wrapAction(getTile))
}

async function getTile({ setting, arguments: numbers, options }: Invocation): Promise<void> {
  if (!numbers.every((number) => /^\d+$/.test(number)))
    throw failure(exits.usage, 'A tile needs three whole numbers: zoom, column and row.')
  const { bytes } = await bytesOf(setting.connection, `/tiles/${numbers.join('/')}.mvt`)
  await saveAnswer(Readable.from([bytes ?? Buffer.alloc(0)]), String(options.out))
}

function portFrom(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > PORT_MAX) throw new InvalidArgumentError(`It must be a whole number from 0 to ${PORT_MAX}.`)
  return port
}

const PORT_MAX = 65_535

interface ListenOptions {
  port: number
  host: string
  secret?: string
}

const BYTES_PER_MIB = 1024 * 1024

/** Larger than any payload. */
const BODY_MAX_BYTES = 4 * BYTES_PER_MIB

async function listen({ port, host, secret }: ListenOptions, output: Output): Promise<void> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request).catch(() => undefined)
    // The client has disconnected, so there is nobody to respond to.
    if (body === undefined) return
    if (body === null) {
      printLine(`Received a post of more than ${BODY_MAX_BYTES / BYTES_PER_MIB} MiB: responded with 413.`)
      return void response.writeHead(413).end()
    }
    const header = request.headers['x-service-signature'] as string | undefined
    const signed = secret ? isSigned(secret, header, body, new Date()) : null
    const received = {
      received_at: new Date().toISOString(),
      event: request.headers['x-service-event'] ?? null,
      delivery: request.headers['x-service-delivery'] ?? null,
      signed,
      body: jsonOrText(body),
    }
    print(received, output)
    if (signed === false) printLine('Received a post without a valid signature, or signed more than five minutes ago: responded with 401.')
    response.writeHead(signed === false ? 401 : 204).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (fault: NodeJS.ErrnoException) => reject(failure(exits.failure, `Cannot listen on port ${port}: ${fault.code}.`)))
    server.listen(port, host, resolve)
  })
  printLine(
    `Listening on http://${isIPv6(host) ? `[${host}]` : host}:${(server.address() as AddressInfo).port}; signatures are ${secret ? 'checked' : 'not checked: give --secret'}.`,
  )
}

/** Reads a body to its end, because a sender that is cut off does not read the response. Returns null for one that is too long. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes <= BODY_MAX_BYTES) parts.push(part)
  }
  return bytes > BODY_MAX_BYTES ? null : Buffer.concat(parts)
}

function jsonOrText(body: Buffer): unknown {
  const text = body.toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
