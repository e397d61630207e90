import { Refusal } from '#domain/kernel/refusal.ts'

/** Of a JSON body: a batch of 100 rows in its variables. */
export const BODY_LIMIT = 4 * 1024 * 1024
/** Nothing that an operation takes nests deeper than a shape in a feature. */
const NESTING_MAX = 32

/**
 * Checks the body of a request before anything reads it, and hands its text on.
 * @throws Refusal malformed_json
 */
export function checkedBody(bytes: Buffer): string {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON in UTF-8.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('The body must be a JSON object.')
  checkPart(value, 1)
  return text
}

function checkPart(value: unknown, depth: number): void {
  if (typeof value === 'string') checkText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > NESTING_MAX) throw malformed(`The body must not be nested deeper than ${NESTING_MAX} levels.`)
  for (const [key, part] of Object.entries(value)) {
    if (key === '__proto__') throw malformed('The body must not have a key named __proto__.')
    checkText(key)
    checkPart(part, depth + 1)
  }
}

/** What no column can keep: in the document too, where a literal may stand. */
function checkText(text: string): void {
  if (text.includes('\u0000') || /\p{Surrogate}/u.test(text)) throw malformed('The body must not hold a NUL character or half a character.')
}

const malformed = (message: string) => new Refusal('malformed_json', message)
