import { PDFDict, PDFDocument, PDFName, type PDFPage, PDFRawStream, PDFRef, PDFString, rgb, StandardFonts } from '@cantoo/pdf-lib'
import { encode } from 'fast-png'
import type { AttachedEvidence } from '#domain/reports/document/attach.ts'
import { sealDocument } from '#domain/reports/document/seal-document.ts'
import type { DocumentKey } from '#domain/reports/signing/document-key.ts'
import { addSignatureField, signDocument } from '#domain/reports/signing/sign-document.ts'
import { unsignedDocument } from '#test/support/unsigned-document.ts'
import type { Genuine } from './genuine.ts'
import type { Random } from './random.ts'
import { changeDigit, contentOf, setContent } from './repaint.ts'

/** A file that was made from a genuine one, or instead of it. */
export interface Forgery {
  kind: string
  /** A description of the change, to find it again. */
  what: string
  bytes: Buffer
  /** Whether it has a signature that a PDF reader checks. */
  is_signed: boolean
  /** Whether only bytes of the signature itself were changed, some of which readers ignore. */
  is_within_signature?: boolean
}

export interface Stock {
  documents: Genuine[]
  /** A stranger's key, which no service publishes. */
  unpublishedKey: DocumentKey
}

type Forge = (stock: Stock, random: Random) => Promise<Omit<Forgery, 'kind'> | null>

/**
 * Makes forgeries of each kind, with their share of a hundred: the changes that a machine or a careless hand makes
 * are the most frequent.
 */
export const kinds: Record<string, { share: number; forge: Forge }> = {
  'a flipped bit': { share: 45, forge: flipBit },
  'a changed byte in the signature': { share: 8, forge: changeSignature },
  'objects in the room of the signature': { share: 1, forge: fillSignature },
  'other certificates in the signature': { share: 1, forge: changeCertificate },
  'a digit repainted, the signature left': { share: 3, forge: (stock, random) => repaint(stock, random, 'left') },
  'a digit repainted, the signature taken out': { share: 6, forge: (stock, random) => repaint(stock, random, 'none') },
  'a digit repainted, signed by another': { share: 3, forge: (stock, random) => repaint(stock, random, 'another') },
  'a figure painted over with text': { share: 5, forge: paintOver('text') },
  'a figure painted over with a picture': { share: 4, forge: paintOver('picture') },
  'a figure drawn': { share: 3, forge: paintOver('drawing') },
  'a note laid on the page': { share: 3, forge: addNote },
  'a page left out or turned': { share: 2, forge: changePages },
  'other evidence attached': { share: 6, forge: swapEvidence },
  'another’s signature': { share: 4, forge: signByAnother },
  'the signature of another document': { share: 1, forge: moveSignature },
  'a wholly new PDF': { share: 5, forge: makeNew },
  'a wholly new PDF of pictures': { share: 1, forge: makeOfPictures },
  'an update appended': { share: 4, forge: appendUpdate },
}

// ---------------------------------------------------------------- bytes

async function flipBit({ documents }: Stock, random: Random) {
  const { pdf } = random.pick(documents)
  const bytes = Buffer.from(pdf)
  const [at, bit] = [random.below(bytes.length), random.below(8)]
  bytes[at] = (bytes[at] as number) ^ (1 << bit)
  const [from, until] = holeOf(pdf)
  return { what: `bit ${bit} of byte ${at}`, bytes, is_signed: true, is_within_signature: at >= from && at < until }
}

/** Changes a byte of the signature itself, or of its padding: the only bytes that it does not sign. */
async function changeSignature({ documents }: Stock, random: Random) {
  const bytes = Buffer.from(random.pick(documents).pdf)
  const [from, until] = holeOf(bytes)
  const at = from + random.below(until - from)
  const before = String.fromCharCode(bytes[at] as number)
  bytes[at] = random.pick([...'0123456789abcdefABCDEF'].filter((digit) => digit !== before)).charCodeAt(0)
  return { what: `byte ${at} of the signature from ${from}`, bytes, is_signed: true }
}

/** Writes objects behind the signature, into its padding. */
async function fillSignature({ documents }: Stock, random: Random) {
  const bytes = Buffer.from(random.pick(documents).pdf)
  const [, until] = holeOf(bytes)
  const objects = '>>>\nendobj\n9 0 obj\n<</Type/Page>>\nendobj\n<<<'
  const at = until - objects.length - random.below(100)
  bytes.write(objects, at, 'latin1')
  return { what: `at ${at}`, bytes, is_signed: true }
}

/** Changes a letter of the name in the signer's certificate, which the signature covers only by its hash. */
async function changeCertificate({ documents }: Stock, random: Random) {
  const bytes = Buffer.from(random.pick(documents).pdf)
  const [from, until] = holeOf(bytes)
  // The object identifier of a common name (2.5.4.3), and then the tag and the length of the name.
  const name = bytes.subarray(from, until).lastIndexOf('0603550403') + 14
  if (name < 14) throw new Error('the signature has no certificate with a name')
  const at = from + name + 1
  bytes[at] = bytes[at] === 0x31 ? 0x32 : 0x31
  return { what: `byte ${at}`, bytes, is_signed: true, is_within_signature: true }
}

/** Returns where the signature's hex digits begin and end. */
function holeOf(bytes: Buffer): [number, number] {
  const from = bytes.indexOf('/Contents <', bytes.indexOf('/ByteRange')) + '/Contents <'.length
  return [from, bytes.indexOf('>', from)]
}

// ---------------------------------------------------------------- pages

/** Lines in which a document must match its evidence: not the customer's name and text, the time of the report, or how it was compiled. */
const isEvidenceLine = (line: string) =>
  !/Reference|Recipient|Address as sent|Generated|UTC|Compiled|compiled|severe line|horizon|DOL|loss of|Final records|Restoration/.test(
    line,
  )

async function repaint({ documents, unpublishedKey }: Stock, random: Random, signature: 'left' | 'none' | 'another') {
  const genuine = random.pick(documents)
  const document = await load(signature === 'left' ? genuine.pdf : genuine.older)
  const pages = document.getPages()
  for (let tries = 0; tries < pages.length * 2; tries++) {
    const page = random.below(pages.length)
    const fact = changeDigit(document, pages[page] as PDFPage, random, isEvidenceLine)
    if (fact !== null) return { what: `page ${page + 1}: ${fact}`, ...(await saved(document, signature, unpublishedKey)) }
  }
  return null
}

const load = (pdf: Buffer) => PDFDocument.load(pdf, { updateMetadata: false })

async function saved(document: PDFDocument, signature: 'left' | 'none' | 'another', unpublishedKey: DocumentKey) {
  if (signature === 'another') addSignatureField(document, unpublishedKey, new Date())
  const bytes = Buffer.from(await document.save({ useObjectStreams: false }))
  return { bytes: signature === 'another' ? await signDocument(bytes, unpublishedKey) : bytes, is_signed: signature !== 'none' }
}

/** Paints anywhere on the first two pages, over text or next to it. */
function paintOver(by: 'text' | 'picture' | 'drawing'): Forge {
  return async ({ documents, unpublishedKey }, random) => {
    const document = await load(random.pick(documents).older)
    const page = random.pick(document.getPages().slice(0, 2))
    const [x, y] = [40 + random.below(300), 120 + random.below(520)]
    const box = { x, y, width: 120, height: 26 }
    if (by === 'picture') page.drawImage(await document.embedPng(aPicture()), box)
    else if (by === 'drawing') page.drawSvgPath(A_FIVE, { x, y: y + 20 })
    else {
      page.drawRectangle({ ...box, color: rgb(1, 1, 1) })
      page.drawText('0.50 in', { x: x + 4, y: y + 8, size: 11, font: await document.embedFont(StandardFonts.Helvetica) })
    }
    return { what: `at ${x}, ${y}`, ...(await saved(document, random.pick(['none', 'another'] as const), unpublishedKey)) }
  }
}

/** The outline of a digit. */
const A_FIVE = 'M12 0 L2 0 L1 9 C5 6 11 8 11 13 C11 18 4 19 1 16 L0 18 C5 22 14 20 14 13 C14 6 8 4 4 6 L4 2 L12 2 Z'

/** White: it could show any figure. */
const aPicture = () => encode({ width: 8, height: 4, data: new Uint8Array(8 * 4 * 3).fill(255), channels: 3 })

async function addNote({ documents, unpublishedKey }: Stock, random: Random) {
  const document = await load(random.pick(documents).older)
  const page = random.pick(document.getPages())
  const subtype = random.pick(['FreeText', 'Stamp', 'Square', 'Text'])
  const note = document.context.obj({
    Type: 'Annot',
    Subtype: subtype,
    Rect: [60, 500, 300, 540],
    Contents: PDFString.of('0.50 in'),
    DA: PDFString.of('/Helv 12 Tf 0 g'),
  })
  page.node.set(PDFName.of('Annots'), document.context.obj([document.context.register(note)]))
  const { bytes, is_signed } = await saved(document, 'none', unpublishedKey)
  return { what: subtype, bytes, is_signed }
}

async function changePages({ documents, unpublishedKey }: Stock, random: Random) {
  const document = await load(random.pick(documents).older)
  const page = random.below(document.getPageCount())
  const change = random.pick(['left out', 'moved to the end', 'cropped', 'covered by its own content again'])
  if (change === 'left out') document.removePage(page)
  else if (change === 'moved to the end') {
    if (page === document.getPageCount() - 1) return null
    const [copy] = await document.copyPages(document, [page])
    document.removePage(page)
    document.addPage(copy as PDFPage)
  } else if (change === 'cropped') document.getPage(page).setCropBox(0, 300, 612, 492)
  else {
    const only = document.getPage(page)
    const content = contentOf(only)
    setContent(document, only, `${content}\nq 1 1 1 rg 100 100 300 560 re f Q`)
  }
  return { what: `page ${page + 1} ${change}`, ...(await saved(document, 'none', unpublishedKey)) }
}

// ---------------------------------------------------------------- evidence and signatures

/** Attaches another report's evidence, or this one's with a changed fact; the stated fingerprint is changed with it or not. */
async function swapEvidence({ documents, unpublishedKey }: Stock, random: Random) {
  const [genuine, other] = random.below(2) ? documents : documents.toReversed()
  if (!genuine || !other) return null
  const changed = random.below(2) ? other.evidence : changedFact(genuine.evidence, random)
  const { createHash } = await import('node:crypto')
  const fingerprint = random.below(2) ? genuine.fingerprint : createHash('sha256').update(changed).digest('hex')
  const printed = await withoutEvidence(genuine.older)
  const attached = attachedBy(fingerprint, changed)
  const is_signed = random.below(2) === 1
  const bytes = is_signed ? await sealDocument(printed, attached, unpublishedKey, new Date()) : await unsignedDocument(printed, attached)
  return { what: changed === other.evidence ? 'of another report' : 'with a fact changed', bytes, is_signed }
}

function changedFact(evidence: string, random: Random): string {
  const facts = [...evidence.matchAll(/"(?:hail_size_in|wind_gust_mph|distance_miles)":"(\d+)\.(\d)|"occurred_on":"20\d\d-\d\d-0(\d)/g)]
  const fact = random.pick(facts)
  const at = fact.index + fact[0].length - 1
  const digit = (Number(evidence[at]) + 1 + random.below(8)) % 10
  return evidence.slice(0, at) + digit + evidence.slice(at + 1)
}

const attachedBy = (fingerprint: string, evidence: string): AttachedEvidence => ({
  title: 'Weather report',
  fingerprint,
  methodology_version: null,
  evidence,
  at: new Date(),
  signature: null,
  attachments: [],
})

async function withoutEvidence(pdf: Buffer): Promise<Buffer> {
  const document = await load(pdf)
  document.catalog.delete(PDFName.of('Names'))
  document.catalog.delete(PDFName.of('AF'))
  return Buffer.from(await document.save({ useObjectStreams: false }))
}

/** Changes only the signer: of a file whose pages name the signer, or of one from before signatures. */
async function signByAnother({ documents, unpublishedKey }: Stock, random: Random) {
  const genuine = random.pick(documents)
  const document = await load(random.below(2) ? genuine.older : genuine.pdf)
  for (const name of ['AcroForm', 'Perms']) document.catalog.delete(PDFName.of(name))
  for (const [ref, object] of document.context.enumerateIndirectObjects())
    if (object instanceof PDFDict && object.get(PDFName.of('Type')) === PDFName.of('Sig')) document.context.delete(ref)
  return { what: 'signed anew', ...(await saved(document, 'another', unpublishedKey)) }
}

/** Replaces the signature with one that the service made for another file. */
async function moveSignature({ documents }: Stock, random: Random) {
  const [one, other] = random.below(2) ? documents : documents.toReversed()
  if (!one || !other) return null
  const bytes = Buffer.from(one.pdf)
  const [from, until] = holeOf(bytes)
  const [other_from, other_until] = holeOf(other.pdf)
  if (until - from !== other_until - other_from) return null
  other.pdf.copy(bytes, from, other_from, other_until)
  return { what: 'of the other report', bytes, is_signed: true }
}

// ---------------------------------------------------------------- new files

/** The forger's own pages about half an inch, with the genuine evidence or with evidence made for them. */
async function makeNew({ documents, unpublishedKey }: Stock, random: Random) {
  const genuine = random.pick(documents)
  const document = await PDFDocument.create()
  const page = document.addPage([612, 792])
  const font = await document.embedFont(StandardFonts.Helvetica)
  const short = (genuine.fingerprint.slice(0, 16).toUpperCase().match(/.{4}/g) ?? []).join(' ')
  const lines = [
    'Weather report',
    '100 Main St, Frisco, TX 75034',
    'FINAL',
    'Three questions',
    'What size?',
    'Hail reported 0.50 in (measured) 0.82 mi SW 2025-05-28',
    'Verification',
    genuine.fingerprint,
    `This report compiles archived public weather records. Not affiliated with any agency. ${short} 1/1`,
  ]
  for (const [at, line] of lines.entries()) page.drawText(line, { x: 40, y: 740 - at * 20, size: 9, font })
  return ownFile(document, genuine, unpublishedKey, random)
}

async function makeOfPictures({ documents, unpublishedKey }: Stock, random: Random) {
  const genuine = random.pick(documents)
  const document = await PDFDocument.create()
  const picture = await document.embedPng(aPicture())
  for (let pages = 0; pages < 5; pages++) document.addPage([612, 792]).drawImage(picture, { x: 0, y: 0, width: 612, height: 792 })
  return ownFile(document, genuine, unpublishedKey, random)
}

async function ownFile(document: PDFDocument, genuine: Genuine, unpublishedKey: DocumentKey, random: Random) {
  const printed = Buffer.from(await document.save({ useObjectStreams: false }))
  const evidence = random.below(2) ? genuine.evidence : genuine.evidence.replaceAll('"hail_size_in":"2.00"', '"hail_size_in":"0.50"')
  const { createHash } = await import('node:crypto')
  const attached = attachedBy(createHash('sha256').update(evidence).digest('hex'), evidence)
  const is_signed = random.below(2) === 1
  const bytes = is_signed ? await sealDocument(printed, attached, unpublishedKey, new Date()) : await unsignedDocument(printed, attached)
  return { what: evidence === genuine.evidence ? 'around the true evidence' : 'around evidence of its own', bytes, is_signed }
}

/** Appends as editors do: new objects after the old end of the file replace the earlier ones. */
async function appendUpdate({ documents }: Stock, random: Random) {
  const genuine = random.pick(documents)
  const pdf = random.below(2) ? genuine.pdf : genuine.older
  const document = await load(pdf)
  const page = random.pick(document.getPages())
  const ref = page.node.get(PDFName.of('Contents'))
  if (!(ref instanceof PDFRef) || !(document.context.lookup(ref) instanceof PDFRawStream)) return null
  const content = contentOf(page).replace(/<([0-9a-f]{4})> Tj/, '<0001> Tj')
  const text = pdf.toString('latin1')
  const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1]
  const [, size, root] = /\/Size (\d+)\s*\/Root (\d+ \d+ R)/.exec(text.slice(text.lastIndexOf('trailer'))) ?? []
  const object = `\n${ref.objectNumber} 0 obj\n<< /Length ${content.length} >>\nstream\n${content}\nendstream\nendobj\n`
  const table = pdf.length + object.length
  const offset = String(pdf.length + 1).padStart(10, '0')
  const rest = `xref\n${ref.objectNumber} 1\n${offset} 00000 n \ntrailer\n<< /Size ${size} /Root ${root} /Prev ${before} >>\nstartxref\n${table}\n%%EOF\n`
  return {
    what: `object ${ref.objectNumber}`,
    bytes: Buffer.concat([pdf, Buffer.from(object + rest, 'latin1')]),
    is_signed: pdf === genuine.pdf,
  }
}
