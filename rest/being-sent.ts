import { finished } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** What responses in progress take of a resource, in total and by reader. */
export interface BeingSent {
  readonly total: number
  of(reader: string): number
  /** Counts an amount until the response has ended or its connection is lost. */
  add(reader: string, amount: number, reply: FastifyReply): void
}

/** Counts what is being sent by this process. */
export function countBeingSent(): BeingSent {
  const amounts = new Map<string, number>()
  let total = 0
  const change = (reader: string, amount: number) => {
    const left = (amounts.get(reader) ?? 0) + amount
    total += amount
    if (left > 0) amounts.set(reader, left)
    else amounts.delete(reader)
  }
  return {
    get total() {
      return total
    },
    of: (reader) => amounts.get(reader) ?? 0,
    add(reader, amount, reply) {
      change(reader, amount)
      finished(reply.raw, () => change(reader, -amount))
    },
  }
}
