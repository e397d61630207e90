import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Takes a lock file that is valid only while its holder runs, even if the holder is killed. The file names the process and its start
 * time, so that a reused process id is not mistaken for the holder.
 * @param {string} file
 * @returns {{ release(): unknown } | { holder: number }} the lock, or the process that holds it
 */
export function takeLock(file) {
  mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify({ pid: process.pid, began: startTimeOf(process.pid) }), { mode: 0o600 })
  try {
    for (;;) {
      try {
        linkSync(draft, file)
        // If the folder was removed and created again, it may contain another process's lock by now.
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

/** Pause between two attempts to take the lock. */
const RETRY_MS = 50

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
      await pause(RETRY_MS)
      continue
    }
    try {
      return await work()
    } finally {
      lock.release()
    }
  }
}

/** Returns the process that holds the lock, if it still runs; null for a stale lock. */
function liveHolder(file) {
  const lock = readJson(file)
  return lock && startTimeOf(lock.pid) === lock.began && runs(lock.pid) ? lock.pid : null
}

/** Removes a stale lock. If two processes try at once, one renames it and the other finds it gone. */
function dropStale(file) {
  const stalePath = `${file}.stale.${process.pid}`
  try {
    renameSync(file, stalePath)
  } catch (fault) {
    if (fault.code === 'ENOENT') return
    throw fault
  }
  // The moved file may be a fresh lock, taken between the check and the move: restore it.
  if (liveHolder(stalePath)) {
    try {
      linkSync(stalePath, file)
    } catch {}
  }
  rmSync(stalePath, { force: true })
}

/** Whether a process is alive and not a zombie: a killed process that its parent has not reaped still accepts signals, but does no work. */
function runs(pid) {
  try {
    process.kill(pid, 0)
  } catch (fault) {
    if (fault.code !== 'EPERM') return false
  }
  return !/^[ZX]/.test(stateOf(pid))
}

/** State letters of a process, Z for a zombie; empty if unknown. */
function stateOf(pid) {
  try {
    return process.platform === 'linux' ? statOf(pid)[0] : psOf(pid, 'stat=')
  } catch {
    return ''
  }
}

/** Start time of a process in the system's own form; null if there is no such process or it is unknown. */
function startTimeOf(pid) {
  try {
    return process.platform === 'linux' ? statOf(pid)[19] : psOf(pid, 'lstart=')
  } catch {
    return null
  }
}

/** Fields from 3 of /proc/PID/stat, including state and start time (field 22). They follow the name, which is in parentheses and may contain spaces. */
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
