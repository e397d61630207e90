import { createHash } from 'node:crypto'
import { correctionOf, productId, transmissionTime } from '#domain/archive/products/product.ts'
import type { Vtec } from '#domain/archive/warnings/vtec.ts'

/**
 * Returns what identifies a message: its product, its event code, and the first area that it names. No two segments of a
 * product name the same area under one code. A text and the alert made from it have the same key.
 */
export function messageKey(product_id: string, correction: string | null, vtec: Pick<Vtec, 'text'>, first_area: string): string {
  const product = correction ? `${product_id}-${correction}` : product_id
  const name = product.length > NAME_MAX ? createHash('sha256').update(product).digest('hex') : product
  return [name, vtec.text.slice(1, -1), first_area].join('/')
}

/** Returns the first Universal Geographic Code (TXC439) in sorted order; empty if there is none. */
export function firstArea(codes: readonly string[]): string {
  return codes.filter((code) => AREA.test(code)).toSorted()[0] ?? ''
}

const AREA = /^[A-Z]{2}[CZ]\d{3}$/
/** Characters: an alert's identifier has about 80, and an index key may have about 2,000. */
const NAME_MAX = 200

/** Returns the product that an alert was made from, as its parameters name it: "WUUS53 KOAX 262159" and "TOROAX". */
export function productOfAlert(heading: unknown, awips: unknown, sent_at: Date): { product_id: string; correction: string | null } | null {
  if (typeof heading !== 'string' || typeof awips !== 'string') return null
  const [, header, office, day, hour, minute, mark] =
    /^([A-Z]{4}\d{2}) ([A-Z]{4}) (\d{2})(\d{2})(\d{2})(?: ([A-Z]{3}))?$/.exec(heading) ?? []
  if (!header || !office || !/^[A-Z0-9]{4,6}$/.test(awips)) return null
  const at = transmissionTime(sent_at, Number(day), Number(hour), Number(minute))
  return at && { product_id: productId(at, office, header, awips), correction: correctionOf(mark) }
}
