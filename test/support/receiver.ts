import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Post {
  headers: IncomingHttpHeaders
  body: string
}

/** A receiver of posts on loopback. */
export interface Receiver {
  url: string
  posts: Post[]
  /** The largest number of posts that it was responding to at one time. */
  mostAtOnce: number
  close(): Promise<void>
}

/** Responds to each post as `answer` does; with 204 by default. */
export async function openReceiver(
  answer: (response: ServerResponse, post: Post, nth: number) => unknown = (response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const posts: Post[] = []
  const sockets = new Set<Socket>()
  let atOnce = 0
  const receiver = { url: '', posts, mostAtOnce: 0, close }
  const server = createServer(async (request, response) => {
    receiver.mostAtOnce = Math.max(receiver.mostAtOnce, ++atOnce)
    response.on('close', () => atOnce--)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const post = { headers: request.headers, body: Buffer.concat(parts).toString() }
    posts.push(post)
    await answer(response, post, posts.length)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/secret-path-a1b2`
  return receiver

  async function close() {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  }
}
