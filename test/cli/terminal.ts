import { spawn } from 'node:child_process'
import path from 'node:path'
import { prepare } from '../../scripts/prepare.mjs'

export interface Run {
  status: number | null
  stdout: string
  stderr: string
}

export type Terminal = (...words: string[]) => Promise<Run>

/**
 * The command-line program as it ships.
 * @returns its file
 */
export async function bundledProgram(): Promise<string> {
  await prepare({ bundled: ['terminal'] })
  return path.resolve('dist/cli.js')
}

/**
 * Runs the command-line program as a user would, with these settings and no others of its own.
 * @param input the standard input of each run
 * @param cwd the folder in which it is run; this project's by default
 */
export async function openTerminal(settings: Record<string, string>, input = '', cwd?: string): Promise<Terminal> {
  const program = await bundledProgram()
  const env = { PATH: process.env.PATH, ...settings }
  return (...words) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...words], { env, cwd, stdio: 'pipe' })
      child.stdin.on('error', () => {}).end(input)
      const run: Run = { status: null, stdout: '', stderr: '' }
      child.stdout.on('data', (part) => (run.stdout += part))
      child.stderr.on('data', (part) => (run.stderr += part))
      child.on('error', reject).on('close', (status) => resolve({ ...run, status }))
    })
}
