import type { IncomingHttpHeaders } from 'node:http'
import { MIMEType } from 'node:util'
import { Refusal } from '#domain/kernel/refusal.ts'

/**
 * Checks that a body is uncompressed JSON in UTF-8: another charset or an encoding would be misread.
 * @throws Refusal unsupported_media_type
 */
export function checkMediaType(headers: IncomingHttpHeaders): void {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  if (!isJsonInUtf8(type) || encoding !== 'identity') {
    throw new Refusal('unsupported_media_type', 'The body must be sent as application/json, in UTF-8 and not compressed.')
  }
}

function isJsonInUtf8(type: string): boolean {
  try {
    const { essence, params } = new MIMEType(type)
    // The parser drops a charset parameter that it cannot read.
    const charset = params.get('charset') ?? (/charset/i.test(type) ? 'unreadable' : 'utf-8')
    return essence === 'application/json' && ['utf-8', 'utf8'].includes(charset.toLowerCase())
  } catch {
    return false
  }
}
