// If the reader, such as `head`, is gone, only output is lost: started work continues and is stopped in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** Stream for progress: the terminal program prints results on standard output, so its preparation uses standard error. */
let out = process.stdout

/** Prints steps to standard error from now on: standard output is for data. */
export function printToStderr() {
  out = process.stderr
}

/** Prints a line of the steps. */
export function say(line = '') {
  out.write(`${line}\n`)
}

/** A line a second on a terminal, where it is overwritten; one every five elsewhere. */
const TERMINAL_INTERVAL_MS = 1000
const LOG_INTERVAL_MS = 5000
const NAME_WIDTH = 12

/**
 * Runs one step of the preparation. Prints its name, its progress, and finally its duration.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {() => string} progress progress text while it runs
 * @returns {Promise<T>}
 */
export async function step(name, work, progress = () => '') {
  const startedAt = performance.now()
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  const label = `  ${name.padEnd(NAME_WIDTH)}`
  const timer = setInterval(
    () => {
      if (out.isTTY) out.write(`\r\x1b[K${label} ${progress()} ${seconds()}`)
      else say(`${label} ${progress()} ${seconds()}`)
    },
    out.isTTY ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS,
  )
  try {
    const result = await work()
    if (out.isTTY) out.write('\r\x1b[K')
    say(`${label} ${seconds()}`)
    return result
  } finally {
    clearInterval(timer)
  }
}
