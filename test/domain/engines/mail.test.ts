import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Mail, openMail } from '#domain/engines/mail.ts'
import { type MailServer, openMailServer, textOf } from '#test/support/mail-server.ts'

const LIMITS = { deadline_ms: 400, response_ms: 1200 }
const letter = { to: 'ann@example.com', subject: 'Hello', text: 'A letter' }

let server: MailServer
let mail: Mail
beforeEach(async () => {
  server = await openMailServer()
  mail = openMail({ smtp_url: server.url, contact: 'desk@example.com', base_url: 'https://weather.example.com' }, LIMITS)
})
afterEach(async () => {
  mail.close()
  await server.close()
})

it('a mail arrives as written', async () => {
  await mail.send(letter)
  expect(server.mails).toMatchObject([{ to: ['ann@example.com'], headers: { from: 'desk@example.com', subject: 'Hello' } }])
  expect(server.mails.map(textOf)).toEqual([expect.stringContaining('A letter')])
})

describe('a slow mail server', () => {
  it('does not get a mail whose dialogue has exceeded its limit, so that the next attempt does not repeat it', async () => {
    server.delays.recipient = 600
    await expect(mail.send(letter)).rejects.toThrow('did not answer in time')
    await pause(600)
    expect(server.mails).toEqual([])
  })

  it('does not get a mail if the limit passes while its caller prepares for the end', async () => {
    await expect(mail.send({ ...letter, beforeEnd: () => pause(600) })).rejects.toThrow('did not answer in time')
    await pause(600)
    expect(server.mails).toEqual([])
  })

  it('gets to the end of a mail only after it has accepted the recipient', async () => {
    server.refuse = { code: 550, text: 'nobody' }
    let ended = false
    const beforeEnd = async () => {
      ended = true
    }
    await expect(mail.send({ ...letter, beforeEnd })).rejects.toMatchObject({ responseCode: 550 })
    expect(ended).toBe(false)
  })

  it('has a longer limit for the response to the end of a mail', async () => {
    server.delays.end = 600
    await mail.send(letter)
    expect(server.mails).toHaveLength(1)
    server.delays.end = 1500
    await expect(mail.send(letter)).rejects.toThrow('did not answer in time')
  })
})
