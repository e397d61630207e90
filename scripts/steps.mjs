// A reader that has gone, such as `head`, takes only the words with it: what was started goes on, and is stopped in order.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** Where progress goes: the terminal program answers on standard output, so its preparation speaks on the other. */
let out = process.stdout

export function speakOnStderr() {
  out = process.stderr
}

export function say(line = '') {
  out.write(`${line}\n`)
}

/** A line a second on a terminal, where it is overwritten; one every five elsewhere. */
const TERMINAL_PACE_MS = 1000
const LOG_PACE_MS = 5000
const NAME_WIDTH = 12

/**
 * Runs one step of the preparation, saying its name, how far it is, and at the end how long it took.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {() => string} how_far what to say while it goes on
 * @returns {Promise<T>}
 */
export async function step(name, work, how_far = () => '') {
  const began = performance.now()
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`
  const label = `  ${name.padEnd(NAME_WIDTH)}`
  const pace = setInterval(
    () => {
      if (out.isTTY) out.write(`\r\x1b[K${label} ${how_far()} ${seconds()}`)
      else say(`${label} ${how_far()} ${seconds()}`)
    },
    out.isTTY ? TERMINAL_PACE_MS : LOG_PACE_MS,
  )
  try {
    const result = await work()
    if (out.isTTY) out.write('\r\x1b[K')
    say(`${label} ${seconds()}`)
    return result
  } finally {
    clearInterval(pace)
  }
}
