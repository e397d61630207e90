import { productsIn } from '#domain/archive/products/product.ts'
import { type Batch, type Document, emptyBatch, oneBatch, type Reading } from '#domain/archive/sources/source.ts'
import { readAlerts } from '#domain/archive/warnings/alerts.ts'
import { readWarningProduct } from '#domain/archive/warnings/product-text.ts'
import { wholeOf } from '#domain/archive/whole.ts'
import { refuseField } from '#domain/check.ts'

/** Every alert in force in the country is some 5 MB on the worst days. */
const FILE_MAX = 64 * 1024 * 1024

/**
 * Reads warnings: a collection of api.weather.gov, or text products, one or several in a file.
 * @throws Refusal validation_failed on `file` where it is neither
 */
export async function readWarnings({ bytes }: Document): Promise<Reading> {
  const raw = await wholeOf(bytes, FILE_MAX)
  const text = raw.toString('utf8')
  const batch = text.trimStart().startsWith('{') ? readCollection(text) : readProducts(raw.toString('latin1'))
  return { contents: { kind: 'warnings', compiled_on: null, year: null, covers: 'every_state' }, batches: oneBatch(batch) }
}

function readCollection(text: string): Batch {
  const { messages, without_code, rejected } = alertsIn(text)
  return {
    ...emptyBatch(messages.length + without_code + rejected.length),
    warnings: messages,
    rejections: rejected.map(({ identifier, reason }) => ({ row: identifier, reason, source_key: null })),
  }
}

function alertsIn(text: string) {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return refuseField('file', 'The collection of alerts is cut off or damaged.')
  }
  try {
    return readAlerts(body)
  } catch (fault) {
    return refuseField('file', `This is no collection of alerts: ${(fault as Error).message}.`)
  }
}

function readProducts(text: string): Batch {
  const batch = emptyBatch()
  for (const product of productsIn(text)) {
    try {
      const messages = readWarningProduct(product)
      batch.rows += Math.max(1, messages.length)
      batch.warnings.push(...messages)
    } catch (fault) {
      batch.rows += 1
      batch.rejections.push({ row: product.trim().split('\n')[0]?.slice(0, 60) ?? '', reason: (fault as Error).message, source_key: null })
    }
  }
  if (batch.warnings.length === 0 && batch.rejections.length === batch.rows)
    refuseField('file', 'The file holds neither alerts nor a warning product.')
  return batch
}
