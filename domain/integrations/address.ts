import type { App } from '#domain/app.ts'
import { literalAddress } from '#domain/engines/guard.ts'
import type { Faults } from '#domain/kernel/validation.ts'

/** Characters. */
export const URL_MAX = 2048
/** Characters: enough to distinguish two addresses, too few to post with. */
const HINT_TAIL = 4

/** How the name in an address is looked up. */
export interface NameLookup {
  team_id: string
  /** Refuses what needs no look-up to be refused: a customer's name server may take its time. */
  before?(): Promise<void>
}

/** Adds a fault under `url` if an address cannot be a destination's. Posts go through the same guard. */
export async function checkAddress(
  { poster }: Pick<App, 'poster'>,
  { team_id, before }: NameLookup,
  text: string,
  faults: Faults,
): Promise<void> {
  if (!faults.unless(URL.canParse(text), 'url', 'The url must be an address such as https://hooks.example.com/weather.')) return
  const url = new URL(text)
  if (!faults.unless(url.protocol === 'https:' || url.protocol === 'http:', 'url', 'The url must begin with https://.')) return
  if (!faults.unless(url.username === '' && url.password === '', 'url', 'The url must not carry a user name or password.')) return
  if (!faults.unless(url.port !== '0', 'url', 'The url must not have port 0: nothing can be posted there.')) return
  if (!literalAddress(url.hostname)) await before?.()
  const objection = await poster.objection(url, team_id)
  if (objection) faults.add('url', `The url may not be posted to: ${objection}.`)
}

/** Returns scheme, host and the last characters: https://hooks.example.com/…a1b2. Of an address without a path nothing is hidden. */
export function hintOf(text: string): string {
  const { origin, href } = new URL(text)
  const tail = href.slice(origin.length + 1)
  return `${origin}/${tail && `…${tail.slice(-HINT_TAIL)}`}`
}

/** Characters: shorter parts of an address are words of its path, not secrets. */
const SECRET_MIN = 8

/** Hides the parts of an address that a response repeats, as many servers do for an unknown path: whoever knows a chat's address can post there. */
export function withoutAddress(text: string, url: string): string {
  const { pathname, search } = new URL(url)
  const parts = `${pathname}${search}`.split(/[/?&=]/).flatMap((part) => [part, decoded(part)])
  const secrets = parts.filter((part) => part.length >= SECRET_MIN).sort((one, other) => other.length - one.length)
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
