import { isFailure } from '../failure.ts'
import { type Inclusion, includes, readInclusion } from '../log/inclusion.ts'
import { readTimestamp } from '../log/timestamp.ts'
import { readCitedFiles } from '../sources/cited-rows.ts'
import { compareSources } from '../sources/compare-sources.ts'
import { nameIn } from './certificate-name.ts'
import { type Check, checksOf } from './checks.ts'
import { comparePages, type PagesComparison } from './compare-pages.ts'
import { readDocumentSignature } from './document-signature.ts'
import { readEvidence } from './evidence.ts'
import type { Evidence } from './evidence-shape.ts'
import { fingerprintSignatureIn, keyIdOf } from './keys.ts'
import { compareOutside, type Outside } from './outside.ts'
import { type ReadDocument, readDocument } from './read-document.ts'
import { recordsFileFaults } from './records-file.ts'
import { unspaced } from './sections.ts'
import { type Summary, summaryOf } from './summary.ts'

export interface Verification {
  kind: 'document' | 'evidence'
  /** The fingerprint that the document states. */
  stated: string | null
  /** The version of the rules that the document states; null if it states none. */
  methodology_version: string | null
  /** The computed fingerprint of the evidence; null if no evidence could be read. */
  computed: string | null
  summary: Summary | null
  signed_by: { key_id: string; name: string } | null
  checks: Check[]
}

const PDF_MAGIC = '%PDF-'

/**
 * Checks a report's PDF, or its evidence file, for consistency and against facts outside it.
 * @param sourcesFile the list of cited files beside an evidence file; a PDF contains its own
 * @throws Failure 9 if the file is neither
 */
export async function checkFile(bytes: Buffer, outside: Outside, sourcesFile: Buffer | null = null): Promise<Verification> {
  return bytes.subarray(0, PDF_MAGIC.length).toString('latin1') === PDF_MAGIC
    ? checkDocument(bytes, outside)
    : checkEvidence(bytes, outside, sourcesFile)
}

async function checkEvidence(bytes: Buffer, outside: Outside, sourcesFile: Buffer | null): Promise<Verification> {
  const { evidence, fingerprint } = readEvidence(bytes.toString('utf8'))
  const claims = { fingerprint, fingerprint_signature: null, inclusion: null, document_key: null, service: null }
  return {
    kind: 'evidence',
    stated: null,
    methodology_version: null,
    computed: fingerprint,
    summary: summaryOf(evidence),
    signed_by: null,
    checks: [...(await checkSources(sourcesFile, { evidence, fingerprint }, outside)), ...(await compareOutside(claims, outside))],
  }
}

async function checkDocument(bytes: Buffer, outside: Outside): Promise<Verification> {
  const empty: Verification = {
    kind: 'document',
    stated: null,
    methodology_version: null,
    computed: null,
    summary: null,
    signed_by: null,
    checks: [],
  }
  const signature = readDocumentSignature(bytes)
  if (signature.state === 'broken')
    return {
      ...empty,
      checks: [
        differs('signature', `the file is not the one that was signed: its signature ${signature.why}; do not rely on anything in it`),
      ],
    }
  const document = await readDocument(bytes).catch(() => null)
  if (!document) return { ...empty, checks: [differs('pages', 'the file cannot be read as a PDF')] }
  const attached = readAttached(document)
  if (typeof attached === 'string') return { ...empty, checks: [differs('evidence', attached)] }

  const { evidence, fingerprint } = attached
  const stated = statedIn(document)
  const logged = checkInclusion(document, fingerprint)
  const pages = comparePages(document.pages, evidence, fingerprint)
  const certificate = signature.state === 'intact' ? signature.certificate : null
  const signed_by = certificate && { key_id: keyIdOf(certificate.publicKey), name: nameIn(certificate.subject) }
  const named = signerNamed(document)
  const claims = {
    fingerprint,
    fingerprint_signature: fingerprintSignatureIn(document.keywords),
    inclusion: logged?.inclusion ?? null,
    document_key: certificate?.publicKey ?? null,
    service: serviceNamed(document),
  }
  return {
    kind: 'document',
    stated,
    methodology_version: methodologyIn(document),
    computed: fingerprint,
    summary: summaryOf(evidence, pages.suspects, pages.stamp),
    signed_by,
    checks: [
      stated === fingerprint
        ? agrees('evidence', 'the attached evidence has the fingerprint that the document states')
        : differs('evidence', `the attached evidence has the fingerprint ${fingerprint}, but the document states ${stated ?? 'none'}`),
      ...pagesCheck([...document.faults, ...pages.faults], pages),
      ...(await checkRecordsFile(document, attached.evidence, pages)),
      signatureCheck(signed_by, named, pages.has_loss_section),
      ...(logged ? [logged.check] : []),
      ...checkTimestamp(document, logged?.inclusion ?? null),
      ...(await checkSources(document.attachments.get(SOURCES) ?? null, attached, outside)),
      ...(await compareOutside(claims, outside)),
    ],
  }
}

const { agrees, differs, notCompared } = checksOf({ outside: false })

/** Files that a document may have attached. */
const EVIDENCE = 'evidence.json'
const PROOF = 'log-inclusion.txt'
export const SOURCES = 'sources.json'
const STAMP = 'checkpoint.tst'
const RECORDS = 'records.csv'
const ATTACHED = new Set([EVIDENCE, SOURCES, RECORDS, PROOF, STAMP])

/** Reads the evidence attached to a document, which must be in canonical form. @returns the fault in words if there is one */
function readAttached({ attachments }: ReadDocument): ReturnType<typeof readEvidence> | string {
  const file = attachments.get(EVIDENCE)
  const unexpected = [...attachments.keys()].filter((name) => !ATTACHED.has(name))
  if (!file) return `the document has no attached ${EVIDENCE}, which every report has`
  if (unexpected.length > 0) return `the document has attached files that no report has: ${unexpected.join(', ')}`
  try {
    const read = readEvidence(file.toString('utf8'))
    return read.is_canonical ? read : 'the attached evidence is not canonical JSON (RFC 8785)'
  } catch {
    return `the attached ${EVIDENCE} is not the evidence of a weather report`
  }
}

/** Checks that the table of records agrees with the evidence and the pages, and is attached if the pages leave records to it. */
async function checkRecordsFile({ attachments }: ReadDocument, { records }: Evidence, pages: PagesComparison): Promise<Check[]> {
  const file = attachments.get(RECORDS)
  if (!file) return pages.has_table ? [differs('records', `the pages refer to ${RECORDS} for more records, but it is not attached`)] : []
  const faults = await recordsFileFaults(file, records, pages)
  return faults.length === 0
    ? [agrees('records', `${RECORDS} contains the ${records.length} records of the evidence`)]
    : faults.map((fault) => differs('records', `${RECORDS} ${fault}`))
}

/** Checks the list of cited files if there is one. With files of the agencies, compares the rows that it names. */
async function checkSources(
  list: Buffer | null,
  { evidence, fingerprint }: Pick<ReturnType<typeof readEvidence>, 'evidence' | 'fingerprint'>,
  { sources = [] }: Outside,
): Promise<Check[]> {
  if (list === null)
    return sources.length === 0
      ? []
      : [notCompared('source', `the report has no ${SOURCES}, which states where its records are in the agencies' files`)]
  try {
    const cited = readCitedFiles(list.toString('utf8'), evidence, fingerprint)
    return sources.length === 0 ? [] : await compareSources(sources, cited)
  } catch (fault) {
    if (isFailure(fault)) throw fault
    return [differs('source', `${SOURCES} ${(fault as Error).message}`)]
  }
}

/** Checks the document's proof that it is in the log; null if it mentions no log, because the report is older than the log. */
function checkInclusion(document: ReadDocument, fingerprint: string): { check: Check; inclusion: Inclusion | null } | null {
  const file = document.attachments.get(PROOF)
  if (!file) {
    if (!/Logoffingerprintsentry\d+of/.test(unspaced(textOf(document.pages)))) return null
    return { check: differs('log', `the pages state that the report is in a log, but the proof ${PROOF} is not attached`), inclusion: null }
  }
  try {
    const inclusion = readInclusion(file.toString('utf8'))
    const { index, checkpoint } = inclusion
    const place = `entry ${index} of the ${checkpoint.size} in the log ${checkpoint.origin}`
    if (includes(inclusion, fingerprint))
      return { check: agrees('log', `the fingerprint is ${place}, by the attached proof and its checkpoint`), inclusion }
    return { check: differs('log', `the fingerprint is not ${place}: the attached proof is for something else`), inclusion: null }
  } catch (fault) {
    return { check: differs('log', `the attached ${PROOF} cannot be read: ${(fault as Error).message}`), inclusion: null }
  }
}

/** Checks the time stamp of the checkpoint. It counts only if that checkpoint contains the fingerprint. */
function checkTimestamp({ attachments }: ReadDocument, inclusion: Inclusion | null): Check[] {
  const token = attachments.get(STAMP)
  if (!token) return []
  if (!inclusion)
    return [differs('timestamp', `the attached ${STAMP} is for a checkpoint, but the file has no valid proof that this report is in it`)]
  try {
    const stamp = readTimestamp(token, inclusion.checkpoint.text)
    if (!stamp)
      return [notCompared('timestamp', `the attached ${STAMP} uses algorithms that this program does not support; try openssl ts -verify`)]
    const { at, authority, certified_by } = stamp
    const whom = certified_by === authority ? 'certified by itself' : `certified by ${certified_by}`
    return [
      agrees(
        'timestamp',
        `${authority}, ${whom}, stamped the checkpoint at ${at.toISOString()}; the file cannot show whether to trust this authority`,
      ),
    ]
  } catch (fault) {
    return [differs('timestamp', `the attached time stamp ${(fault as Error).message}`)]
  }
}

const methodologyIn = ({ keywords }: ReadDocument) => /\bmethodology:([\w.-]{1,20})/.exec(keywords)?.[1] ?? null

const statedIn = ({ keywords }: ReadDocument) => /weather-report fingerprint:([0-9a-f]{64})/.exec(keywords)?.[1] ?? null

/** The most faults that are named: a forged page may have one per figure. */
const FAULTS_SHOWN = 5

function pagesCheck(faults: string[], { lists_records, has_table }: Pick<PagesComparison, 'lists_records' | 'has_table'>): Check[] {
  if (faults.length === 0)
    return [
      agrees(
        'pages',
        `the text of the pages agrees with the evidence${has_table ? ', for each printed record' : lists_records ? ', record by record' : '; they do not list the records'}`,
      ),
    ]
  const named = faults.slice(0, FAULTS_SHOWN).map((fault) => differs('pages', fault))
  return faults.length > FAULTS_SHOWN ? [...named, differs('pages', `and ${faults.length - FAULTS_SHOWN} more`)] : named
}

/**
 * Pages that name a signing key were signed with it: without that signature, the file is not the one that was printed. Only the signature
 * binds the sentences about a date of loss to the evidence, and every document that has them was printed with one.
 */
function signatureCheck(signed_by: Verification['signed_by'], named: string | null, has_loss_section: boolean): Check {
  if (named === null && has_loss_section)
    return differs('signature', 'every document with a date of loss names the key that signed it, but this one names none')
  if (signed_by && (named === null || named === signed_by.key_id))
    return agrees('signature', `no byte of the file was changed since ${signed_by.name} signed it with the key ${signed_by.key_id}`)
  if (signed_by) return differs('signature', `the file is signed with the key ${signed_by.key_id}, but its pages name the key ${named}`)
  if (named) return differs('signature', `the pages state that the key ${named} signed the file, but the file has no signature`)
  return notCompared('signature', 'the file is not signed as a whole: only the text of its pages was compared with the evidence')
}

/** Returns the key that the pages name: "Signed as a whole by ..., key 0123456789abcdef". */
function signerNamed({ pages }: ReadDocument): string | null {
  return /Signedasawholeby.*?,key([0-9a-f]{16});/.exec(unspaced(textOf(pages)))?.[1] ?? null
}

/** Returns the URL of the service: the part before /verify/ of the URL that the pages print. */
function serviceNamed({ pages }: ReadDocument): string | null {
  return /Page(https?:\/\/[^\s]+?)\/verify\/[0-9a-f]{64}/.exec(unspaced(textOf(pages)))?.[1] ?? null
}

const textOf = (pages: ReadDocument['pages']) => pages.flatMap(({ lines }) => lines.map(({ text }) => text)).join('\n')
