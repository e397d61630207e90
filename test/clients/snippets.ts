import { readdir, readFile } from 'node:fs/promises'

/** A code snippet in the documentation. */
export interface Snippet {
  /** The file that contains it, and the line. */
  at: string
  /** How it is run: sh, ts, `ts server`, js or json; null if it is only shown. */
  run: string | null
  /** Why it is not run. */
  reason: string
  /** For JSON: the request whose response it is, or the schema that it matches. */
  answers: string
  schema: string
  code: string
}

/** Every snippet of the guide and of the client's README. */
export async function documentedSnippets(): Promise<Snippet[]> {
  const folder = 'rest/pages/docs/guide'
  const chapters = await Promise.all((await readdir(folder)).map(async (name) => inHtml(`${folder}/${name}`)))
  return [...chapters.flat(), ...(await inMarkdown('clients/typescript/README.md'))]
}

async function inHtml(file: string): Promise<Snippet[]> {
  const text = await readFile(file, 'utf8')
  return [...text.matchAll(/<pre([^>]*)><code>([\s\S]*?)<\/code><\/pre>/g)].map(({ index, 1: attributes = '', 2: code = '' }) => {
    const attribute = (name: string) => new RegExp(`data-${name}=(["'])(.*?)\\1`).exec(attributes)?.[2] ?? ''
    const at = `${file}:${lineAt(text, index)}`
    return {
      at,
      run: attribute('run') || null,
      reason: attribute('shown'),
      answers: attribute('answers'),
      schema: attribute('schema'),
      code: plain(code),
    }
  })
}

async function inMarkdown(file: string): Promise<Snippet[]> {
  const text = await readFile(file, 'utf8')
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: run = '', 2: code = '' }) => {
    return { at: `${file}:${lineAt(text, index)}`, run: run || null, reason: '', answers: '', schema: '', code }
  })
}

const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length

const plain = (html: string) => html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
