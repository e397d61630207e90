import os from 'node:os'
import type { App } from '#domain/app.ts'
import type { Confinement } from '#domain/engines/browser-confinement.ts'
import type { BrowserStart } from '#domain/engines/printer.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'

/** The state of a printing process's browser: how it is confined, that it runs elsewhere, or why there is none. */
type BrowserStatus = { confinement: Confinement } | { elsewhere: true } | { missing: string }

/** One fact per machine that prints. */
const FACT = 'browser:'
/** A machine that has started no browser for this many days counts as no longer printing. */
const KEPT_DAYS = 90

/**
 * Starts the browser before its first document. Each time that it starts or cannot be started, records how it is confined or why there is
 * none, for `weather doctor`, whose process has no browser of its own.
 */
export function startBrowser(app: Pick<App, 'printer' | 'db' | 'clock' | 'log'>): void {
  app.printer.onStart((start) => {
    recordStatus(app, statusOf(start)).catch((err) => app.log.warn({ err }, 'the state of the browser could not be recorded'))
  })
  // A failure is recorded like any later one.
  app.printer.start().catch(() => {})
}

async function recordStatus({ db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>, status: BrowserStatus): Promise<void> {
  log[canBeStricter(status) ? 'warn' : 'info'](sentenceOf('this process', status))
  const [name, now] = [`${FACT}${os.hostname()}`, clock.now()]
  await db.installFact.upsert({
    where: { name },
    create: { name, value: status, updated_at: now },
    update: { value: status, updated_at: now },
  })
  await db.installFact.deleteMany({
    where: { name: { startsWith: FACT }, updated_at: { lt: new Date(now.getTime() - KEPT_DAYS * DAY_MS) } },
  })
}

/** Returns sentences that state how the browser of each printing machine is confined, and how to confine it more strictly. */
export async function browserSentences({ db }: Pick<App, 'db'>): Promise<string[]> {
  const facts = await db.installFact.findMany({ where: { name: { startsWith: FACT } }, orderBy: { name: 'asc' } })
  return facts.map(({ name, value }) => sentenceOf(name.slice(FACT.length), value as unknown as BrowserStatus))
}

function statusOf(start: BrowserStart): BrowserStatus {
  if ('fault' in start) return { missing: start.fault.message }
  return start.confinement ? { confinement: start.confinement } : { elsewhere: true }
}

const canBeStricter = (status: BrowserStatus) => !('elsewhere' in status) && (!('confinement' in status) || !status.confinement.sandboxed)

function sentenceOf(where: string, status: BrowserStatus): string {
  if ('elsewhere' in status) return `The browser of ${where} runs elsewhere (BROWSER_WS): its sandbox is configured there.`
  if ('missing' in status) return `No browser on ${where}: documents that it should print wait. ${status.missing}`
  const { sandboxed, uid, service_is_root, because } = status.confinement
  const user = uid !== null ? `as user ${uid}` : service_is_root ? 'as root' : "as the service's own user"
  if (sandboxed) return `The browser of ${where} runs in its sandbox, ${user}.`
  const reason = because ? ` (${because})` : ''
  return `The browser of ${where} runs without its sandbox, ${user}${reason}. ${uid === null && service_is_root ? CHANGE_USER_HINT : ''}${ALLOW_SANDBOX_HINT}`
}

const CHANGE_USER_HINT =
  'Start the service as a user other than root, or have it run the browser as BROWSER_UID, which must be able to read the program. '
const ALLOW_SANDBOX_HINT =
  'Allow it to create user namespaces (in a container a seccomp profile that allows clone and unshare; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0); with BROWSER_SANDBOX=on nothing is printed without the sandbox.'
