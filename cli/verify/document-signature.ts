import type { X509Certificate } from 'node:crypto'
import { readFirst } from './der.ts'
import { checkSignedData } from './signed-data.ts'

/** The signature over a whole PDF, and its signer. */
export type DocumentSignature =
  | { state: 'none' }
  | { state: 'intact'; certificate: X509Certificate }
  /** The file was signed, but is not the file that was signed; why: words that follow "its signature". */
  | { state: 'broken'; why: string }

/** Reads the signature over a whole PDF from the file's bytes alone. */
export function readDocumentSignature(pdf: Buffer): DocumentSignature {
  const text = pdf.toString('latin1')
  if (!TRACES.some((trace) => text.includes(trace))) return { state: 'none' }
  try {
    return { state: 'intact', certificate: checkSignature(pdf, text) }
  } catch (fault) {
    return { state: 'broken', why: (fault as Error).message }
  }
}

/**
 * Texts that every signed file contains, in several places. After a change of one byte the others remain, so the file does not pass as
 * unsigned.
 */
const TRACES = ['/ByteRange', '/ETSI.CAdES.detached', '/adbe.pkcs7', '/SigFlags', '/DocMDP', '/Type /Sig', '/FT /Sig']

const RANGE = /\/ByteRange \[0 (\d+) (\d+) (\d+)\] *\n\/Contents </g

/** @throws Error if the signature does not cover every byte except its own, or does not match them */
function checkSignature(pdf: Buffer, text: string): X509Certificate {
  const ranges = [...text.matchAll(RANGE)]
  const [range] = ranges
  if (!range || ranges.length > 1 || text.indexOf('/ByteRange') !== text.lastIndexOf('/ByteRange')) throw new Error('has an unknown format')
  const [before, after, rest] = range.slice(1).map(Number) as [number, number, number]
  const opening = range.index + range[0].length - 1
  if (before !== opening || after + rest !== pdf.length) throw new Error('does not cover the whole file')
  const hex = /^<([0-9a-f]+)>$/.exec(text.slice(before, after))?.[1]
  if (!hex || hex.length % 2 !== 0) throw new Error('has an unknown format')
  const filled = Buffer.from(hex, 'hex')
  const { raw } = readFirst(filled)
  if (filled.subarray(raw.length).some((byte) => byte !== 0)) throw new Error('has an unknown format')
  return checkSignedData(raw, Buffer.concat([pdf.subarray(0, before), pdf.subarray(after)]))
}
