import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newSigningSecret, signatureHeaders } from '#domain/integrations/signature.ts'
import { openSample, type SampleService } from '#test/cli/sample.ts'
import { bundledProgram } from '#test/cli/terminal.ts'
import { freePort } from '#test/support/free-port.ts'
import { keepWorking, type Workers } from './keep-working.ts'
import { documentedSnippets, type Snippet } from './snippets.ts'

const run = promisify(execFile)
const snippets = await documentedSnippets()
const thatRun = (how: string) => snippets.filter(({ run }) => run === how).map((snippet) => [snippet.at, snippet] as const)

let sample: SampleService
let folder: string
let workers: Workers
/** A reader's settings: an address and a token, under the names that the documentation uses. */
let env: Record<string, string>
beforeAll(async () => {
  sample = await openSample()
  // Inside the clone, so that imports find the workspaces' packages as an install does.
  await mkdir('dist', { recursive: true })
  folder = await mkdtemp(path.resolve('dist/snippets-'))
  const { url, token } = sample
  env = { PATH: String(process.env.PATH), HOME: folder, BASE: url, TOKEN: token, WEATHER_URL: url, WEATHER_TOKEN: token }
  workers = keepWorking(sample.world)
})
afterAll(async () => {
  await workers.stop()
  await sample.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(() => workers.idle())

describe('every snippet of the guide and of the client', () => {
  it('is run, or states why not', () => {
    const kinds = ['sh', 'ts', 'ts server', 'js', 'json']
    const idle = snippets.filter(({ run, reason }) => (run === null ? reason.length < 20 : !kinds.includes(run)))
    expect(idle.map(({ at }) => at)).toEqual([])
    expect(snippets.length).toBeGreaterThan(15)
    expect(snippets.filter(({ run }) => run === null).length).toBeLessThan(4)
  })

  it.each(thatRun('sh'))('%s, in a shell', async (_, { code }) => {
    const program = await bundledProgram()
    // For a reader a refusal prints a body; here it must fail the test.
    const prelude = `set -euo pipefail
curl() { command curl --fail-with-body --silent --show-error "$@"; }
weather() { "${process.execPath}" "${program}" "$@"; }\n`
    await run('bash', ['-c', prelude + code], { cwd: folder, env })
  })

  it('has no type errors', async () => {
    const written = snippets.filter(({ run }) => run?.startsWith('ts'))
    const files = await Promise.all(written.map((snippet) => write(snippet, 'ts')))
    expect(faultsOf(files)).toEqual([])
    expect(files.length).toBeGreaterThan(5)
  })

  it.each(thatRun('ts'))('%s, as a program', async (_, snippet) => {
    const file = await write(snippet, 'ts')
    const { stdout } = await run(process.execPath, ['--import', 'tsx', file], { cwd: folder, env })
    expect(stdout).not.toBe('')
  })

  it.each(thatRun('ts server'))('%s, as a program that receives posts', async (_, snippet) => {
    const [secret, port] = [newSigningSecret(), await freePort()]
    const more = { WEBHOOK_SECRET: secret, PORT: String(port) }
    const server = spawn(process.execPath, ['--import', 'tsx', await write(snippet, 'ts')], {
      env: { ...env, ...more },
      stdio: 'inherit',
    })
    try {
      await listening(server, port)
      const body = '{"event":"digest.sent"}'
      const headers = signatureHeaders(secret, 'delivery-1', body, new Date())
      const post = async (sent: string) => (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sent })).status
      expect([await post(body), await post(`${body} `)]).toEqual([204, 400])
    } finally {
      server.kill()
      await once(server, 'exit')
    }
  })

  it.each(thatRun('js'))('%s, as a module', async (_, { code }) => {
    expect(Object.keys(await import(`data:text/javascript,${encodeURIComponent(code)}`))).not.toEqual([])
  })

  it.each(thatRun('json'))('%s, as the service returns it', async (_, { code, answers, schema }) => {
    const shown = JSON.parse(code)
    if (schema !== '') return expect(shown).toEqual(await exampleOf(schema, shown))
    const [, method, at, body] = /^(\w+) (\S+) ?(.*)$/.exec(answers) ?? []
    const headers = { authorization: `Bearer ${sample.token}`, 'content-type': 'application/json' }
    const answer = await fetch(sample.url + at, { method: String(method), headers, ...(body && { body }) })
    // Values that vary are shown as an ellipsis.
    const answered = await answer.json()
    expect(answered).toEqual(JSON.parse(code, (key, value) => (value === '…' ? answered[key] : value)))
    return undefined
  })
})

let written = 0

async function write({ code }: Snippet, extension: string): Promise<string> {
  const file = path.join(folder, `snippet-${++written}.${extension}`)
  await writeFile(file, `${code}\nexport {}\n`)
  return file
}

/** The value itself if the schema allows exactly its keys and constants. */
async function exampleOf(name: string, value: Record<string, unknown>): Promise<unknown> {
  const { components } = await (await fetch(`${sample.url}/docs/openapi.json`)).json()
  const { properties } = components.schemas[name] as { properties: Record<string, { const?: unknown }> }
  return Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, property.const ?? value[key]]))
}

async function listening(server: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (server.exitCode !== null) throw new Error('the program ended')
    const socket = connect(port, '127.0.0.1')
    const open = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(() => false)
    socket.destroy()
    if (open) return
    await new Promise((resume) => setTimeout(resume, 100))
  }
  throw new Error('nothing listens')
}

function faultsOf(files: string[]): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, process.cwd())
  const found = ts.getPreEmitDiagnostics(ts.createProgram(files, options))
  return found.map(({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}
