import os from 'node:os'
import { expect, it } from 'vitest'
import type { BrowserStart } from '#domain/engines/printer.ts'
import { browserSentences, startBrowser } from '#domain/observability/browser-status.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { openWorld } from '#test/support/world.ts'

it('states the browser as it last started or failed to, not as it was when the process began', async () => {
  const { app } = await openWorld()
  let observe: (start: BrowserStart) => void = () => {}
  startBrowser({ ...app, printer: { ...blankPrinter, onStart: (listener) => void (observe = listener) } })
  const sentence = async () => (await browserSentences(app)).join('\n')

  observe({ confinement: { sandboxed: true, uid: 65533, service_is_root: true, because: null } })
  await expect.poll(sentence).toBe(`The browser of ${os.hostname()} runs in its sandbox, as user 65533.`)
  observe({ fault: new Error('The browser did not start: not found') })
  await expect
    .poll(sentence)
    .toBe(`No browser on ${os.hostname()}: documents that it should print wait. The browser did not start: not found`)
  observe({ confinement: null })
  await expect.poll(sentence).toBe(`The browser of ${os.hostname()} runs elsewhere (BROWSER_WS): its sandbox is configured there.`)
})
