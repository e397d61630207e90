import { keyOfFirstToken } from '#domain/access/first-team.ts'
import { STOP_LINK_DAYS } from '#domain/alerts/stop-link.ts'
import type { App } from '#domain/app.ts'
import { type Belonging, openSealed, sealedColumns } from '#domain/engines/sealed.ts'
import { LINK_MINUTES } from '#domain/engines/signed-link.ts'
import { DAY_MS, SECOND_MS } from '#domain/kernel/durations.ts'
import type { SecretKey } from '#domain/kernel/secret-ring.ts'
import { type AnnouncedRing, announcedRings } from '#domain/secret-keys/rings.ts'

/** The status of one secret key. */
export interface SecretKeyStatus {
  /** Its name in WEATHER_SECRET_KEY; null for a bare key. */
  name: string | null
  id: string
  /** True for the first key. */
  seals: boolean
  /** How many values are sealed by it. */
  values: number
  /** Running processes that seal with it, and those that do not hold it. */
  sealing_processes: number
  lacking_processes: number
  /** When the last link that it may have signed is no longer needed; null if it still signs, or if no such link can be left. */
  links_end_at: Date | null
  /** True if nothing needs it any more. */
  removable: boolean
  /** The status in a sentence that states what to do next. */
  said: string
}

/** The status of the install's secret keys. */
export interface SecretKeysStatus {
  keys: SecretKeyStatus[]
  /** Values that none of them can decrypt. */
  unopened: number
}

/** Decrypts every sealed value and returns which key seals it, what each key is still needed for, and when a key may be removed. */
export async function secretKeysStatus(app: Pick<App, 'pool' | 'db' | 'config'>): Promise<SecretKeysStatus> {
  const rings = await announcedRings(app)
  const { by_key, unopened } = await countValues(app)
  const first_token_key = await keyOfFirstToken(app)
  const links = (await hasMailedStopLinks(app)) ? STOP_LINKS : DOCUMENT_LINKS
  const keys = app.config.secret_keys.map((key, index) => {
    const status = statusOf(key, index, by_key.get(key.id) ?? 0, rings, links)
    return key.id === first_token_key && !status.seals ? neededByFirstToken(status) : status
  })
  return { keys, unopened }
}

/** A start without the key revokes the token that it derives. */
function neededByFirstToken(status: SecretKeyStatus): SecretKeyStatus {
  const said = status.removable ? `${FIRST_TOKEN} Nothing else needs it.` : `${status.said} ${FIRST_TOKEN}`
  return { ...status, removable: false, said }
}

const FIRST_TOKEN =
  'The token of the first start is derived from it and stops working with it: before it is taken out, issue a new token to its users and revoke this one.'

const PAGE = 1000

async function countValues(app: Pick<App, 'pool' | 'config'>): Promise<{ by_key: Map<string, number>; unopened: number }> {
  const by_key = new Map<string, number>()
  let unopened = 0
  for (const [kind, { table, column, id }] of Object.entries(sealedColumns)) {
    const text = `SELECT id, ${column} AS value FROM ${table} WHERE ($1::${id} IS NULL OR id > $1::${id}) AND ${column} IS NOT NULL ORDER BY id LIMIT ${PAGE}`
    let after: string | null = null
    do {
      const { rows }: { rows: { id: string; value: Buffer }[] } = await app.pool.query(text, [after])
      for (const { id, value } of rows) {
        const opened = openSealed(app, value, `${kind} ${id}` as Belonging)
        if (opened) by_key.set(opened.key.id, (by_key.get(opened.key.id) ?? 0) + 1)
        else unopened += 1
      }
      after = rows.at(-1)?.id ?? null
    } while (after !== null)
  }
  return { by_key, unopened }
}

/** Links that keep an older key needed, and the seconds for which they do after it last signed. */
interface SignedLinks {
  seconds: number
  said: string
}

const DOCUMENT_LINKS: SignedLinks = { seconds: LINK_MINUTES * 60, said: 'Links that it signed expire at' }
const STOP_LINKS: SignedLinks = {
  seconds: STOP_LINK_DAYS * (DAY_MS / SECOND_MS),
  said: `Alert mails carry links that it signed, with which their recipients can stop the mails for ${STOP_LINK_DAYS} days, until`,
}

/** Whether mails may have arrived with a link that stops further ones, which any earlier first key may have signed. */
async function hasMailedStopLinks({ pool }: Pick<App, 'pool'>): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM alert_mails WHERE status IN ('sending', 'sent') OR maybe_repeated) AS found`,
  )
  return rows[0]?.found === true
}

function statusOf({ id, name }: SecretKey, index: number, values: number, rings: AnnouncedRing[], links: SignedLinks): SecretKeyStatus {
  const processes = (matches: (ring: AnnouncedRing) => boolean) => rings.filter(matches).reduce((sum, { running }) => sum + running, 0)
  const signed = rings.filter(({ key_ids }) => key_ids[0] === id)
  const sealing_processes = processes(({ key_ids }) => key_ids[0] === id)
  const lacking_processes = processes(({ key_ids }) => !key_ids.includes(id))
  const last = signed.sort((one, other) => one.seconds_ago - other.seconds_ago)[0]
  const links_end_at =
    index > 0 && sealing_processes === 0 && last && last.seconds_ago < links.seconds
      ? new Date(last.seen_at.getTime() + links.seconds * SECOND_MS)
      : null
  const seals = index === 0
  const removable = !seals && values === 0 && sealing_processes === 0 && links_end_at === null
  const status = { name, id, seals, values, sealing_processes, lacking_processes, links_end_at, removable }
  return { ...status, said: sentence(status, links) }
}

function sentence(
  { seals, values, sealing_processes, lacking_processes, links_end_at }: Omit<SecretKeyStatus, 'said'>,
  links: SignedLinks,
): string {
  const missingText = `${running(lacking_processes)} not hold it yet`
  if (seals) return lacking_processes > 0 ? `It seals, though ${missingText}: restart with it.` : 'It seals.'
  if (sealing_processes > 0) return `${running(sealing_processes)} still seal with it: restart with the new order.`
  if (values > 0) return `${values} ${values === 1 ? 'value is' : 'values are'} still sealed by it: run weather keys reseal.`
  if (links_end_at) return `Nothing is sealed by it. ${links.said} ${links_end_at.toISOString()}: it may be taken out then.`
  if (lacking_processes > 0) return `Nothing is sealed by it. It may be taken out; before it goes first, restart: ${missingText}.`
  return 'Nothing is sealed by it, and every process holds it: it may go first, or be taken out.'
}

const running = (processes: number) => (processes === 1 ? 'a running process does' : `${processes} running processes do`)
