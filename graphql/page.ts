import type { App } from '#domain/app.ts'
import { type PageOf, PER_PAGE, PER_PAGE_MAX, pagingOf } from '#domain/kernel/pagination.ts'
import { builder } from '#graphql/builder.ts'

/** A page of a list, as every interface shows it. */
export interface Page<Row> {
  data: Row[]
  links: PageLinks
  meta: PageMeta
  /** What the next page takes as `after`; null on the last page and where pages have only numbers. */
  after: string | null
}

interface PageLinks {
  first: string
  last: string
  prev: string | null
  next: string | null
}

interface PageMeta {
  current_page: number
  from: number | null
  last_page: number
  path: string
  per_page: number
  to: number | null
  total: number
}

/** The arguments of every paginated list. */
export const pagingArguments = builder.args((t) => ({
  page: t.int({ description: 'Page to read. A page past the end is empty.' }),
  per_page: t.int({ description: 'Rows on a page. A size outside the bounds is set to the nearest bound.' }),
}))

/** Description of the size of an edge that shows only the newest rows. */
export const firstDescription = `Number of rows, 1 to ${PER_PAGE_MAX}; default ${PER_PAGE}.`

export interface PageArguments {
  page?: number | null | undefined
  per_page?: number | null | undefined
}

/**
 * Reads the requested page and adds its links.
 * @param path of the list, relative to /api/v1
 * @param args page, per_page and the filters as sent; the links repeat what was sent
 * @param read validates the arguments before it reads
 */
export async function page<Row>(
  app: Pick<App, 'config'>,
  path: string,
  args: PageArguments & Record<string, unknown>,
  read: () => Promise<PageOf<Row>>,
): Promise<Page<Row>> {
  const { data, total, after } = await read()
  const { page: current, per_page } = pagingOf(args)
  const last_page = Math.max(1, Math.ceil(total / per_page))
  const offset = (current - 1) * per_page
  const listUrl = `${app.config.base_url}/api/v1${path}`
  const hasNext = current < last_page
  const link = linksOf(listUrl, args.per_page == null ? args : { ...args, per_page })
  return {
    data,
    links: {
      first: link(1),
      last: link(last_page),
      prev: current > 1 ? link(current - 1) : null,
      next: hasNext ? link(current + 1, after) : null,
    },
    meta: {
      current_page: current,
      from: data.length > 0 ? offset + 1 : null,
      last_page,
      path: listUrl,
      per_page,
      to: data.length > 0 ? offset + data.length : null,
      total,
    },
    after: (hasNext && after) || null,
  }
}

function linksOf(listUrl: string, args: Record<string, unknown>): (page: number, after?: string | null) => string {
  const { page: _page, after: _after, ...filters } = args
  const sent = Object.entries(filters).filter(([, value]) => value !== null && value !== undefined)
  return (number, after) => {
    const values = [...sent, ['page', number], ...(after ? [['after', after]] : [])]
    return `${listUrl}?${new URLSearchParams(values.map(([name, value]) => [String(name), String(value)]))}`
  }
}

/** Creates the type of a page of these rows. */
export function pageType<Row>(row: RowType<Row>, name: string) {
  return builder.objectRef<Page<Row>>(name).implement({
    description: 'One page of a list.',
    fields: (t) => ({
      // The cost counts rows at the field with the size argument.
      data: t.field({ type: [row], description: 'The rows of this page.', extensions: { rows: 1 }, resolve: ({ data }) => data as never }),
      links: t.expose('links', { type: Links, description: 'Links to other pages, with the filters sent.' }),
      meta: t.expose('meta', { type: Meta, description: 'Position of this page in the list.' }),
    }),
  })
}

type RowType<Row> = ReturnType<ReturnType<typeof builder.objectRef<Row>>['implement']>

const Links = builder.objectRef<PageLinks>('PageLinks').implement({
  description: 'Links to other pages of a list.',
  fields: (t) => ({
    first: t.exposeString('first', { description: 'The first page.' }),
    last: t.exposeString('last', { description: 'The last page.' }),
    prev: t.exposeString('prev', { nullable: true, description: 'The previous page; null on the first.' }),
    next: t.exposeString('next', { nullable: true, description: 'The next page; null on the last.' }),
  }),
})

const Meta = builder.objectRef<PageMeta>('PageMeta').implement({
  description: 'Position of a page in its list.',
  fields: (t) => ({
    current_page: t.exposeInt('current_page', { description: 'Number of this page, from 1.' }),
    from: t.exposeInt('from', { nullable: true, description: 'Number of the first row, from 1; null on an empty page.' }),
    last_page: t.exposeInt('last_page', { description: 'Number of the last page; 1 if the list is empty.' }),
    path: t.exposeString('path', { description: 'URL of the list.' }),
    per_page: t.exposeInt('per_page', { description: 'Rows per page, as applied.' }),
    to: t.exposeInt('to', { nullable: true, description: 'Number of the last row; null on an empty page.' }),
    total: t.exposeInt('total', { description: 'Number of rows on all pages.' }),
  }),
})
