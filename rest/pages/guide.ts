import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The chapters of the guide in order: files of the folder docs/guide, each with its heading. */
const chapters = [
  'first-report',
  'day-of-loss',
  'evidence',
  'addresses',
  'authentication',
  'client',
  'idempotency',
  'pages',
  'exports',
  'features',
  'own-site',
  'rate-limits',
  'errors',
  'watching',
  'destinations',
  'maps',
  'verification',
  'graphql',
  'assistants',
] as const

/** Pictures in the chapters; `npm run console:picture` draws them. */
export const guidePictures = ['inbox', 'report', 'storm', 'document'] as const

/** Reads a file of this folder, by its name in package.json: this works from the source and from the bundle. */
export const readPageFile = (name: string) => readFile(fileURLToPath(import.meta.resolve(`#rest/pages/docs/${name}`)))

/** Returns the guide as one page, with a list of its headings. */
export async function readGuide(): Promise<Buffer> {
  const [frame, ...texts] = await Promise.all([readPageFile('guide.html'), ...chapters.map((name) => readPageFile(`guide/${name}.html`))])
  const body = texts.join('\n')
  const headings = [...body.matchAll(/<h2 id="([\w-]+)">([^<]+)<\/h2>/g)].map(
    ([, id, heading]) => `<li><a href="#${id}">${heading}</a></li>`,
  )
  const page = frame
    .toString()
    .replace('<!-- contents -->', headings.join('\n          '))
    .replace('<!-- chapters -->', () => body)
  return Buffer.from(page)
}
