import { spawn } from 'node:child_process'
import path from 'node:path'
import { build } from 'esbuild'

export interface Run {
  status: number | null
  stdout: string
  stderr: string
}

export type Terminal = (...words: string[]) => Promise<Run>

/** Bundles the terminal program as it ships and runs it as a user would, with these settings and no others of its own. */
export async function openTerminal(settings: Record<string, string>): Promise<Terminal> {
  // Beside the packages, which the bundle leaves outside.
  const name = `cli-${process.pid}`
  const outfile = path.resolve('dist/test', `${name}.js`)
  await build({
    entryPoints: { [name]: 'cli/main.tsx' },
    outdir: path.dirname(outfile),
    splitting: true,
    chunkNames: `${name}-[name]-[hash]`,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    jsx: 'automatic',
  })
  const env = { PATH: process.env.PATH, ...settings }
  return (...words) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [outfile, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const run: Run = { status: null, stdout: '', stderr: '' }
      child.stdout.on('data', (part) => (run.stdout += part))
      child.stderr.on('data', (part) => (run.stderr += part))
      child.on('error', reject).on('close', (status) => resolve({ ...run, status }))
    })
}
