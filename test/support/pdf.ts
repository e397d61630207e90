import { execFileSync } from 'node:child_process'
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib'

/** A word and its place on a page, in points from the top left. */
export interface PrintedWord {
  text: string
  left: number
  top: number
  right: number
  bottom: number
}

export interface PrintedPage {
  width: number
  height: number
  words: PrintedWord[]
}

/** The programs that a test of a document's appearance needs; not every machine has them. */
export const hasProgram = (name: string): boolean => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Part of a test's name. */
export const skippedWithout = (name: string) => (hasProgram(name) ? '' : ` (skipped: ${name} not present)`)

/** Returns every word of every page with its box, from poppler. */
export function wordsOf(file: string): PrintedPage[] {
  const found = execFileSync('pdftotext', ['-bbox', file, '-'], { maxBuffer: 256 * 1024 * 1024 }).toString()
  return found
    .split('<page ')
    .slice(1)
    .map((page) => {
      const [width, height] = [/width="([\d.]+)"/, /height="([\d.]+)"/].map((edge) => Number(edge.exec(page)?.[1])) as [number, number]
      const words = [...page.matchAll(/<word xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">(.*?)<\/word>/g)]
      return {
        width,
        height,
        words: words.map(([, left, top, right, bottom, text]) => ({
          text: text as string,
          left: Number(left),
          top: Number(top),
          right: Number(right),
          bottom: Number(bottom),
        })),
      }
    })
}

/** Returns the text of each page in content order, without white space and hyphens, which do not show where a line ended. */
export function textsOf(file: string): string[] {
  const pages = execFileSync('pdftotext', ['-raw', file, '-'], { maxBuffer: 256 * 1024 * 1024 })
    .toString()
    .split('\f')
  return pages.slice(0, -1).map(flat)
}

export const flat = (text: string) => text.replace(/[\s\u00ad\u2010-]+/g, '')

/** Points by which two boxes may overlap: letters reach over their own box. */
const TOUCH = 0.6

/** Returns words that run off their page, and pairs of words that overlap. */
export function faultsOf({ width, height, words }: PrintedPage): string[] {
  const outside = words.filter(({ left, top, right, bottom }) => left < 0 || top < 0 || right > width || bottom > height)
  const sorted = [...words].sort((one, other) => one.top - other.top)
  const covered = sorted.flatMap((one, place) => {
    const pairs: string[] = []
    for (let next = place + 1; next < sorted.length; next++) {
      const other = sorted[next] as PrintedWord
      if (other.top > one.bottom - TOUCH) break
      if (other.left < one.right - TOUCH && one.left < other.right - TOUCH) pairs.push(`${one.text} and ${other.text}`)
    }
    return pairs
  })
  return [...outside.map(({ text }) => `${text} leaves the page`), ...covered]
}

/** Returns the evidence that is attached to a document, byte by byte. */
export async function evidenceIn(pdf: Buffer): Promise<Buffer> {
  const [attached] = (await PDFDocument.load(pdf)).getAttachments()
  return Buffer.from(attached?.data as Uint8Array)
}

/** Returns what a screen reader gets from the document, and the fonts that are not embedded in the file. */
export async function structureOf(bytes: Buffer) {
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  const { catalog, context } = document
  const fonts = context
    .enumerateIndirectObjects()
    .map(([, object]) => object)
    .filter((object) => object instanceof PDFDict && object.get(PDFName.of('Type')) === PDFName.of('FontDescriptor')) as PDFDict[]
  const isEmbedded = (font: PDFDict) => ['FontFile', 'FontFile2', 'FontFile3'].some((name) => font.has(PDFName.of(name)))
  return {
    pages: document.getPageCount(),
    title: document.getTitle(),
    keywords: document.getKeywords(),
    language: catalog.get(PDFName.of('Lang'))?.toString(),
    has_tags: catalog.has(PDFName.of('StructTreeRoot')) && catalog.has(PDFName.of('MarkInfo')),
    has_outline: catalog.has(PDFName.of('Outlines')),
    fonts: fonts.length,
    fonts_outside: fonts.filter((font) => !isEmbedded(font)).map((font) => font.get(PDFName.of('FontName'))?.toString()),
    attached: document.getAttachments().map(({ name, data }) => ({ name, text: Buffer.from(data).toString('utf8') })),
    draws_text: context
      .enumerateIndirectObjects()
      .some(([, object]) => object instanceof PDFRawStream && Buffer.from(decodePDFRawStream(object).decode()).includes(' Tf')),
  }
}
