import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '#domain/config.ts'

/** The one who runs the install: sees every team, belongs to none. */
export interface Operator {
  operator: true
}

/**
 * The operator, when the header carries the install's operator key; null for anything else, and always null
 * where no key is set. Takes the same time whatever was sent.
 */
export function operatorOf(config: Pick<Config, 'operator_key'>, authorization: string | undefined): Operator | null {
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? ''
  const same = timingSafeEqual(digest(sent), digest(config.operator_key ?? ''))
  return same && config.operator_key ? { operator: true } : null
}

/** Digests are of one length, so that comparing them tells nothing of the key's. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
