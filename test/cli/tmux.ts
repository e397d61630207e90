import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { bundledProgram } from './terminal.ts'

/** Whether tmux is installed. */
export const tmuxIsThere = (() => {
  try {
    execFileSync('tmux', ['-V'])
    return true
  } catch {
    return false
  }
})()

/** A terminal that runs the screens. */
export interface Tmux {
  /** Types keys, as tmux names them, all at once. */
  type(...keys: string[]): Promise<void>
  /** The text on the terminal; with `coloured` including the colour sequences. */
  text(coloured?: 'coloured'): Promise<string>
  /** Waits until a text appears, and returns the whole screen. */
  shows(what: RegExp | string): Promise<string>
  /**
   * Waits until a text appears, then until the screen is as asked or no longer changes, and returns it: a terminal
   * receives a picture in pieces, and the text may appear before the last of them.
   */
  settles(what: RegExp | string, isExpected: (text: string) => boolean): Promise<string>
  resize(columns: number, rows: number): Promise<void>
  /** Returns what tmux knows about the terminal, by one of its formats such as `#{alternate_on}`. */
  fact(format: string): Promise<string>
  /** The process of the screens. */
  program(): Promise<number>
  /** Returns the output of another tmux command. */
  tmux(...words: string[]): Promise<string>
  /** The folder that the screens run in. */
  folder: string
  close(): Promise<void>
}

const run = promisify(execFile)
/** Long enough for a busy machine, and less than a test's timeout. */
const WITHIN_MS = 45_000
const LOOK_MS = 30
/** A screen that is unchanged for so long is complete. */
const STILL_MS = 2_000

/**
 * Runs `weather ui`, or another command, in a terminal of its own. The shell around it writes `before`, `after` and
 * its exit status, so that a test sees in what state the terminal was left.
 */
export async function openTmux(columns: number, rows: number, settings: Record<string, string>, words = ['ui']): Promise<Tmux> {
  const program = await bundledProgram()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'weather-ui-'))
  const server = ['-S', path.join(folder, 'socket'), '-f', '/dev/null']
  const env = { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', TERM: 'screen-256color', ...settings }
  const set = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  const inside = `stty -a >before; '${process.execPath}' '${program}' ${words.join(' ')}; echo "ended with $?"; stty -a >after; exec sleep 600`
  const command = `cd '${folder}' && exec env -i ${set.join(' ')} sh -c '${inside.replaceAll("'", "'\\''")}'`
  await run('tmux', [...server, 'new-session', '-d', '-x', String(columns), '-y', String(rows), command])
  const { tmux, left } = attach(server)
  await tmux('set-option', '-g', 'set-clipboard', 'on')

  const text = (coloured?: 'coloured') => tmux('capture-pane', '-p', ...(coloured ? ['-e'] : []))
  const shows = async (what: RegExp | string) => {
    for (const until = Date.now() + WITHIN_MS; ; await pause(LOOK_MS)) {
      const seen = await text()
      if (typeof what === 'string' ? seen.includes(what) : what.test(seen)) return seen
      if (Date.now() > until) throw new Error(`${what} does not show:\n${seen}`)
    }
  }
  return {
    folder,
    tmux,
    text,
    async type(...keys) {
      await tmux('send-keys', ...keys)
    },
    shows,
    async settles(what, isExpected) {
      let seen = await shows(what)
      for (let since = Date.now(); !isExpected(seen) && Date.now() - since < STILL_MS; await pause(LOOK_MS)) {
        const now = await text()
        if (now !== seen) since = Date.now()
        seen = now
      }
      return seen
    },
    async resize(wide, high) {
      await tmux('resize-window', '-x', String(wide), '-y', String(high))
    },
    fact: async (format) => (await tmux('display-message', '-p', format)).trim(),
    async program() {
      const shell = (await tmux('display-message', '-p', '#{pane_pid}')).trim()
      return Number((await run('pgrep', ['-P', shell])).stdout)
    },
    async close() {
      await tmux('kill-server').catch(() => {})
      await left
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Sends commands to a tmux server over one connection (its control mode): a process for each command would take
 * longer than the command. The terminal's drawing is not sent along, and the connection has no size that the
 * terminal would adopt.
 */
function attach(server: string[]) {
  const client = spawn('tmux', [...server, '-C', 'attach-session', '-f', 'ignore-size,no-output'], { stdio: ['pipe', 'pipe', 'ignore'] })
  client.stdin.on('error', () => {})
  const waiting: ((answer: { is_fault: boolean; text: string }) => void)[] = []
  const left = once(client, 'exit').then(() => {
    for (const answer of waiting.splice(0)) answer({ is_fault: true, text: 'tmux has ended' })
  })
  let lines: string[] = []
  /** The response that is being read: its end has the number of its beginning. */
  let number: string | undefined
  createInterface({ input: client.stdout }).on('line', (line) => {
    const [word, , of] = line.split(' ')
    if (number === undefined) {
      if (word === '%begin') number = of
    } else if ((word === '%end' || word === '%error') && of === number) {
      waiting.shift()?.({ is_fault: word === '%error', text: lines.map((one) => `${one}\n`).join('') })
      lines = []
      number = undefined
    } else lines.push(line)
  })
  const answered = () => new Promise<{ is_fault: boolean; text: string }>((answer) => waiting.push(answer))
  // The first response is the one to attaching.
  answered()
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
  return {
    async tmux(...words: string[]): Promise<string> {
      const answer = answered()
      client.stdin.write(`${words.map(quoted).join(' ')}\n`)
      const { is_fault, text } = await answer
      if (is_fault) throw new Error(`tmux ${words.join(' ')}: ${text}`)
      return text
    },
    left,
  }
}
