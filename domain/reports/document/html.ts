/** Markup that is already safe to print. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | null | undefined | false | readonly Part[]

/** Fills values into markup: texts are escaped, markup and lists of it are inserted unchanged, null, undefined and false insert nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.reduce((all, text, index) => all + shown(parts[index - 1]) + text) }
}

function shown(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (Array.isArray(part)) return part.map(shown).join('')
  if (typeof part === 'object') return (part as Html).html
  return escapeHtml(String(part))
}

/** Escapes text for an element or a quoted attribute. Removes characters that change the direction of writing. */
export function escapeHtml(text: string): string {
  return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Marks our own markup, such as a drawing, as safe. */
export const raw = (text: string): Html => ({ html: text })

/** A sentence whose dates are not broken across lines. */
export function prose(text: string): Html {
  return raw(escapeHtml(text).replace(/\d{4}-\d{2}-\d{2}/g, '<span class="whole">$&</span>'))
}
