import { decodePDFRawStream, PDFArray, PDFDict, type PDFDocument, PDFName, type PDFPage, PDFRawStream, PDFStream } from '@cantoo/pdf-lib'
import type { Random } from './random.ts'

/** A letter in a page's content: the position of its code, and its font. */
interface Shown {
  text: string
  font: string
  /** The position of the four hex digits of its code. */
  at: number
}

/** Texts that a reader takes for facts: a size, a speed, a rating, a distance, a date. */
const FACTS = /\d+\.\d\d in\b|\b\d+ mph|\bEF[0-5]\b|\b\d+\.\d+ mi [NESW]{1,3}\b|\b20\d\d-\d\d-\d\d\b/g

/**
 * Changes one digit of a fact on a page, in the page's own content and font.
 * @returns the fact before the change; null if there is none
 */
export function changeDigit(
  document: PDFDocument,
  page: PDFPage,
  random: Random,
  isEvidenceLine: (line: string) => boolean,
): string | null {
  const content = contentOf(page)
  const fonts = fontsOf(document, page)
  const shown = shownIn(content, fonts)
  const text = shown.map((letter) => letter.text).join('')
  const facts = [...text.matchAll(FACTS)].filter(({ index }) => isEvidenceLine(text.slice(Math.max(0, index - 60), index + 60)))
  if (facts.length === 0) return null
  const fact = random.pick(facts)
  const digits = [...fact[0].matchAll(/\d/g)].map(({ index }) => fact.index + index)
  const letter = shown[random.pick(digits)] as Shown
  const codes = [...(fonts.get(letter.font) ?? new Map<string, string>())].filter(
    ([, digit]) => /^\d$/.test(digit) && digit !== letter.text,
  )
  if (codes.length === 0) return null
  const [code] = random.pick(codes)
  setContent(document, page, content.slice(0, letter.at) + code + content.slice(letter.at + 4))
  return fact[0]
}

export function contentOf(page: PDFPage): string {
  const contents = page.node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray().map((ref) => page.doc.context.lookup(ref)) : [contents]
  return streams
    .map((stream) => (stream instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1') : ''))
    .join('\n')
}

export function setContent(document: PDFDocument, page: PDFPage, content: string): void {
  page.node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(Buffer.from(content, 'latin1'))))
}

/** By the name of each font of a page: its letters by their codes in hex. */
function fontsOf(document: PDFDocument, page: PDFPage): Map<string, Map<string, string>> {
  const fonts = page.node.Resources()?.lookup(PDFName.of('Font'), PDFDict)
  return new Map(
    (fonts?.entries() ?? []).map(([name, ref]) => {
      const unicode = (document.context.lookup(ref) as PDFDict).lookup(PDFName.of('ToUnicode'), PDFStream)
      const table = Buffer.from(decodePDFRawStream(unicode as PDFRawStream).decode()).toString('latin1')
      return [name.asString().slice(1), lettersOf(table)]
    }),
  )
}

function lettersOf(table: string): Map<string, string> {
  const letters = new Map<string, string>()
  const set = (code: number, unicode: number) => letters.set(code.toString(16).padStart(4, '0'), String.fromCodePoint(unicode))
  for (const [, body] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, code, unicode] of (body as string).matchAll(/<([0-9A-F]{4})>\s*<([0-9A-F]{4})>/gi)) set(parse(code), parse(unicode))
  for (const [, body] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, first, last, unicode] of (body as string).matchAll(/<([0-9A-F]{4})>\s*<([0-9A-F]{4})>\s*<([0-9A-F]{4})>/gi))
      for (let code = parse(first); code <= parse(last); code++) set(code, parse(unicode) + code - parse(first))
  return letters
}

const parse = (hex: string | undefined) => Number.parseInt(hex as string, 16)

function shownIn(content: string, fonts: Map<string, Map<string, string>>): Shown[] {
  const shown: Shown[] = []
  let font = ''
  for (const found of content.matchAll(/\/(\S+) [\d.]+ Tf|<((?:[0-9A-Fa-f]{4})+)>/g)) {
    const [, name, codes] = found
    if (name) font = name
    for (let at = 0; codes && at < codes.length; at += 4)
      shown.push({ font, at: found.index + 1 + at, text: fonts.get(font)?.get(codes.slice(at, at + 4).toLowerCase()) ?? '?' })
  }
  return shown
}
