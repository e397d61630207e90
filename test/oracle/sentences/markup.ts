/** Sections by their heading, without their pictures. */
export function sectionsOf(html: string): Map<string, string> {
  return new Map(
    [...html.replace(/<svg[\s\S]*?<\/svg>/g, '').matchAll(/<section[^>]*><h2>(.*?)<\/h2>([\s\S]*?)<\/section>/g)].map(
      ([, heading, body]) => [textOf(heading as string), body as string],
    ),
  )
}

export function textOf(html: string): string {
  return html
    .replace(/<\/?(span|b)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')
    .trim()
}

export const paragraphs = (html: string) => [...html.matchAll(/<p[^>]*>([\s\S]*?)<\/p>/g)].map(([, text]) => textOf(text as string))
export const rowsOf = (html: string) =>
  [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row]) =>
    [...(row as string).matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell]) => textOf(cell as string)),
  )

export function need(pattern: RegExp, text: string): string[] {
  const found = pattern.exec(text)
  if (!found) throw new Error(`cannot be read: "${text.slice(0, 160)}"`)
  return found as unknown as string[]
}
