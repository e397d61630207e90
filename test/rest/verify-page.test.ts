import { createHash } from 'node:crypto'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import type { Browser, Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { openPrinter } from '#domain/engines/printer.ts'
import { sealDocument } from '#domain/reports/document/seal-document.ts'
import { makeDocumentKey } from '#domain/reports/signing/make-certificate.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { violationsOf } from '#test/support/axe.ts'
import { browserSettings } from '#test/support/browser.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { evidenceIn } from '#test/support/pdf.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { openReader } from '#test/support/reader.ts'
import { unsignedDocument } from '#test/support/unsigned-document.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let folder: string
let browser: Browser
let token: string
let id: string
let fingerprint: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'verify-'))
  const settings = browserSettings({ home: folder })
  world = await openWorld({ replace: { printer: openPrinter(settings, pino({ level: 'silent' })) } })
  await seedSample(world.app)
  rest = await openRest(world)
  await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
  browser = await openReader(folder)
  token = (await aToken(world, await aTeam(world))).token
  const { address, window_start, window_end } = sampleStorm
  id = (await rest.call('POST', '/reports', { token, body: { address, window_start, window_end } })).body.data.id
  await world.drain()
  fingerprint = (await rest.call('GET', `/reports/${id}`, { token })).body.data.fingerprint
})
afterAll(async () => {
  await browser.close()
  await rest.close()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the page of a fingerprint', () => {
  it('shows the statement to anyone with the fingerprint, and cannot be indexed or framed', async () => {
    const answer = await rest.fastify.inject(`/verify/${fingerprint}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({ 'x-robots-tag': 'noindex, nofollow' })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.body).toContain('Not authoritative')
    expect(answer.body).not.toContain(id)
    expect(answer.body).toContain('33.14990, -96.82410: the centre of a ZIP, not a building')
    expect((await rest.fastify.inject(`/verify/${'0'.repeat(64)}`)).statusCode).toBe(404)
    expect((await rest.fastify.inject('/verify/nonsense')).statusCode).toBe(404)
  })

  it('names no address, and nothing that only another team’s report contains', async () => {
    const other = { address: '2601 Network Blvd, Frisco, TX 75034', reference: 'Roof of a neighbour', recipient: 'Another customer' }
    const otherToken = (await aToken(world, await aTeam(world))).token
    const { window_start, window_end } = sampleStorm
    const created = await rest.call('POST', '/reports', { token: otherToken, body: { ...other, window_start, window_end } })
    await world.drain()
    const report = (await rest.call('GET', `/reports/${created.body.data.id}`, { token: otherToken })).body.data
    expect(report.fingerprint).toBe(fingerprint)
    const answers = [
      await rest.fastify.inject(`/verify/${fingerprint}`),
      await rest.fastify.inject({ url: `/verify/${fingerprint}`, headers: { accept: 'application/json' } }),
    ]
    for (const { body, statusCode, headers } of answers) {
      expect(statusCode).toBe(200)
      expect(headers['cache-control']).toBe('no-store')
      for (const word of ['Main St', 'Network', 'Frisco', '75034', 'Collin', 'neighbour', 'customer', 'enerated', created.body.data.id, id])
        expect(body).not.toContain(word)
    }
    expect(answers[1]?.json()).toMatchObject({ standing: 'held', fingerprint, records: 14, authoritative: false })
    expect(answers[1]?.json().largest[0]).toEqual({
      label: 'Largest hail reported',
      value: '2.00 in',
      manner: 'measured or estimated: not stated',
      where: '0.8 mi SW',
      occurred_on: '2025-05-28',
    })
    expect(answers[0]?.body).toContain('2.00 in (measured or estimated: not stated), 0.8 mi SW, 2025-05-28')
    await rest.call('DELETE', `/reports/${created.body.data.id}`, { token: otherToken })
    expect((await rest.fastify.inject(`/verify/${fingerprint}`)).body).not.toContain('Withdrawn')
    const unknown = await rest.fastify.inject({ url: `/verify/${'0'.repeat(64)}`, headers: { accept: 'application/json' } })
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found'])
  })

  it('reads the records of a report once for many visitors, and limits the requests of a client', async () => {
    const counted: string[] = []
    const { query } = world.app.pool
    world.app.pool.query = ((...sent: [{ name?: string }]) => {
      counted.push(String(sent[0]?.name))
      return (query as (...sent: unknown[]) => unknown).apply(world.app.pool, sent)
    }) as never
    const answers: [number, string][] = []
    const read = async () => {
      const headers = { accept: 'application/json' }
      const { statusCode, body } = await rest.fastify.inject({ url: `/verify/${fingerprint}`, headers, remoteAddress: '203.0.113.9' })
      answers.push([statusCode, body])
    }
    try {
      await Promise.all(Array.from({ length: 3 }, read))
      while (answers.length < 121) await read()
    } finally {
      world.app.pool.query = query
    }
    expect(counted.filter((name) => name.includes('statement.records')).length).toBeLessThanOrEqual(1)
    expect(new Set(answers.slice(0, 120).map(([, body]) => body)).size).toBe(1)
    expect(answers.map(([status]) => status)).toEqual([...Array(120).fill(200), 429])
    expect((await rest.fastify.inject(`/verify/${fingerprint}`)).statusCode).toBe(200)
  })

  it("recomputes a dropped PDF and evidence file in the reader's browser, and refuses a changed byte", async () => {
    const { port } = rest.fastify.server.address() as { port: number }
    const pdf = (await rest.fastify.inject({ url: `/api/v1/reports/${id}/pdf`, headers: { authorization: `Bearer ${token}` } })).rawPayload
    const evidence = await evidenceIn(pdf)
    expect(createHash('sha256').update(evidence).digest('hex')).toBe(fingerprint)
    const stated = { title: 'Weather report', fingerprint, methodology_version: null, at: new Date(), signature: null, attachments: [] }
    const files = {
      'report.pdf': pdf,
      'evidence.json': evidence,
      'changed.json': Buffer.from(evidence.toString().replace('2025-05-28', '2025-05-27')),
      'changed.pdf': await unsignedDocument(await blankPdf(), {
        ...stated,
        evidence: evidence.toString().replace('2025-05-28', '2025-05-27'),
      }),
      'torn.pdf': withChangedByte(pdf),
      'repainted.pdf': withRepaintedPage(pdf),
      'filled.pdf': withFilledSignature(pdf),
      'appended.pdf': Buffer.concat([pdf, Buffer.from('\n% more\n')]),
      'unsigned.pdf': await unsignedDocument(await blankPdf(), { ...stated, evidence: evidence.toString() }),
      'another.pdf': await sealDocument(
        await blankPdf(),
        { ...stated, evidence: evidence.toString() },
        await makeDocumentKey('Weather reports of somebody else', new Date()),
        new Date(),
      ),
      'other.txt': Buffer.from('hello'),
    }
    const page = await browser.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(`http://127.0.0.1:${port}/verify/${fingerprint}`)
    const verdicts: Record<string, string> = {}
    const shown: Record<string, string> = {}
    for (const [name, bytes] of Object.entries(files)) {
      const file = path.join(folder, name)
      await writeFile(file, bytes)
      await page.$eval('#verdict', (element) => element.replaceChildren())
      const input = await page.waitForSelector('input#file')
      await input?.uploadFile(file)
      verdicts[name] = await readResult(page)
      shown[name] = String(await page.$eval('#verdict', (element) => element.className))
    }
    expect(verdicts['report.pdf']).toContain('it is unchanged. No byte of the file was changed since this service signed it')
    for (const name of ['repainted.pdf', 'filled.pdf', 'appended.pdf', 'another.pdf'])
      expect(verdicts[name], name).toContain('Do not rely on its pages')
    expect(verdicts['unsigned.pdf']).toContain('the file is not signed as a whole')
    expect([shown['report.pdf'], shown['unsigned.pdf'], shown['repainted.pdf']]).toEqual(['same', '', 'other'])
    expect(verdicts['evidence.json']).toContain('it is unchanged')
    expect(verdicts['changed.json']).toContain('another fingerprint')
    expect(verdicts['changed.pdf']).toContain('another fingerprint')
    expect(verdicts['torn.pdf']).toContain('cannot be checked')
    expect(verdicts['other.txt']).toBe(
      'other.txt: The file cannot be checked: It is neither a report nor its evidence, or a part of it is broken.',
    )
    await page.evaluate(dropping(evidence.toString()))
    expect(await readResult(page)).toContain('dropped.json: The evidence in this file has the fingerprint of this page: it is unchanged')
    expect(await page.$eval('input#file', (input) => (input as HTMLInputElement).files?.[0]?.name)).toBe('dropped.json')
    // The field is empty while a file is chosen: the same name counts as a change.
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('input#file')])
    expect(await page.$eval('input#file', (input) => (input as HTMLInputElement).files?.length)).toBe(0)
    await chooser.cancel()
    expect(requests.every((url) => url.startsWith(`http://127.0.0.1:${port}/verify/`))).toBe(true)
    expect(await browser.cookies()).toEqual([])
    await page.close()
  })

  it('shows the verdict of the file that was given last, whichever is read first, and reads no file too large for the browser', async () => {
    const { port } = rest.fastify.server.address() as { port: number }
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/verify/${fingerprint}`)
    const last = await page.evaluate(async () => {
      const drop = (file: File) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(file)
        document.getElementById('drop')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
      }
      const spaces = ' '.repeat(20_000_000)
      const [slow, quick] = [new File([`${spaces}{}`], 'slow.json'), new File(['hello'], 'quick.txt')]
      const read = slow.arrayBuffer()
      drop(slow)
      drop(quick)
      await read
      await new Promise((resolve) => setTimeout(resolve, 2000))
      return document.getElementById('verdict')?.textContent
    })
    expect(last).toContain('quick.txt: ')
    const input = await page.waitForSelector('input#file')
    const huge = path.join(folder, 'huge.pdf')
    await writeFile(huge, '')
    await truncate(huge, 256 * 1024 * 1024 + 1)
    await input?.uploadFile(huge)
    expect(await readResult(page)).toBe(
      'huge.pdf: The file cannot be checked: It is larger than 256 MiB, which is more than this page reads. Use: weather verify FILE',
    )
    await page.close()
  })

  it.each(['light', 'dark'])('has no accessibility fault, %s', async (scheme) => {
    const { port } = rest.fastify.server.address() as { port: number }
    const page = await browser.newPage()
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    for (const of of [`/${fingerprint}`, `/${'0'.repeat(64)}`, '', '?fingerprint=58FE+7270']) {
      await page.goto(`http://127.0.0.1:${port}/verify${of}`)
      expect(await violationsOf(page)).toEqual([])
    }
    await page.close()
  })

  it('is found by a fingerprint that is pasted as a person has it, and by a file, which is not sent', async () => {
    const headers = { accept: 'text/html' }
    const answer = (typed: string) => rest.fastify.inject({ url: '/verify', query: { fingerprint: typed }, headers })
    for (const typed of [
      fingerprint,
      ` ${fingerprint.toUpperCase()} `,
      fingerprint.replace(/.{32}/, '$&\n'),
      `https://x.example/verify/${fingerprint}`,
      `Evidence ${fingerprint} and its file`,
    ])
      expect((await answer(typed)).headers.location, typed).toBe(`/verify/${fingerprint}`)
    const refused = await answer(`"><script>${fingerprint}f`)
    expect([refused.statusCode, refused.body.includes('This contains no fingerprint'), refused.body.includes('"><script>')]).toEqual([
      422,
      true,
      false,
    ])
    expect((await rest.fastify.inject({ url: '/verify/', headers })).statusCode).toBe(200)
    const asJson = { url: '/verify', headers: { accept: 'application/json' } }
    expect((await rest.fastify.inject(asJson)).json()).toMatchObject({ code: 'not_found' })

    const { port } = rest.fastify.server.address() as { port: number }
    const page = await browser.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.goto(`http://127.0.0.1:${port}/verify/${'0'.repeat(64)}`)
    await Promise.all([page.waitForNavigation(), page.click('main a')])
    await page.type('#fingerprint', fingerprint)
    await Promise.all([page.waitForNavigation(), page.click('button')])
    expect(new URL(page.url()).pathname).toBe(`/verify/${fingerprint}`)
    await page.goto(`http://127.0.0.1:${port}/verify`)
    const other = path.join(folder, 'hello.txt')
    await writeFile(other, 'hello')
    const input = await page.waitForSelector('input#file')
    await input?.uploadFile(other)
    expect(await readResult(page)).toContain('hello.txt: The file cannot be checked')
    const pdf = path.join(folder, 'found.pdf')
    const { rawPayload } = await rest.fastify.inject({ url: `/api/v1/reports/${id}/pdf`, headers: { authorization: `Bearer ${token}` } })
    await writeFile(pdf, rawPayload)
    requests.length = 0
    await Promise.all([page.waitForNavigation(), input?.uploadFile(pdf)])
    expect(requests).toEqual([`GET /verify/${fingerprint}`])
    await page.close()
  })

  it('opens a signed link without a token, and reports when it has expired', async () => {
    const { body } = await rest.call('POST', `/reports/${id}/pdf/link`, { token })
    const at = new URL(body.url).pathname
    const answer = await rest.fastify.inject(at)
    expect([answer.statusCode, answer.headers['content-type'], answer.rawPayload.length]).toEqual([200, 'application/pdf', body.bytes])
    world.clock.advance(15 * 60_000)
    const late = await rest.fastify.inject(at)
    expect([late.statusCode, late.json().code]).toEqual([410, 'link_expired'])
    const page = await browser.newPage()
    const { port } = rest.fastify.server.address() as { port: number }
    for (const [path, title] of [
      [at, 'This link has expired'],
      ['/download/none', 'There is nothing here'],
    ]) {
      await page.goto(`http://127.0.0.1:${port}${path}`)
      expect(await page.$eval('h1', (heading) => heading.textContent)).toBe(title)
      expect(await violationsOf(page)).toEqual([])
    }
    await page.close()
  })

  it('reports that no report with the fingerprint is left, and shows it again once one is made', async () => {
    await rest.call('DELETE', `/reports/${id}`, { token })
    const answer = await rest.fastify.inject(`/verify/${fingerprint}`)
    expect([answer.statusCode, answer.body.includes('Withdrawn'), answer.body.includes(fingerprint)]).toEqual([200, true, true])
    expect(answer.body).not.toContain('Frisco')
    const { address, window_start, window_end } = sampleStorm
    await rest.call('POST', '/reports', { token, body: { address, window_start, window_end } })
    await world.drain()
    expect((await rest.fastify.inject(`/verify/${fingerprint}`)).body).not.toContain('Withdrawn')
  })
})

/** The page's verdict about the last file, once it has read it. */
async function readResult(page: Page): Promise<string> {
  await page.waitForFunction(`!['', 'Reading'].includes((document.getElementById('verdict').textContent || '').split(' ')[0])`)
  return String(await page.$eval('#verdict', (element) => element.textContent))
}

/** Drops a file on the page, outside its drop area, as a person might. */
const dropping = (text: string) => `{
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([${JSON.stringify(text)}], 'dropped.json'))
  document.getElementById('verdict').textContent = ''
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}`

const blankPdf = () => blankPrinter.print('', { format: 'Letter', footer: '', margin: { top: '0', right: '0', bottom: '0', left: '0' } })

/** Flips one bit of the evidence's compressed bytes. */
function withChangedByte(pdf: Buffer): Buffer {
  const at = pdf.indexOf('stream', pdf.toString('latin1').search(/\/EmbeddedFile\b/)) + 40
  const changed = Buffer.from(pdf)
  changed[at] = (pdf[at] as number) ^ 1
  return changed
}

/** Flips one bit of the first page's content: it draws something else, or nothing. */
function withRepaintedPage(pdf: Buffer): Buffer {
  const at = pdf.indexOf('stream\n') + 60
  const changed = Buffer.from(pdf)
  changed[at] = (pdf[at] as number) ^ 1
  return changed
}

/** Writes into the padding behind the signature, which no signature covers. */
function withFilledSignature(pdf: Buffer): Buffer {
  const changed = Buffer.from(pdf)
  changed.write('>>> endobj', pdf.indexOf('>', pdf.indexOf('/Contents <')) - 40, 'latin1')
  return changed
}

/** The attached file, found by independent code. */
