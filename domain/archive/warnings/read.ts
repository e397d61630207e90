import { featureSpans } from '#domain/archive/files/feature-spans.ts'
import { readAllBytes } from '#domain/archive/files/read-all-bytes.ts'
import { withSpan } from '#domain/archive/files/span.ts'
import { cleanText, decodeText, withoutZeroEscapes } from '#domain/archive/files/text.ts'
import { productSpans, readProduct } from '#domain/archive/products/product.ts'
import { type Batch, type Document, emptyBatch, type ParsedFile, singleBatch } from '#domain/archive/sources/source.ts'
import { readAlerts } from '#domain/archive/warnings/alerts.ts'
import { readWarningProduct, segmentSpans } from '#domain/archive/warnings/product-text.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { present } from '#domain/kernel/present.ts'
import { capitalize } from '#domain/kernel/text.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** All alerts in force in the country are about 5 MB on the worst days. */
const FILE_MAX = 64 * 1024 * 1024

/**
 * Reads warnings: a collection of api.weather.gov, or text products, one or several in a file.
 * @throws Refusal validation_failed on `file` if it is neither
 */
export async function readWarnings({ bytes }: Document): Promise<ParsedFile> {
  const raw = await readAllBytes(bytes, FILE_MAX)
  const text = decodeText(raw)
  const batch = text.trimStart().startsWith('{') ? readCollection(raw, text) : readProducts(raw)
  return { contents: { kind: 'warnings', compiled_on: null, year: null, covers: 'every_state' }, batches: singleBatch(batch) }
}

function readCollection(file: Buffer, text: string): Batch {
  const { messages, features, without_code, rejected } = alertsIn(text)
  const spans = featureSpans(file)
  return {
    ...emptyBatch(messages.length + without_code + rejected.length),
    warnings: messages.map((message, index) => withSpan(message, present(spans[present(features[index])]))),
    rejections: rejected.map(({ identifier, reason }) => ({ row: identifier, reason, source_key: null })),
  }
}

function alertsIn(text: string) {
  let body: unknown
  try {
    body = JSON.parse(withoutZeroEscapes(text))
  } catch {
    return refuseField('file', 'The collection of alerts is cut off or damaged.')
  }
  try {
    return readAlerts(body)
  } catch (fault) {
    return refuseField('file', `This is not a collection of alerts: ${messageOf(fault)}.`)
  }
}

function readProducts(file: Buffer): Batch {
  const text = file.toString('latin1')
  const batch = emptyBatch()
  const reject = (raw: string, fault: unknown) => {
    batch.rows += 1
    batch.rejections.push({ row: firstLine(raw), reason: `${capitalize(messageOf(fault))}.`, source_key: null })
  }
  let products = 0
  for (const { start, length } of productSpans(text)) {
    const raw = text.slice(start, start + length)
    try {
      const product = readProduct(decodeText(file.subarray(start, start + length)))
      products += 1
      const segments = segmentSpans(raw)
      const messages = readWarningProduct(product).flatMap((of, index) => {
        const span = present(segments[index])
        return of.map((message) => withSpan(message, { ...span, start: start + span.start }))
      })
      batch.rows += messages.length
      batch.warnings.push(...messages)
    } catch (fault) {
      reject(raw, fault)
    }
  }
  if (products === 0) refuseField('file', 'The file contains neither alerts nor a warning product.')
  return batch
}

/** Returns the header line, or else the first line with text. */
function firstLine(raw: string): string {
  const lines = raw.split(/[\r\n]+/).map((line) => line.trim())
  return cleanText((lines.find((line) => /^[A-Z]{4}\d{2} [A-Z]{4} /.test(line)) ?? lines.find((line) => line !== '') ?? '').slice(0, 60))
}
