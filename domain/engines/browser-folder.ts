import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { codeOf } from '#domain/kernel/fault.ts'

const PREFIX = 'weather-browser-'
/** Folders of browsers that this process has open. */
const open = new Set<string>()

/**
 * Creates a folder for one browser's profile, home and temporary files, private to its user. It is in the system's temporary
 * folder, which every user can reach; the state folder may be closed to others.
 * @throws Error that explains what to do if the user does not exist
 */
export async function makeBrowserFolder(uid: number | null): Promise<string> {
  await dropStale()
  const folder = await mkdtemp(path.join(os.tmpdir(), `${PREFIX}${process.pid}-`))
  open.add(folder)
  try {
    if (uid !== null) await chown(folder, uid, uid)
  } catch (fault) {
    await dropBrowserFolder(folder)
    if (codeOf(fault) !== NO_SUCH_USER) throw fault
    throw new Error(`the user ${uid} does not exist in this container's user namespace: map it, or name one that does in BROWSER_UID`)
  }
  return folder
}

/** The kernel's error for a user that the namespace does not map. */
const NO_SUCH_USER = 'EINVAL'

/** Removes the folder; retries, since the browser's last processes may still write into it. */
export async function dropBrowserFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => {})
  open.delete(folder)
}

/** Removes folders that killed services left behind. */
async function dropStale(): Promise<void> {
  const names = (await readdir(os.tmpdir())).filter((name) => name.startsWith(PREFIX))
  const stale = names.filter((name) => {
    const owner = Number(name.slice(PREFIX.length).split('-')[0])
    const folder = path.join(os.tmpdir(), name)
    return owner === process.pid ? !open.has(folder) : !runs(owner)
  })
  await Promise.all(stale.map((name) => rm(path.join(os.tmpdir(), name), { recursive: true, force: true }).catch(() => {})))
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (fault) {
    return codeOf(fault) === 'EPERM'
  }
}
