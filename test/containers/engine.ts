import { spawn, spawnSync } from 'node:child_process'

/** The programs that run containers: shell commands, with options if they are given. */
export interface Engine {
  /** docker, podman, or the value of CONTAINER_ENGINE. */
  engine: string
  /** `docker compose`, `podman compose`, or the value of COMPOSE_COMMAND. */
  compose: string
}

const CANDIDATES: Engine[] = [
  { engine: 'docker', compose: 'docker compose' },
  { engine: 'podman', compose: 'podman compose' },
]

/** The engine that this machine has, or that is configured; null if there is none. */
export function findEngine({ CONTAINER_ENGINE, COMPOSE_COMMAND }: NodeJS.ProcessEnv): Engine | null {
  const fits = ({ engine, compose }: Engine) => works(`${engine} info`) && works(`${compose} version`)
  if (!CONTAINER_ENGINE && !COMPOSE_COMMAND) return CANDIDATES.find(fits) ?? null
  const engine = CONTAINER_ENGINE || 'docker'
  const configured = { engine, compose: COMPOSE_COMMAND || `${engine} compose` }
  if (!fits(configured))
    throw new Error(`${configured.engine} or ${configured.compose} does not answer: CONTAINER_ENGINE and COMPOSE_COMMAND name them`)
  return configured
}

const works = (command: string) => spawnSync('sh', ['-c', command], { stdio: 'ignore', timeout: 20_000 }).status === 0

/** A folder in which lines are pasted into shells one after the other; variables that they set are kept for the next. */
export interface Terminal {
  /** Runs lines, each of which must succeed. Returns what they printed. */
  paste(lines: string, within_ms: number): Promise<string>
  /** Stops the running lines; nothing more is run. */
  stop(): void
}

/** In the pasted lines `docker` and `docker compose` are the engine, whichever it is. */
export function openTerminal({ engine, compose }: Engine, cwd: string, env: NodeJS.ProcessEnv): Terminal {
  const before = `set -eo pipefail
docker() { if [ "$1" = compose ]; then shift; ${compose} "$@"; else ${engine} "$@"; fi; }
if [ -e .terminal ]; then . ./.terminal; fi
`
  const after = `
for name in team report WEATHER_TOKEN; do if [ -v $name ]; then declare -p $name; fi; done > .terminal
`
  let end = () => {}
  let stopped = false
  return {
    stop() {
      stopped = true
      end()
    },
    paste(lines, within_ms) {
      if (stopped) return Promise.reject(new Error('stopped'))
      const shell = spawn('bash', ['-c', before + lines + after], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
      let printed = ''
      let stderr = ''
      shell.stdout.on('data', (text) => {
        printed += text
      })
      shell.stderr.on('data', (text) => {
        stderr += text
      })
      return new Promise((resolve, reject) => {
        // All processes that it started are in its group.
        end = () => process.kill(-(shell.pid as number), 'SIGKILL')
        const late = setTimeout(end, within_ms)
        shell.on('error', reject)
        shell.on('close', (status) => {
          clearTimeout(late)
          end = () => {}
          if (status === 0) resolve(printed)
          else
            reject(
              new Error(
                `${lines.trim()}\nended with ${status ?? `nothing after ${within_ms / 1000} s`}:\n${`${printed}\n${stderr}`.trim().slice(-4000)}`,
              ),
            )
        })
      })
    },
  }
}
