import type { DocumentPage } from '#domain/reports/document/page.ts'
import type { PageContent } from '../../cli/verify/drawings.ts'
import type { Line } from '../../cli/verify/letters.ts'

/** Points: the sizes of the document's style by which the program knows its parts. */
const SIZES: Record<string, number> = { h1: 19, h2: 12.5, h3: 10.5 }
const BODY_SIZE = 9.5
/** Letters that fit a line of the page. */
const WIDTHS: Record<string, number> = { h1: 45, h2: 80 }
const BODY_WIDTH = 100

/** Elements that share a line with what is before them; all others begin a line of their own. */
const INLINE = new Set(['span', 'b', 'td', 'th', 'dt', 'dd'])
/** Cells, between which a reader of the page finds a space. */
const CELLS = new Set(['td', 'th', 'dt', 'dd'])

/** Returns a document's page as a program reads it from the print, in one long sheet: its lines, wrapped, with the size of each. */
export function linesOfDocument({ html, footer }: DocumentPage): PageContent {
  const body = html.slice(html.indexOf('<body>'))
  const foot = footer.replace(/<span class="(?:pageNumber|totalPages)"><\/span>/g, '1')
  return {
    lines: [...linesOf(body), { text: textOf(foot.replace(/<[^>]*>/g, ' ')), size: 9 }],
    size: { left: 0, bottom: 0, right: 612, top: 792 },
    pictures: [],
    drawings: [],
  }
}

function linesOf(markup: string): Line[] {
  const lines: Line[] = []
  let [text, element, is_capitals] = ['', '', false]
  const end = () => {
    const words = textOf(text)
    const size = SIZES[element] ?? BODY_SIZE
    if (words !== '')
      lines.push(...wrapped(is_capitals ? words.toUpperCase() : words, WIDTHS[element] ?? BODY_WIDTH).map((line) => ({ text: line, size })))
    text = ''
  }
  for (const [part, closing, name, rest] of markup.matchAll(/<(\/?)([a-z0-9]+)([^>]*)>|[^<]+/gi)) {
    if (name === undefined) text += part
    else if (CELLS.has(name)) text += ' '
    else if (!INLINE.has(name)) {
      end()
      element = closing ? '' : name
      is_capitals = / class="kind"/.test(rest ?? '')
    }
  }
  end()
  return lines
}

const textOf = (markup: string) =>
  markup
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&nbsp;', ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Breaks a text at spaces, as a browser does. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
