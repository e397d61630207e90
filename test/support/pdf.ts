import { execFileSync } from 'node:child_process'
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib'

/** A word of a page where it is printed, points from the top left. */
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

/** What makes a test of a document's looks: not every machine has these programs. */
export const hasProgram = (name: string): boolean => {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' })
    return true
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** For a test's name. */
export const skippedWithout = (name: string) => (hasProgram(name) ? '' : ` (skipped: ${name} not present)`)

/** Every word of every page with its box, as poppler finds them. */
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

/** The text of each page in the order of its content, without white space and hyphens: neither says where a line ended. */
export function textsOf(file: string): string[] {
  const pages = execFileSync('pdftotext', ['-raw', file, '-'], { maxBuffer: 256 * 1024 * 1024 })
    .toString()
    .split('\f')
  return pages.slice(0, -1).map(flat)
}

export const flat = (text: string) => text.replace(/[\s\u00ad\u2010-]+/g, '')

/** Points by which two boxes may touch: letters lean over their own box. */
const TOUCH = 0.6

/** Words that leave their page, and pairs of words of which one covers another. */
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

/** The evidence that is attached to a document, byte by byte. */
export async function evidenceIn(pdf: Buffer): Promise<Buffer> {
  const [attached] = (await PDFDocument.load(pdf)).getAttachments()
  return Buffer.from(attached?.data as Uint8Array)
}

/** What a reader that sees no page is given, and which fonts are not inside the file. */
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
