import { compileFunction } from 'node:vm'
import type { PublishedKey } from '#domain/reports/signing/published-keys.ts'
import { documentKeys } from '#rest/pages/verify.ts'
import { verifyScript } from '#rest/pages/verify-script.ts'

/** Runs the check of the page of a fingerprint, without a browser. Returns the class and the words of its verdict. */
export async function checkOnPage(bytes: Buffer, fingerprint: string, keys: PublishedKey[]): Promise<{ found: string; message: string }> {
  const dataset = { fingerprint, keys: JSON.stringify(documentKeys(keys)) }
  const element = { addEventListener: () => {} }
  const document = { body: { dataset }, getElementById: () => element, addEventListener: () => {} }
  const checkFile = compileFunction(`${verifyScript}\nreturn checkFile`, ['document'])(document)
  const [found, message] = await checkFile(new Uint8Array(bytes)).catch((fault: Error) => ['other', fault.message])
  return { found, message }
}
