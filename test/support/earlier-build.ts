import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'

/** The version of the service before its newest migration, from the project's history, built in a folder of its own. */
export interface Earlier {
  folder: string
  /** Starts a process of the earlier version with the settings of the present one. */
  under: string[]
  close(): Promise<void>
}

/** The commit before the one that added the newest migration; null without a history to read. */
export function commitBeforeMigration(): string | null {
  try {
    const added = git('log', '--diff-filter=A', '-1', '--format=%H', '--', 'migrations/*/migration.sql').toString().trim()
    return git('rev-parse', '--verify', '--quiet', `${added}^`).toString().trim()
  } catch {
    return null
  }
}

/** Builds the files of that commit with the packages that are installed now. */
export async function buildEarlier(commit: string): Promise<Earlier> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'weather-earlier-'))
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commit) })
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'))
  execFileSync(process.execPath, ['scripts/build/generate.mjs', folder], { stdio: 'pipe' })
  const shared = { bundle: true, platform: 'node', format: 'esm', target: 'node20', packages: 'external', sourcemap: true } as const
  await build({ ...shared, absWorkingDir: folder, entryPoints: ['serve.ts'], outfile: 'dist/serve.js' })
  return { folder, under: ['env', `--chdir=${folder}`], close: () => rm(folder, { recursive: true, force: true }) }
}

/** Large enough for the text of the whole tree. */
const OUTPUT_MAX_BYTES = 512 * 1024 * 1024

const git = (...words: string[]) => execFileSync('git', words, { maxBuffer: OUTPUT_MAX_BYTES, stdio: ['ignore', 'pipe', 'ignore'] })
