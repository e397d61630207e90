import type { Readable, Writable } from 'node:stream'
import type { ConnectionTransport } from 'puppeteer-core'

const END_OF_MESSAGE = '\0'
/** A document arrives in pieces of some megabytes. A longer message is not from a working browser and must not fill the memory. */
const MESSAGE_MAX_BYTES = 64 * 1024 * 1024

/** The DevTools protocol over two pipes (`--remote-debugging-pipe`): JSON, each message ended by a zero byte. */
export function pipeTransport(write: Writable, read: Readable): ConnectionTransport {
  const transport: ConnectionTransport = {
    send: (message) => void write.write(message + END_OF_MESSAGE),
    close() {
      write.destroy()
      read.destroy()
    },
  }
  let pieces: Buffer[] = []
  let bytes = 0
  read.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      const message = Buffer.concat([...pieces, chunk.subarray(from, end)]).toString()
      pieces = []
      bytes = 0
      from = end + 1
      // One message a turn: code that an earlier message resumes must be waiting again before the next message arrives.
      setImmediate(() => transport.onmessage?.(message))
    }
    pieces.push(chunk.subarray(from))
    bytes += chunk.length - from
    if (bytes > MESSAGE_MAX_BYTES) transport.close()
  })
  read.once('close', () => transport.onclose?.())
  // A browser that died resets both pipes; its exit is reported instead.
  for (const stream of [write, read]) stream.on('error', () => {})
  return transport
}
