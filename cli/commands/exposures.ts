import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { exits, failure, isLost } from '../failure.ts'
import { lineOf, liveLine, print, printLine } from '../format.ts'
import { call, type Page, page, type Query, type Schemas } from '../service.ts'
import {
  ask,
  booleanFrom,
  type Columns,
  confirm,
  doing,
  type Given,
  list,
  numberFrom,
  paged,
  perform,
  pickOptions,
  rowOf,
  segment,
} from './command.ts'

type Exposure = Schemas['Exposure']
type Answered = { data: Exposure }

export const exposureColumns: Columns<Exposure> = {
  id: 'id',
  date: 'date',
  kind: 'kind',
  subject: 'subject.name',
  headline: 'headline',
  hail_in: (row) => row.largest_measured_in ?? row.largest_detected_in,
  gust_mph: 'max_gust_mph',
  miles: 'nearest_miles',
  state: (row) => (row.dismissed_at ? 'dismissed' : row.acknowledged_at ? 'acknowledged' : 'open'),
}

const FILTERS = ['since', 'from', 'to', 'kind', 'open', 'subject', 'min_measured_in']

/** Adds the filters of every listing of exposures. */
export function filterExposures(command: Command): Command {
  return paged(command)
    .option('--since <moment>', 'what has moved after it')
    .option('--from <date>', 'from this day on')
    .option('--to <date>', 'until this day')
    .option('--kind <kind>', 'record or warning')
    .option('--open <boolean>', 'true: only the inbox; false: only what was closed', booleanFrom)
    .option('--subject <subject>', 'property or territory')
    .option('--min-measured-in <inches>', 'measured hail of this size or larger', numberFrom)
}

export const filtersOf = (options: Record<string, unknown>): Query => pickOptions(options, FILTERS)

/** weather exposures: the inbox. */
export function addExposures(program: Command): void {
  const exposures = program.command('exposures').description('storm days and warnings at watched places')

  filterExposures(ask(exposures, 'list', 'exposures, newest first', 'exposures list --open true --min-measured-in 1')).action(
    doing((given) => list(given, '/exposures', filtersOf(given.options), exposureColumns)),
  )

  ask(exposures, 'show', 'one exposure', 'exposures show 12')
    .argument('<exposure>', 'id of the exposure')
    .action(
      doing(async (given) => void (await perform(given, { method: 'GET', path: `/exposures/${segment(given.arguments[0] as string)}` }))),
    )

  const moves: [name: string, description: string, act: string, body?: unknown][] = [
    ['ack', 'acknowledge exposures', 'acknowledge', {}],
    ['dismiss', 'set exposures aside', 'acknowledge', { dismiss: true }],
    ['reopen', 'put exposures back in the inbox', 'reopen'],
  ]
  for (const [name, description, act, body] of moves)
    filterExposures(ask(exposures, name, `${description}: by id, or all that filters find`, `exposures ${name} 12 13`))
      .argument('[exposure...]', 'ids; without them the filters say which, and --all that all are meant')
      .action(doing((given) => move(given, name, act, body)))

  ask(
    exposures,
    'watch',
    'print exposures as they appear and move, one JSON object a line, until interrupted',
    'exposures watch --since 2025-05-28T00:00:00Z',
  )
    .option('--since <moment>', 'begin with what has moved after it; now where it is not given')
    .option('--every <seconds>', 'how often to look', numberFrom, 15)
    .option('--once', 'look once, then end')
    .action(doing(watch))
}

/** Moves many exposures, and prints each as the service answered it. */
async function move(given: Given, name: string, act: string, body: unknown): Promise<void> {
  const { setting } = given
  const ids = given.arguments.length > 0 ? given.arguments : await found(given)
  if (given.arguments.length === 0) await confirm(setting, `${name} ${ids.length} exposures?`)
  const live = liveLine()
  const answers: Answered[] = []
  try {
    for (const [at, id] of ids.entries()) {
      live.show(`${at} of ${ids.length}`)
      answers.push(await waitingForLimit(given, `/exposures/${segment(id)}/${act}`, body))
    }
  } finally {
    live.clear()
  }
  // One exposure is answered as the service answers it, several as the list of them.
  const answer = given.arguments.length === 1 ? answers[0] : { data: answers.map(({ data }) => data) }
  print(
    answer,
    setting,
    answers.map(({ data }) => rowOf(data, exposureColumns)),
  )
}

/** In bulk the limit of requests is met sooner or later: it is waited for, as the service says. */
async function waitingForLimit({ setting }: Given, path: string, body: unknown): Promise<Answered> {
  for (;;) {
    const answer = await call<Answered>(setting.connection, { method: 'POST', path, ...(body !== undefined && { body }) }, [429])
    if (answer.status !== 429) return answer.body
    await pause((answer.retry_after ?? 1) * 1000)
  }
}

/** Ids of all that the filters find. @throws Failure where neither ids, filters nor --all say which */
async function found({ setting, options }: Given): Promise<string[]> {
  const filters = filtersOf(options)
  if (Object.keys(filters).length === 0 && !options.all)
    throw failure(exits.usage, 'Say which: ids, filters such as --open true, or --all.')
  const ids: string[] = []
  for (let number = 1; ; number++) {
    const { data, links }: Page<Exposure> = await page(setting.connection, '/exposures', { ...filters, page: number, per_page: 100 })
    ids.push(...data.map(({ id }) => String(id)))
    if (links.next === null) return ids
  }
}

/** Looks again and again for what has moved; the largest last_seen_at is the cursor. */
async function watch({ setting, options }: Given): Promise<void> {
  let since = (options.since as string | undefined) ?? new Date().toISOString()
  for (;;) {
    const moved = await movedSince(setting.connection, since)
    for (const exposure of moved) process.stdout.write(lineOf(exposure))
    since = moved.at(-1)?.last_seen_at ?? since
    if (options.once) return
    await pause(Number(options.every) * 1000)
  }
}

/** Oldest move first. A page lost on its way is asked for again with the next look. */
async function movedSince(connection: Given['setting']['connection'], since: string): Promise<Exposure[]> {
  const moved: Exposure[] = []
  try {
    for (let number = 1; ; number++) {
      const { data, links } = await page<Exposure>(connection, '/exposures', { since, page: number, per_page: 100 })
      moved.push(...data)
      if (links.next === null) return moved.sort((one, other) => (one.last_seen_at < other.last_seen_at ? -1 : 1))
    }
  } catch (fault) {
    if (!isLost(fault)) throw fault
    printLine(`${(fault as Error).message}: looking again`)
    return []
  }
}
