import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Takes a lock file that ends with its holder, even one that was killed: the file names the process and the moment
 * it began, so a number given out again is not taken for the holder.
 * @param {string} file
 * @returns {{ release(): unknown } | { holder: number }} the lock, or the process that holds it
 */
export function takeLock(file) {
  mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ pid: process.pid, began: beginningOf(process.pid) }), { mode: 0o600 })
  try {
    for (;;) {
      try {
        linkSync(draft, file)
        // A folder that was removed and made anew may hold another's lock by now.
        return { release: () => liveHolder(file) === process.pid && rmSync(file, { force: true }) }
      } catch (fault) {
        if (fault.code !== 'EEXIST') throw fault
      }
      const holder = liveHolder(file)
      if (holder) return { holder }
      dropStale(file)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** How long a wait for the lock sleeps between two looks. */
const LOOK_AGAIN_MS = 50

/**
 * Waits for the lock, runs `work` under it, and releases it.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function underLock(file, work) {
  for (;;) {
    const lock = takeLock(file)
    if ('holder' in lock) {
      await pause(LOOK_AGAIN_MS)
      continue
    }
    try {
      return await work()
    } finally {
      lock.release()
    }
  }
}

/** The process that wrote the lock, while it runs; null for a lock left behind. */
function liveHolder(file) {
  const held = readJson(file)
  return held && beginningOf(held.pid) === held.began && runs(held.pid) ? held.pid : null
}

/** Removes a lock left behind. Of two that try at once one renames it; the other finds it gone. */
function dropStale(file) {
  const aside = `${file}.stale.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (fault) {
    if (fault.code === 'ENOENT') return
    throw fault
  }
  // What was moved may be a fresh lock, taken between the look and the move: give it back.
  if (liveHolder(aside)) {
    try {
      linkSync(aside, file)
    } catch {}
  }
  rmSync(aside, { force: true })
}

/** Whether a process can still do anything: one that was killed and not yet collected by its parent answers signals, and never ends its work. */
function runs(pid) {
  try {
    process.kill(pid, 0)
  } catch (fault) {
    if (fault.code !== 'EPERM') return false
  }
  return !/^[ZX]/.test(stateOf(pid))
}

/** One letter or more, Z for a process that ended and waits to be collected; empty where it cannot be known. */
function stateOf(pid) {
  try {
    return process.platform === 'linux' ? statOf(pid)[0] : psOf(pid, 'stat=')
  } catch {
    return ''
  }
}

/** When a process began, as the system writes it; null where there is no such process or it cannot be known. */
function beginningOf(pid) {
  try {
    return process.platform === 'linux' ? statOf(pid)[19] : psOf(pid, 'lstart=')
  } catch {
    return null
  }
}

/** Fields 3 and on of /proc/PID/stat, state and beginning (field 22) among them: after the name, which is in parentheses and may hold spaces. */
function statOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function psOf(pid, field) {
  return execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
