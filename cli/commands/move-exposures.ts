import { counted } from '../counted.ts'
import { everyPage, withinLimit } from '../every-page.ts'
import { exits, failure } from '../failure.ts'
import { liveLine, print, printLine } from '../format.ts'
import { objectOf, query } from '../service.ts'
import { confirm, type Invocation, rowOf, type Settings, segment } from './command.ts'
import { type Exposure, exposureColumns, filtersOf } from './exposure-listing.ts'

/** Largest number of exposures that one call can move. */
const BATCH_SIZE = 500

/** The fields of an exposure as in REST. */
const EXPOSURE_FIELDS = `
  id object kind date subject { id object name precision } headline reports sources families { hail wind tornado other }
  largest_measured_in largest_detected_in max_gust_mph nearest_miles observed provisional evidence record_ids
  warning { object identifier event headline status message_type severity certainty urgency issued_at onset_at expires_at ends_at in_force
    cancelled_at office { id name } vtec phenomenon significance tracking_number
    threats { max_hail_in hail_basis max_gust_mph wind_basis tornado flash_flood damage }
    area instruction geometry geometry_basis citation_url periods { from until } }
  first_seen_at last_seen_at notified_at acknowledged_at dismissed_at report_id links { self subject report } sample`

const MOVE_RESULT_FIELDS = `{ id outcome exposure { ${EXPOSURE_FIELDS} } }`

/** Ways to move exposures: one through its own endpoint, many in one call. */
export const moves = {
  ack: {
    description: 'acknowledge exposures',
    verb: 'Acknowledge',
    one: { path: 'acknowledge', body: {} },
    many: `mutation ($ids: [Int!]!, $only_if_open: Boolean) { moved: acknowledgeExposures(ids: $ids, only_if_open: $only_if_open) ${MOVE_RESULT_FIELDS} }`,
  },
  dismiss: {
    description: 'dismiss exposures',
    verb: 'Dismiss',
    one: { path: 'acknowledge', body: { dismiss: true } },
    many: `mutation ($ids: [Int!]!, $only_if_open: Boolean) { moved: acknowledgeExposures(ids: $ids, dismiss: true, only_if_open: $only_if_open) ${MOVE_RESULT_FIELDS} }`,
  },
  reopen: {
    description: 'return exposures to the inbox',
    verb: 'Reopen',
    one: { path: 'reopen' },
    many: `mutation ($ids: [Int!]!) { moved: reopenExposures(ids: $ids) ${MOVE_RESULT_FIELDS} }`,
  },
} as const

interface MoveResult {
  id: number
  outcome: 'moved' | 'unchanged' | 'decided_since' | 'not_found'
  exposure: Exposure | null
}

/** Moves one exposure, or many at once, and prints each as it is afterwards. @throws Failure if one does not exist, or for ids with filters */
export async function moveExposures(invocation: Invocation, name: keyof typeof moves): Promise<void> {
  const { setting } = invocation
  const { verb, one, many } = moves[name]
  if (invocation.arguments.length > 0 && (invocation.options.all || Object.keys(filtersOf(invocation.options)).length > 0))
    throw failure(exits.usage, 'Select exposures by their ids, or by filters or --all: not both.')
  const [id, ...more] = invocation.arguments
  if (id !== undefined && more.length === 0) {
    const { path, ...body } = one
    const data = await objectOf<Exposure>(setting.connection, { method: 'POST', path: `/exposures/${segment(id)}/${path}`, ...body })
    return print({ data }, setting, [rowOf(data, exposureColumns)])
  }
  const ids = invocation.arguments.length > 0 ? invocation.arguments.map(idFrom) : await findIds(invocation)
  if (invocation.arguments.length === 0 && ids.length > 0) await confirm(setting, `${verb} ${counted(ids.length, 'exposure')}?`)
  // Those of --open true may be decided on by somebody else before they are moved.
  const only_if_open = filtersOf(invocation.options).open === true
  const outcomes: MoveResult[] = []
  try {
    await moveInBatches(ids, outcomes, (part) => query<MoveResult[]>(setting.connection, many, { ids: part, only_if_open }))
  } catch (fault) {
    if (outcomes.length > 0) printMoved(outcomes, setting)
    throw fault
  }
  printMoved(outcomes, setting)
  const decidedSince = outcomes.filter(({ outcome }) => outcome === 'decided_since').length
  if (decidedSince > 0) printLine(`Changed by somebody else before, and left: ${counted(decidedSince, 'exposure')}.`)
  const missing = outcomes.filter(({ outcome }) => outcome === 'not_found').map((row) => row.id)
  if (missing.length > 0) throw failure(exits.not_found, `There is no exposure with the id ${missing.join(', ')}. The others are printed.`)
}

function printMoved(outcomes: readonly MoveResult[], setting: Settings): void {
  const exposures = outcomes.flatMap(({ exposure }) => exposure ?? [])
  print(
    { data: exposures },
    setting,
    exposures.map((exposure) => rowOf(exposure, exposureColumns)),
  )
}

/** @param outcomes filled as they come, so that they are known also if a later batch fails */
async function moveInBatches(
  ids: readonly number[],
  outcomes: MoveResult[],
  move: (part: number[]) => Promise<MoveResult[]>,
): Promise<void> {
  const live = liveLine()
  try {
    for (let at = 0; at < ids.length; at += BATCH_SIZE) {
      live.show(`${at} of ${ids.length}`)
      outcomes.push(...(await withinLimit(live, () => move(ids.slice(at, at + BATCH_SIZE)))))
    }
  } finally {
    live.clear()
  }
}

/** Largest GraphQL Int. */
const ID_MAX = 2_147_483_647

function idFrom(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > ID_MAX) throw failure(exits.usage, `An exposure's id is a number, not "${text}".`)
  return Number(text)
}

/** Ids of all exposures that match the filters. @throws Failure without ids, filters and --all */
async function findIds({ setting, options }: Invocation): Promise<number[]> {
  const filters = filtersOf(options)
  if (Object.keys(filters).length === 0 && !options.all)
    throw failure(exits.usage, 'Select exposures: ids, filters such as --open true, or --all.')
  return (await everyPage<Exposure>(setting.connection, '/exposures', filters)).data.map(({ id }) => id)
}
