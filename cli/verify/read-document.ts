import type { Seen } from './drawings.ts'
import { linesOf } from './letters.ts'
import { type Operators, readPainting } from './painting.ts'

/** Visible content of a PDF, and its attachments. */
export interface ReadDocument {
  /** Of each page, what can be read on it, in the order of its content, and what is drawn. */
  pages: Seen[]
  /** The attached files by their names. */
  attachments: Map<string, Buffer>
  /** The document's keywords; empty if it has none. */
  keywords: string
  /** What a document of the service never has, in words that complete "page 2: ...". */
  faults: string[]
}

/**
 * Reads a PDF as a viewer would. Nothing in it is executed, and nothing is fetched.
 * @throws Error if it cannot be read as a PDF
 */
export async function readDocument(bytes: Buffer): Promise<ReadDocument> {
  const { getDocument, OPS } = await loadReader()
  const task = getDocument({
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    stopAtErrors: true,
    enableXfa: false,
    verbosity: 0,
  })
  try {
    const document = await task.promise
    const faults = [...revisionFaults(bytes), ...(await documentFaults(document))]
    const pages: Seen[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const { seen, faults: found } = await readPage(await document.getPage(number), OPS)
      pages.push(seen)
      faults.push(...found.map((fault) => `page ${number}: ${fault}`))
    }
    const { info } = (await document.getMetadata()) as { info: { Keywords?: string } }
    const attached = Object.values(((await document.getAttachments()) ?? {}) as Record<string, { filename: string; content: Uint8Array }>)
    return {
      pages,
      attachments: new Map(attached.map(({ filename, content }) => [filename, Buffer.from(content)])),
      keywords: info.Keywords ?? '',
      faults,
    }
  } finally {
    await task.destroy()
  }
}

type Reader = typeof import('unpdf/pdfjs')
type Document = Awaited<ReturnType<Reader['getDocument']>['promise']>
type Page = Awaited<ReturnType<Document['getPage']>>

/** Loaded only to verify a PDF. */
async function loadReader(): Promise<Reader> {
  // Node.js 20 lacks this method. The reader uses it to move buffers; copies work as well.
  const buffers = ArrayBuffer.prototype as { transferToFixedLength?: () => ArrayBuffer }
  buffers.transferToFixedLength ??= function (this: ArrayBuffer) {
    return this.slice(0)
  }
  return import('unpdf/pdfjs')
}

/** A document is written once. Data appended to a file could replace its objects. */
function revisionFaults(bytes: Buffer): string[] {
  const text = bytes.toString('latin1')
  const is_one =
    text.split('startxref').length === 2 && !/\/Prev\s+\d/.test(text.slice(text.lastIndexOf('trailer'))) && /%%EOF\s*$/.test(text)
  return is_one ? [] : ['something was appended to the file']
}

async function documentFaults(document: Document): Promise<string[]> {
  const [actions, opening, layers] = await Promise.all([
    document.getJSActions(),
    document.getOpenAction(),
    document.getOptionalContentConfig({ intent: 'any' }),
  ])
  return [
    ...(actions || opening ? ['it acts when it is opened'] : []),
    ...([...layers].length > 0 ? ['a part can be switched off and on'] : []),
    ...(document.isPureXfa ? ['its pages are made by a form'] : []),
  ]
}

async function readPage(page: Page, names: Reader['OPS']): Promise<{ seen: Seen; faults: string[] }> {
  const [left, bottom, right, top] = page.view as [number, number, number, number]
  const annotations = (await page.getAnnotations({ intent: 'any' })) as { subtype: string; fieldType?: string; rect: number[] }[]
  const operators = (await page.getOperatorList()) as Operators
  const size = { left, bottom, right, top }
  const { letters, pictures, drawings, faults } = readPainting(operators, names, size)
  return {
    seen: { lines: linesOf(letters), size, pictures, drawings },
    faults: [
      ...faults,
      ...(annotations.every(isSignatureField) ? [] : ['something lies on the page']),
      ...(page.rotate === 0 && page.userUnit === 1 ? [] : ['it is turned or enlarged']),
    ],
  }
}

/** The field of the document's signature has no size. */
const isSignatureField = ({ subtype, fieldType, rect }: { subtype: string; fieldType?: string; rect: number[] }) =>
  subtype === 'Widget' && fieldType === 'Sig' && rect.every((side) => side === 0)
