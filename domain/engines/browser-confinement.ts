import type { Config } from '#domain/kernel/config.ts'

/** What limits the damage if an attacker takes over the browser. */
export type Confinement = {
  /** Whether Chromium's own sandbox is on: page processes see no files, no network and no other process. */
  sandboxed: boolean
  /** User id of the browser; null if it is the service's own. */
  uid: number | null
  /** Whether the service's own user is root. */
  service_is_root: boolean
  /** Why confinement is not stricter, in the system's words; null if nothing failed. */
  because: string | null
}

type Settings = Pick<Config, 'browser_sandbox' | 'browser_uid'>
export type ConfinementMode = Pick<Confinement, 'sandboxed' | 'uid'>

const SANDBOXED = { auto: [true, false], on: [true], off: [false] } as const

/** Whether this process runs as root, which has other users to start the browser as. */
export const serviceIsRoot = () => process.getuid?.() === 0

/** Ways to start the browser here, strictest first: root uses another user, since Chromium cannot sandbox itself as root. */
export function allowedModes({ browser_sandbox, browser_uid }: Settings): ConfinementMode[] {
  const uids = serviceIsRoot() && process.platform === 'linux' ? [browser_uid, null] : [null]
  return uids
    .flatMap((uid) => SANDBOXED[browser_sandbox].map((sandboxed) => ({ uid, sandboxed })))
    .filter(({ uid, sandboxed }) => !(sandboxed && uid === null && serviceIsRoot()))
}

/** Returns why a start failed if a less strict way may work: no sandbox or no other user is allowed. Null for every other fault. */
export function fallbackReason(output: string): string | null {
  const line = output.split('\n').find((text) => NOT_ALLOWED.test(text))
  return line?.replace(LOG_PREFIX, '').trim().slice(0, MESSAGE_MAX) ?? null
}

/** Messages of Chromium when it cannot create a sandbox, and of Node.js when it may not start a program as another user. */
const NOT_ALLOWED = /sandbox|namespace|zygote_host|spawn .*(EPERM|EACCES|EINVAL)|Permission denied/i
const LOG_PREFIX = /^\[[^\]]*\]\s*/
const MESSAGE_MAX = 200
