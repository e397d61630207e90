/**
 * What no name or address on one line has: control characters and line separators, halves of surrogate pairs, and marks that turn the
 * reading direction, by which a name can show as another.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/** Whether a text shows on one line as what it is. */
export const isPrintable = (text: string) => !UNPRINTABLE.test(text)
