import type { Config } from '#domain/kernel/config.ts'

/** What holds a browser that somebody took over. */
export type Confinement = {
  /** Chromium's own: processes of pages see no files, no network and no other process. */
  sandboxed: boolean
  /** User id under which it runs; null where it is the service's own. */
  uid: number | null
  /** Whether the service's own user is root. */
  service_is_root: boolean
  /** Why it is not held more firmly, as the system said it; null where nothing failed. */
  because: string | null
}

type Settings = Pick<Config, 'browser_sandbox' | 'browser_uid'>
export type Way = Pick<Confinement, 'sandboxed' | 'uid'>

const SANDBOXED = { auto: [true, false], on: [true], off: [false] } as const

export const serviceIsRoot = () => process.getuid?.() === 0

/** How a browser may be started here, the firmest first: root hands it to another user, and Chromium makes no sandbox as root. */
export function allowedWays({ browser_sandbox, browser_uid }: Settings): Way[] {
  const uids = serviceIsRoot() && process.platform === 'linux' ? [browser_uid, null] : [null]
  return uids
    .flatMap((uid) => SANDBOXED[browser_sandbox].map((sandboxed) => ({ uid, sandboxed })))
    .filter(({ uid, sandboxed }) => !(sandboxed && uid === null && serviceIsRoot()))
}

/** Why the firmest way failed, where that is a reason for a less firm one: no sandbox is allowed, or no other user. Null for every other fault. */
export function reasonToRelax(said: string): string | null {
  const line = said.split('\n').find((text) => NOT_ALLOWED.test(text))
  return line?.replace(LOG_PREFIX, '').trim().slice(0, SAID_MAX) ?? null
}

/** As Chromium says that it can make no sandbox, and as Node says that a program may not be started as another user. */
const NOT_ALLOWED = /sandbox|namespace|zygote_host|spawn .*(EPERM|EACCES|EINVAL)|Permission denied/i
const LOG_PREFIX = /^\[[^\]]*\]\s*/
const SAID_MAX = 200
