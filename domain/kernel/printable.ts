/**
 * Characters that no single-line name or address may have: control characters, line separators, lone surrogates, and characters
 * that change the text direction, which can make a name look like another.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u

/** Whether a text displays on one line without hidden or misleading characters. */
export const isPrintable = (text: string) => !UNPRINTABLE.test(text)

/** Returns the text without these characters, for a sentence that quotes it. */
export const withoutUnprintable = (text: string) => [...text].filter(isPrintable).join('')

/** Returns the sentence for a text that is not printable. @param subject "The name" */
export const unprintable = (subject: string) =>
  `${subject} must not contain control characters or characters that change the text direction.`

/**
 * Returns the text without the characters that change the text direction: in a message, a name with one can reverse the sentence
 * that quotes it. Letters of every script keep their own direction.
 */
export const withoutDirection = (text: string) => text.replace(/\p{Bidi_Control}/gu, '')
