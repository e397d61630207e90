import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeDocumentKey } from '#domain/reports/signing/make-certificate.ts'
import { checkOnPage } from '#test/support/verification-page.ts'
import { checkFile } from '../../cli/verify/check-file.ts'
import { conclusionOf } from '../../cli/verify/conclusion.ts'
import { readKeys } from '../../cli/verify/keys.ts'
import type { Outside } from '../../cli/verify/outside.ts'
import type { Install } from './genuine.ts'
import { type Forgery, kinds, type Stock } from './kinds.ts'
import { type Random, randomFrom } from './random.ts'

/** Results for the forgeries of one kind. */
export interface Fared {
  made: number
  refused: number
  /** For signed ones: the number that pdfsig found invalid. */
  seen_by_pdfsig: number
  signed: number
}

export interface Outcome {
  kinds: Map<string, Fared>
  /** Forgeries that were accepted, in words. */
  faults: string[]
}

/**
 * Makes forgeries and expects the program to refuse each with exit status 9, whatever it is compared with, and no page of a
 * fingerprint to call it unchanged.
 * @param pdfsig a folder for files that poppler's program checks as well; null to skip that
 */
export async function tryForgeries(install: Install, cases: number, seed: number, pdfsig: string | null): Promise<Outcome> {
  const random = randomFrom(seed)
  const stock: Stock = { documents: install.documents, unpublishedKey: await makeDocumentKey('Somebody else', new Date()) }
  const keys = readKeys(JSON.stringify({ keys: install.keys }), 'the list of keys')
  const outcome: Outcome = { kinds: new Map(), faults: [] }
  for (let at = 0; at < cases; at++) {
    const forgery = await forge(stock, random, at)
    const fared = outcome.kinds.get(forgery.kind) ?? { made: 0, refused: 0, seen_by_pdfsig: 0, signed: 0 }
    outcome.kinds.set(forgery.kind, fared)
    fared.made++
    const status = await statusOf(forgery, outsideFor(forgery, install, keys, at))
    if (status === 9) fared.refused++
    else outcome.faults.push(`${forgery.kind} (${forgery.what}) ended with ${status}`)
    for (const { fingerprint } of install.documents)
      if ((await checkOnPage(forgery.bytes, fingerprint, install.keys)).found === 'same')
        outcome.faults.push(`${forgery.kind} (${forgery.what}) is unchanged to the page of its fingerprint`)
    if (pdfsig === null || !forgery.is_signed) continue
    fared.signed++
    if (await isSeen(forgery, path.join(pdfsig, 'forgery.pdf'))) fared.seen_by_pdfsig++
    else if (mustBeSeen(forgery)) outcome.faults.push(`${forgery.kind} (${forgery.what}) is valid to pdfsig`)
  }
  return outcome
}

/** Every kind once, then by their shares. */
async function forge(stock: Stock, random: Random, at: number): Promise<Forgery> {
  const names = Object.keys(kinds)
  for (let tries = 0; ; tries++) {
    const kind = names[at] ?? weighted(random)
    const made = await kinds[kind]?.forge(stock, random)
    if (made) return { kind, ...made }
    if (tries > 100) throw new Error(`no forgery of the kind "${kind}" could be made`)
  }
}

function weighted(random: Random): string {
  let left = random.below(Object.values(kinds).reduce((sum, { share }) => sum + share, 0))
  for (const [name, { share }] of Object.entries(kinds)) if ((left -= share) < 0) return name
  throw new Error('the shares do not add up')
}

/** Alternates between a known key, a known fingerprint and nothing. Only a key shows the signer of an otherwise identical file. */
function outsideFor({ kind }: Forgery, { documents }: Install, list: ReturnType<typeof readKeys>, at: number): Outside {
  const by_key = { fingerprint: null, keys: { from: 'the service', list }, ask: null }
  if (kind === 'another’s signature') return by_key
  const by_fingerprint = { fingerprint: documents[at % documents.length]?.fingerprint ?? null, keys: null, ask: null }
  return [by_key, by_fingerprint, { fingerprint: null, keys: null, ask: null }][at % 3] as Outside
}

async function statusOf({ bytes }: Forgery, outside: Outside): Promise<number> {
  try {
    return conclusionOf((await checkFile(bytes, outside)).checks).status
  } catch (fault) {
    return (fault as { exit_status?: number }).exit_status ?? 1
  }
}

/** A complete signature with another key is valid to a reader that knows no keys: it only names the stranger. */
const mustBeSeen = ({ kind, is_within_signature }: Forgery) =>
  !is_within_signature && /flipped|the signature left|of another document|appended/.test(kind)

async function isSeen({ bytes }: Forgery, file: string): Promise<boolean> {
  await writeFile(file, bytes)
  const output = await new Promise<string>((resolve) => {
    execFile('pdfsig', ['-nocert', file], (fault, stdout, stderr) => resolve(fault ? `${stderr}${stdout}` : stdout))
  })
  return !(output.includes('Signature is Valid.') && output.includes('Total document signed'))
}
