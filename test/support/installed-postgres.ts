import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'

/** A server of the PostgreSQL that is installed on this machine, with its programs: the packaged one has no pg_dump. */
export interface InstalledPostgres {
  /** Makes an empty database and returns its address. */
  database(name: string): Promise<string>
  /** Runs pg_dump or pg_restore. */
  run(program: 'pg_dump' | 'pg_restore', ...args: string[]): Promise<void>
  /** Makes a server that follows this one, and returns its port. It stops with this one. */
  follow(): Promise<number>
  /** The log of the server. */
  log(): Promise<string>
  stop(): Promise<void>
}

/** Where Debian and similar systems keep each version's programs; the newest comes last. */
const VERSIONS = '/usr/lib/postgresql'
const NEEDED = ['initdb', 'pg_ctl', 'createdb', 'pg_dump', 'pg_restore', 'pg_basebackup']

/** The folder of the programs; null if they are not installed. */
export const installedPrograms: string | null = findPrograms()

function findPrograms(): string | null {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((one, other) => Number(one) - Number(other)) : []
  return (
    versions
      .map((version) => path.join(VERSIONS, version, 'bin'))
      .findLast((folder) => NEEDED.every((name) => existsSync(path.join(folder, name)))) ?? null
  )
}

const runProgram = promisify(execFile)

/** The server refuses to run as root: root is mapped to another user, as in scripts/postgres-programs.mjs. */
const UNDER = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : ['env']

export async function openInstalledPostgres(): Promise<InstalledPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), 'weather-installed-postgres-'))
  const port = await freePort()
  const data = path.join(folder, 'data')
  const at = (program: string) => path.join(installedPrograms as string, program)
  const run = async (program: string, ...args: string[]) => {
    const [first, ...rest] = [...UNDER, at(program), ...args] as [string, ...string[]]
    await runProgram(first, rest, { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TZ: 'UTC' } })
  }
  await run('initdb', '-D', data, '-U', 'weather', '--auth=trust', '--encoding=UTF8')
  const start = (at: string, port: number, log: string) => {
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off -c log_error_verbosity=terse`
    return run('pg_ctl', 'start', '-w', '-D', at, '-l', path.join(folder, log), '-o', options)
  }
  const stop = (at: string) => run('pg_ctl', 'stop', '-m', 'immediate', '-D', at)
  const running = [data]
  await start(data, port, 'log')
  return {
    async database(name) {
      await run('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'weather', name)
      return `postgresql://weather@127.0.0.1:${port}/${name}`
    },
    run: (program, ...args) => run(program, ...args),
    async follow() {
      const [copy, own] = [path.join(folder, `standby-${running.length}`), await freePort()]
      await run(
        'pg_basebackup',
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'weather',
        '-D',
        copy,
        '--write-recovery-conf',
        '--checkpoint=fast',
      )
      await start(copy, own, `log-of-standby-${running.length}`)
      running.push(copy)
      return own
    },
    log: () => readFile(path.join(folder, 'log'), 'utf8'),
    async stop() {
      for (const one of running.reverse()) await stop(one)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
