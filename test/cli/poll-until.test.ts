import { afterEach, expect, it, vi } from 'vitest'
import { pollUntil } from '../../cli/commands/poll-until.ts'
import { exits, failure } from '../../cli/failure.ts'

const { isTTY } = process.stderr
afterEach(() => {
  process.stderr.isTTY = isTTY
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

it('shows why a busy service makes it wait, and the progress otherwise', async () => {
  process.stderr.isTTY = true
  for (const [name, value] of [
    ['CI', ''],
    ['TERM', 'xterm'],
  ] as const)
    vi.stubEnv(name, value)
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const busy = () => Promise.reject(Object.assign(failure(exits.failure, 'No document now.'), { retry_after: 0.001 }))
  const answers = [busy, async () => ({ status: 202, retry_after: 0.001 }), async () => ({ status: 200 })]
  const poll = () => (answers.shift() as () => Promise<never>)()
  await pollUntil(
    5,
    () => 'being prepared',
    poll,
    ({ status }: { status: number }) => status === 200,
  )
  const lines = written.mock.calls.map(([line]) => String(line).replace('\r\u001b[K', ''))
  expect(lines).toEqual(['No document now.', 'being prepared', ''])
})
