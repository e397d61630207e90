import { consoleUrlOf } from '#domain/kernel/console-url.ts'
import { BASE_URL } from '#rest/examples.ts'

interface World {
  base_url: string
  receiver: string
  /** Replaces the present. */
  now: Date
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g
const HASH = /[A-Za-z0-9+/]{43}=/g
const EXAMPLE_HASH = 'ExampleHashOf32BytesInBase64ForTheDocsAAAAA='
/** Hashes of the log depend on random salts. */
const exampleCheckpoint = (size: string) =>
  `weather.example.com/log\n${size}\n${EXAMPLE_HASH}\n\n\u2014 weather.example.com/log ExampleSignatureOfTheLog68Bytes==\n`
const HOUR_MS = 3_600_000

/**
 * Replaces everything in a value that differs from one run to the next: ids are numbered in order of appearance;
 * the present, tokens and secrets, and the addresses of this machine get fixed values.
 */
export function stabilize<Value>(value: Value, { base_url, receiver, now }: World): Value {
  const ids = new Map<string, string>()
  const numbered = (id: string) => {
    if (!ids.has(id)) ids.set(id, `01987654-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`)
    return ids.get(id) as string
  }
  // Rows with times from the database.
  const dated = (moment: string, fraction = '') =>
    Math.abs(Date.parse(moment) - Date.now()) < HOUR_MS ? `${now.toISOString().slice(0, 19)}${fraction.replaceAll(/\d/g, '0')}Z` : moment
  const { origin } = new URL(receiver)
  const text = JSON.stringify(value)
    .replaceAll(receiver, 'https://hooks.example.com/weather-a1b2')
    .replaceAll(origin, 'https://hooks.example.com')
    .replaceAll(base_url, BASE_URL)
    // The console's address contains the name of the user's own machine.
    .replaceAll(consoleUrlOf(base_url), consoleUrlOf(BASE_URL))
    .replaceAll(UUID, numbered)
    .replaceAll(MOMENT, dated)
    .replaceAll(/"request_id":"[^"]+"/g, '"request_id":"01K7ZZZZZZEXAMPLEREQVEST00"')
    .replaceAll(/"prefix":"wt_[^"]+"/g, '"prefix":"wt_Example"')
    .replaceAll(/whsec_[A-Za-z0-9+/_-]+/g, 'whsec_ExampleSecret33BytesInBase64ForTheDocsOnly12')
    .replaceAll(/\/download\/[\w-]+/g, '/download/ExampleLink')
    .replaceAll(/"(salt|inclusion_proof)":("[^"]*"|\[[^\]]*\])/g, (field: string) => field.replaceAll(HASH, EXAMPLE_HASH))
    .replaceAll(/"checkpoint":"[^"\\]+\\n(\d+)\\n[^"]+"/g, (_, size: string) => `"checkpoint":${JSON.stringify(exampleCheckpoint(size))}`)
    .replaceAll(/"bytes":\d+/g, '"bytes":184320')
  return JSON.parse(text) as Value
}
