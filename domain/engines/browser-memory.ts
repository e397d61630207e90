import { readdir, readFile } from 'node:fs/promises'

/** A page that allocates a gigabyte a second is seen half a gigabyte over; the system also limits each process. */
const CHECK_INTERVAL_MS = 500

/**
 * Watches the memory of a browser and all its processes; above the limit it kills the largest process, which is usually
 * that of one page. Works only where /proc exists.
 * @param group id of the browser's process group
 * @returns a function that stops the watch
 */
export function limitMemory(group: number, max_mb: number, onKill: (mb: number) => void): () => void {
  if (process.platform !== 'linux') return () => {}
  let isChecking = false
  const timer = setInterval(async () => {
    if (isChecking) return
    isChecking = true
    try {
      const processes = await membersOf(group)
      const used = processes.reduce((sum, { mb }) => sum + mb, 0)
      const largest = processes.sort((one, other) => other.mb - one.mb)[0]
      if (used <= max_mb || !largest) return
      process.kill(largest.pid, 'SIGKILL')
      onKill(Math.round(used))
    } catch {
      // The process has already exited.
    } finally {
      isChecking = false
    }
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** The processes of a group, each with its private memory (not mapped from a file). */
async function membersOf(group: number): Promise<{ pid: number; mb: number }[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const members = await Promise.all(pids.map(async (pid) => ((await groupOf(pid)) === group ? [pid] : [])))
  return Promise.all(members.flat().map(async (pid) => ({ pid: Number(pid), mb: await memoryMb(pid) })))
}

/** Field 5 of /proc/PID/stat: the third after the name, which is in parentheses and may contain spaces. */
async function groupOf(pid: string): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat ? Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) : null
}

async function memoryMb(pid: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kb = ['RssAnon', 'RssShmem'].map((name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0))
  return kb.reduce((sum, part) => sum + part, 0) / 1024
}
