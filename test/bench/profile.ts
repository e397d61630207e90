/** What V8 writes for --cpu-prof: a tree of calls, and the current node at each sample. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  /** Microseconds since the previous sample. */
  timeDeltas: number[]
}

interface Share {
  label: string
  /** Share of the time in which the process was not idle. */
  share: number
}

/**
 * Returns self time by function and by package, largest first.
 * @param start_ms the first milliseconds of the process, which are left out
 */
export function functionsOf({ nodes, samples, timeDeltas }: CpuProfile, start_ms: number): { functions: Share[]; packages: Share[] } {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const [functions, packages] = [new Map<string, number>(), new Map<string, number>()]
  let [busy, at] = [0, 0]
  samples.forEach((id, nth) => {
    const delta = timeDeltas[nth] ?? 0
    at += delta
    const frame = frames.get(id)
    if (at < start_ms * 1000 || !frame || IDLE.includes(frame.functionName)) return
    const from = packageOf(frame.url) || frame.functionName
    busy += delta
    add(packages, from, delta)
    add(functions, `${frame.functionName || `(anonymous, line ${frame.lineNumber + 1})`}  ${from}`, delta)
  })
  const shares = (totals: Map<string, number>) =>
    [...totals].map(([label, micros]): Share => ({ label, share: micros / busy })).sort((a, b) => b.share - a.share)
  return { functions: shares(functions), packages: shares(packages) }
}

const IDLE = ['(idle)', '(root)']

/** `pg`, `node:net`, or `ours`; empty for V8's own work. */
function packageOf(url: string): string {
  const inside = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1]
  if (inside) return inside
  if (url.startsWith('node:')) return url
  return url === '' ? '' : 'ours'
}

function add(sums: Map<string, number>, key: string, more: number): void {
  sums.set(key, (sums.get(key) ?? 0) + more)
}
