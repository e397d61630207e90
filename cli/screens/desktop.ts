import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { unwritable } from '../file-fault.ts'
import { jsonOf } from '../format.ts'
import { replaceFile } from '../replace-file.ts'
import type { Row } from './listing-pages.ts'

/** Copies a text to the clipboard through the terminal (OSC 52), which also works over a remote connection. */
export function copy(text: string): void {
  process.stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
}

/**
 * Writes rows as JSON to the working folder. No file is replaced: nobody has named it, and it may be what the last key wrote.
 * @returns the name of the file
 * @throws Failure if it cannot be written
 */
function writeRows(name: string, rows: readonly Row[]): string {
  const file = unusedFile(rows.length === 1 && rows[0] ? `${name}-${String(rows[0].id).replace(/[^\w-]/g, '_')}` : name)
  try {
    replaceFile(file, jsonOf(rows.length === 1 ? rows[0] : rows))
  } catch (fault) {
    throw unwritable(file, fault)
  }
  return file
}

/** exposures.json, or exposures-2.json if there is such a file, and so on. */
function unusedFile(name: string): string {
  let file = `${name}.json`
  for (let nth = 2; statSync(file, { throwIfNoEntry: false })?.isFile(); nth++) file = `${name}-${nth}.json`
  return file
}

/** Like writeRows. @returns a message for the user */
export function saveRows(name: string, rows: readonly Row[]): string {
  try {
    return `Written to ${writeRows(name, rows)}.`
  } catch (fault) {
    return (fault as Error).message
  }
}

/** Opens a URL in a browser. @returns a message for the user: the URL itself if there is no browser */
export function browse(address: string): Promise<string> {
  const program = browserOf(process.env, process.platform)
  if (!program) return Promise.resolve(address)
  return new Promise((resolve) => {
    const child = spawn(program, [address], { stdio: 'ignore', detached: true })
    child.on('error', () => resolve(address))
    child.on('spawn', () => {
      child.unref()
      resolve(`Opened ${address}`)
    })
  })
}

function browserOf(env: Record<string, string | undefined>, platform: string): string | null {
  if (env.BROWSER) return env.BROWSER
  if (platform === 'darwin') return 'open'
  if (platform === 'win32') return 'explorer'
  return env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : null
}
