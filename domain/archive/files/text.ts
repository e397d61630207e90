import { isUtf8 } from 'node:buffer'

/**
 * The text of an agency's file, or of a part of one that no letter is cut in two by: UTF-8 where its bytes are that, else windows-1252. The files
 * are ASCII with the odd accent or degree sign, say nowhere in what encoding, and have changed it over the years.
 */
export function decodeText(bytes: Buffer): string {
  return isUtf8(bytes)
    ? UTF_8.decode(bytes)
    : bytes.toString('latin1').replace(C1, (letter) => HIGH_LETTERS.charAt(letter.charCodeAt(0) - 0x80))
}

/** Without the byte order mark that a file may begin with. */
const UTF_8 = new TextDecoder()
/** What windows-1252 has where latin1 has control characters; the decoders of some releases of Node.js leave those. */
const HIGH_LETTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
const C1 = /[\u0080-\u009f]/g

/**
 * A source's text as the archive keeps it, so that the same words are the same bytes everywhere: Unicode NFC, line ends
 * `\n`, no space at the end of a line or of the text, no lone surrogates, no control characters but tab and line feed.
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

/** Nothing to do but the end: printable ASCII on one line, which is nearly every text. */
const PLAIN = /^[ -~]*$/
/** From where the space begins: a run of it within a line would be tried from each of its characters. */
const SPACE_AT_LINE_END = /(?<![^\S\n])[^\S\n]+$/gm
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g

/** A name that comes in capitals, with a capital for each word: ST. CLAIR is St. Clair. */
export function titleCase(name: string): string {
  return name.toLowerCase().replace(/(^|[\s.-])[a-z]/g, (start) => start.toUpperCase())
}
