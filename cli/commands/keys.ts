import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { operateWithoutTimeout } from '../api.ts'
import { exits } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { addCommand, type Settings, settingsOf } from './command.ts'

const STATUS = 'keys { name id seals values removable said } unopened'

/** Status of the installation's secret keys. */
export interface SecretKeys {
  keys: { name: string | null; seals: boolean; values: number; removable: boolean; said: string }[]
  unopened: number
}

export const SECRET_KEYS = `{ secretKeys { ${STATUS} } }`
const RESEAL = `mutation { resealValues { ${STATUS} } }`
/** A worker takes the job within a second, and reseals some thousands of values per second. */
const RESEALED_WITHIN_MS = 600_000
const POLL_INTERVAL_MS = 1000

/** weather keys: the keys that encrypt and sign, with the operator key. */
export function addKeys(program: Command): void {
  const keys = program.command('keys').description('the keys that encrypt and sign (needs the operator key)')

  addCommand(keys, 'status', 'show which key of WEATHER_SECRET_KEY seals values, and when a key can be removed', 'keys status').action(
    async (_options: unknown, command: Command) => {
      const setting = settingsOf(command)
      show(await operateWithoutTimeout<SecretKeys>(setting.connection, SECRET_KEYS), setting)
    },
  )

  addCommand(keys, 'reseal', 'reseal every value with the first key of WEATHER_SECRET_KEY', 'keys reseal --wait')
    .option('--wait', 'wait until it is done; exit status 75 if that takes longer than ten minutes')
    .action(async ({ wait }: { wait?: boolean }, command: Command) => {
      const setting = settingsOf(command)
      let status = await operateWithoutTimeout<SecretKeys>(setting.connection, RESEAL)
      const until = Date.now() + RESEALED_WITHIN_MS
      while (wait && isPending(status) && Date.now() < until) {
        await pause(POLL_INTERVAL_MS)
        status = await operateWithoutTimeout<SecretKeys>(setting.connection, SECRET_KEYS)
      }
      show(status, setting)
      if (wait && isPending(status)) process.exitCode = exits.pending
    })

  addCommand(keys, 'rotate', 'sign documents with a new key; earlier signatures stay valid', 'keys rotate')
    .option('--log', 'rotate the key of the log of fingerprints instead; the tree and name of the log stay')
    .action(async ({ log }: { log?: boolean }, command: Command) => {
      const setting = settingsOf(command)
      const mutation = log ? 'rotateLogKey' : 'rotateDocumentKey'
      print(await operateWithoutTimeout(setting.connection, `mutation { ${mutation} { key_id retired } }`), setting)
    })
}

const isPending = ({ keys }: SecretKeys) => keys.some(({ seals, values }) => !seals && values > 0)

function show({ keys, unopened }: SecretKeys, setting: Settings): void {
  print(keys, setting)
  printUnopened(unopened)
}

/** Prints what the keys besides the first are still needed for, and values that no key opens. */
export function printOlderKeys({ keys, unopened }: SecretKeys): void {
  for (const { name, seals, said } of keys) if (!seals) printLine(`Key ${name} of WEATHER_SECRET_KEY: ${said}`)
  printUnopened(unopened)
}

/** Sets exit status 1: the values are lost until the key is restored. */
function printUnopened(unopened: number): void {
  if (unopened === 0) return
  const values = unopened === 1 ? 'A sealed value opens' : `${unopened} sealed values open`
  printLine(`${values} with no key of WEATHER_SECRET_KEY: restore the key that sealed them.`)
  process.exitCode = exits.failure
}
