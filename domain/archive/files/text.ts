import { isUtf8 } from 'node:buffer'

/**
 * Decodes an agency's file, or a part of one that cuts no letter in two: as UTF-8 if the bytes are valid UTF-8, else as
 * windows-1252, and drops zero characters. The files are ASCII with the odd accent or degree sign, do not declare their
 * encoding, and have changed it over the years.
 */
export function decodeText(bytes: Buffer): string {
  return withoutZeros(
    isUtf8(bytes)
      ? UTF_8.decode(bytes)
      : bytes.toString('latin1').replace(C1, (letter) => HIGH_LETTERS.charAt(letter.charCodeAt(0) - 0x80)),
  )
}

/** Drops the zero characters of a text: the database stores none, so one of them would fail the whole batch. */
export function withoutZeros(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text
}

/** Drops the escaped zero characters of JSON, for the same reason. */
export function withoutZeroEscapes(json: string): string {
  return json.includes(ZERO_ESCAPE) ? json.replace(ESCAPES, (found) => (found === ZERO_ESCAPE ? '' : found)) : json
}

const ZERO_ESCAPE = '\\u0000'
/** Every escape, so that the second backslash of an escaped one begins none. */
const ESCAPES = /\\(?:u0000|.)/gs

/** Drops a leading byte order mark. */
const UTF_8 = new TextDecoder()
/**
 * The windows-1252 letters at the code points where latin1 has control characters. Some releases of Node.js leave those
 * control characters in place.
 */
const HIGH_LETTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const C1 = /[\u0080-\u009f]/g

/**
 * Normalizes a source's text for the archive, so that the same words are the same bytes everywhere: Unicode NFC, line ends
 * `\n`, no space at the end of a line or of the text, no lone surrogates, no control characters except tab and line feed.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text.trimEnd()
  return text
    .replace(/\r\n?/g, '\n')
    .replace(LONE_SURROGATES, '')
    .replace(CONTROLS, '')
    .normalize('NFC')
    .replace(SPACE_AT_LINE_END, '')
    .trimEnd()
}

/** Only the end needs trimming: printable ASCII on one line, as nearly every text is. */
const PLAIN = /^[ -~]*$/
/** The lookbehind matches from the start of the space: otherwise a run of it within a line would be tried from each of its characters. */
const SPACE_AT_LINE_END = /(?<![^\S\n])[^\S\n]+$/gm
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** Turns a name in capitals into one with a capital for each word: ST. CLAIR becomes St. Clair. */
export function titleCase(name: string): string {
  return name.toLowerCase().replace(/(^|[\s.-])[a-z]/g, (start) => start.toUpperCase())
}
