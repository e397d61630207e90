import os from 'node:os'
import type { App } from '#domain/app.ts'
import type { Confinement } from '#domain/engines/browser-confinement.ts'
import { BrowserUnavailable } from '#domain/engines/printer.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'

/** What a process that prints found out about its browser: what holds it, that it runs elsewhere, or why there is none. */
type BrowserStatus = { confinement: Confinement } | { elsewhere: true } | { missing: string }

/** One fact for each machine that prints. */
const FACT = 'browser:'
/** A machine that has started no browser for so long prints no more. */
const KEPT_DAYS = 90

/**
 * Starts the browser ahead of its first document, and notes what holds it for `weather doctor`: the process that is asked
 * has none of its own.
 */
export async function startBrowser({ printer, db, clock, log }: Pick<App, 'printer' | 'db' | 'clock' | 'log'>): Promise<void> {
  const status = await printer.start().then(statusOf, missing)
  log[mayBeFirmer(status) ? 'warn' : 'info'](sentenceOf('this process', status))
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

/** What holds the browser of each machine that prints, and how to hold it more firmly, in sentences. */
export async function browserSentences({ db }: Pick<App, 'db'>): Promise<string[]> {
  const facts = await db.installFact.findMany({ where: { name: { startsWith: FACT } }, orderBy: { name: 'asc' } })
  return facts.map(({ name, value }) => sentenceOf(name.slice(FACT.length), value as unknown as BrowserStatus))
}

const statusOf = (confinement: Confinement | null): BrowserStatus => (confinement ? { confinement } : { elsewhere: true })

function missing(fault: Error): BrowserStatus {
  if (!(fault instanceof BrowserUnavailable)) throw fault
  return { missing: fault.cause instanceof Error ? fault.cause.message : fault.message }
}

const mayBeFirmer = (status: BrowserStatus) => !('elsewhere' in status) && (!('confinement' in status) || !status.confinement.sandboxed)

function sentenceOf(where: string, status: BrowserStatus): string {
  if ('elsewhere' in status) return `The browser of ${where} runs elsewhere (BROWSER_WS): what holds it is settled there.`
  if ('missing' in status) return `No browser on ${where}: documents that it is to print wait. ${status.missing}`
  const { sandboxed, uid, service_is_root, because } = status.confinement
  const user = uid !== null ? `as user ${uid}` : service_is_root ? 'as root' : "as the service's own user"
  if (sandboxed) return `The browser of ${where} runs in its sandbox, ${user}.`
  const reason = because ? ` (${because})` : ''
  return `The browser of ${where} runs without its sandbox, ${user}${reason}. ${uid === null && service_is_root ? BE_ANOTHER : ''}${ALLOW}`
}

const BE_ANOTHER =
  'Start the service as a user that is not root, or let it hand the browser to BROWSER_UID, who must be able to read the program. '
const ALLOW =
  'Let it make user namespaces (in a container a seccomp profile that allows clone and unshare; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0); BROWSER_SANDBOX=on prints nothing without.'
