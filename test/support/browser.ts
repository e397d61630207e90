import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { type BrowserSettings, browserProgram } from '#domain/engines/browser.ts'
import { openPrinter, type Printer } from '#domain/engines/printer.ts'
import { configFor } from '#test/support/config-for.ts'

/** The browser settings that the service uses by default, with the test's own on top. */
export const browserSettings = (own: Partial<BrowserSettings> & Pick<BrowserSettings, 'home'>): BrowserSettings =>
  configFor({ database_url: 'postgresql://none', ...own })

/** Opens a printer and a folder for its prints. */
export interface OwnPrinter {
  printer: Printer
  folder: string
  /** Stops its browser and removes the folder. */
  close(): Promise<void>
}

export async function openOwnPrinter(): Promise<OwnPrinter> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'weather-printed-'))
  const printer = openPrinter(browserSettings({ home: folder }), pino({ level: 'silent' }))
  return {
    printer,
    folder,
    async close() {
      await printer.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Makes a browser program that records the id of each process it becomes, so that a test can kill a browser that other code started. */
export interface NotedBrowser {
  /** The path that the service is configured to start. */
  program: string
  /** The main processes started so far, oldest first. */
  started(): Promise<number[]>
  /** The main processes that are still running. */
  running(): Promise<number[]>
}

/** @param yielding the browser runs at low priority and takes only the processor time that other processes leave */
export async function notedBrowser(folder: string, { yielding = false } = {}): Promise<NotedBrowser> {
  const { executablePath, env } = await browserProgram({ browser_path: process.env.PUPPETEER_EXECUTABLE_PATH ?? null, home: folder })
  const [program, notes] = [path.join(folder, 'noted-browser'), path.join(folder, 'started')]
  const set = Object.entries(env).map(([name, value]) => `export ${name}='${value}'\n`)
  await writeFile(notes, '')
  // The browser may run as another user.
  await Promise.all([chmod(folder, 0o755), chmod(notes, 0o666)])
  await writeFile(
    program,
    `#!/bin/sh\n${set.join('')}echo $$ >> '${notes}'\nexec ${yielding ? 'nice -n 19 ' : ''}'${executablePath}' "$@"\n`,
  )
  await chmod(program, 0o755)
  const started = async () => (await readFile(notes, 'utf8')).split('\n').filter(Boolean).map(Number)
  return {
    program,
    started,
    async running() {
      const each = (await started()).map(async (pid) => ((await isProgram(pid, executablePath)) ? [pid] : []))
      return (await Promise.all(each)).flat()
    },
  }
}

/** The id of a process that has exited may belong to another process by now. */
async function isProgram(pid: number, program: string): Promise<boolean> {
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return words.includes(path.basename(program))
}
