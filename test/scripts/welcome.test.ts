import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { createFirstTeam } from '#domain/access/first-team.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { createApiServer } from '#rest/host.ts'
import { openWorld } from '#test/support/world.ts'
import { welcome } from '../../scripts/welcome.mjs'

it('shows the first report: its headline once, and each finding once', async () => {
  const world = await openWorld()
  await seedSample(world.app)
  const { token } = await createFirstTeam(world.app)
  const api = await createApiServer(world.app)
  const base_url = await api.listen({ host: '127.0.0.1', port: 0 })
  const printed: string[] = []
  const pages: Record<string, number> = {}
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  try {
    const home = await mkdtemp(path.join(tmpdir(), 'weather-welcome-'))
    let shown = false
    const showing = welcome({ base_url, token, sample: sampleStorm, operator_key: null }, home, 'weather').finally(() => {
      shown = true
    })
    while (!shown) await world.drain()
    await showing
    for (const page of ['/docs', '/map', '/readyz']) pages[page] = (await fetch(base_url + page)).status
  } finally {
    out.mockRestore()
    await api.close()
  }
  const text = printed.join('')
  const report = (await world.app.db.report.findFirstOrThrow({ include: { findings: true } })) as {
    headline: string | null
    findings: { statement: string }[]
  }
  const times = (part: string) => text.split(part).length - 1
  expect(report.headline).toMatch(
    /^Sample, made up: Hail 2\.00 in reported 0\.\d mi \w+ of the centre of ZIP 75034 on 2025-05-28; \d+ records in all$/,
  )
  expect(times(report.headline as string)).toBe(1)
  for (const page of ['/docs', '/map', '/readyz']) {
    expect(text).toContain(`${base_url}${page}\n`)
    expect([page, pages[page]]).toEqual([page, 200])
  }
  expect(report.findings.length).toBeGreaterThan(1)
  for (const { statement } of report.findings) expect(times(statement)).toBe(1)
})

it('waits for the first report through a busy service, and reports a refusal with its sentence', async () => {
  const report = { id: 'r', status: 'pending', address: { query: 'A' }, window: {}, coverage: {} }
  const refused = (status: number, message: string) => ({ status, body: { object: 'error', status, message } })
  const answers: { status: number; body: object }[] = []
  const server = createServer((_request, response) => {
    const { status, body } = answers.shift() ?? refused(500, 'No more answers.')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const home = await mkdtemp(path.join(tmpdir(), 'weather-welcome-'))
  const printed: string[] = []
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
  const run = () => welcome({ base_url, token: 't', sample: sampleStorm, operator_key: null }, home, 'weather')
  try {
    answers.push({ status: 202, body: { data: report } }, refused(404, 'There is no such report.'))
    await expect(run()).rejects.toThrow('There is no such report.')
    answers.push({ status: 202, body: { data: report } }, refused(429, 'Too many requests.'), refused(503, 'Not now.'))
    answers.push({ status: 200, body: { data: { ...report, status: 'complete', headline: 'Hail.' } } })
    await run()
  } finally {
    out.mockRestore()
    server.close()
  }
  expect(printed.join('')).toContain('Hail.')
})
