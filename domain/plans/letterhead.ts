import { isDeepStrictEqual } from 'node:util'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { type Paper, papers } from '#domain/closed-sets.ts'
import type { Db } from '#domain/engines/database.ts'
import { PictureRefused } from '#domain/engines/pictures.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { isPrintable, unprintable } from '#domain/kernel/printable.ts'
import type { CheckedStep } from '#domain/kernel/stored-fault.ts'
import { gatherFaults, isOneOf } from '#domain/kernel/validation.ts'
import type { Plan } from '#domain/plans/plans.ts'
import { lockTeam } from '#domain/plans/teams.ts'
import type { Team } from '#generated/prisma/client.ts'

/** Settings of a team's documents. Omitted fields stay; null removes a name or a logo. */
export interface Letterhead {
  /** letter or a4. */
  paper?: string | undefined
  brand_name?: string | null | undefined
  /** An image file: PNG, JPEG or WebP. */
  brand_logo?: Buffer | null | undefined
}

/** The name must fit one line of the cover. */
const NAME_MAX = 80
/** A logo is printed an inch wide: this size allows 600 dots an inch and keeps documents small. */
const LOGO_MAX_BYTES = 200 * 1024

/**
 * Sets the paper, name and logo of a team's documents, starting with the next one printed. Name and logo appear only if the
 * plan includes report branding.
 * @throws Refusal validation_failed with the field; not_found; rate_limited if too many logos of the team are waiting;
 *   engine_unavailable if the logo cannot be processed at the moment
 */
export async function setLetterhead(
  { db, pictures }: Pick<App, 'db' | 'pictures'>,
  team_id: string,
  { paper, brand_name, brand_logo }: Letterhead,
): Promise<Team> {
  const faults = gatherFaults()
  faults.unless(paper === undefined || isOneOf(papers, paper), 'paper', `The paper must be one of ${papers.join(', ')}.`)
  const name = brand_name?.trim() ?? brand_name
  faults.unless(
    name == null || (name !== '' && name.length <= NAME_MAX),
    'brand_name',
    `The brand name must have 1 to ${NAME_MAX} characters.`,
  )
  faults.unless(name == null || isPrintable(name), 'brand_name', unprintable('The brand name'))
  faults.unless(
    !brand_logo || brand_logo.length <= LOGO_MAX_BYTES,
    'brand_logo',
    `The brand logo must be at most ${LOGO_MAX_BYTES / 1024} kB.`,
  )
  const remade = brand_logo && brand_logo.length <= LOGO_MAX_BYTES ? await pictures.remake(brand_logo, team_id).catch(refused) : null
  if (remade instanceof PictureRefused) faults.add('brand_logo', `The brand logo ${remade.message}.`)
  faults.refuse()
  return db.$transaction(async (tx) => {
    const before = await lockTeam(tx, team_id)
    const logo = remade instanceof Buffer ? new Uint8Array(remade) : brand_logo && null
    const data = {
      ...(paper !== undefined && isOneOf(papers, paper) && { paper }),
      ...(name !== undefined && { brand_name: name }),
      ...(logo !== undefined && { brand_logo: logo }),
    }
    const changed = keysOf(data).filter((field) => !isDeepStrictEqual(data[field], before[field]))
    const after = await tx.team.update({ where: { id: team_id }, data })
    auditWrite(tx, { team_id, kind: 'team', id: team_id, before, after, changed })
    return after
  })
}

/** Settings of a team's documents, for display. */
export interface LetterheadView {
  paper: Paper
  brand_name: string | null
  /** As a data: URL. */
  brand_logo: string | null
  /** False if the plan prints neither name nor logo. */
  shown: boolean
}

/** Returns how a team's documents look, its logo as a data URL, and whether its plan shows it. */
export async function readLetterhead({ db }: Pick<App, 'db'>, team_id: string, plan: Pick<Plan, 'includes'>): Promise<LetterheadView> {
  const columns = { paper: true, brand_name: true, brand_logo: true } as const
  const { brand_logo, ...kept } = await db.team.findUniqueOrThrow({ where: { id: team_id }, select: columns })
  return { ...kept, brand_logo: brand_logo && addressOfImage(Buffer.from(brand_logo)), shown: plan.includes.report_branding }
}

/** Returns which teams have a logo. It does not read the logos: those of all teams may exceed a process's memory. */
export async function teamsWithLogo({ db }: Pick<App, 'db'>, ids: string[]): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ id: string }[]>`SELECT id FROM teams WHERE id = ANY (${ids}::uuid[]) AND brand_logo IS NOT NULL`
  return new Set(rows.map(({ id }) => id))
}

/** Returns an image as a data: URL, for a page that loads nothing. */
export function addressOfImage(bytes: Buffer): string {
  return `data:${imageType(bytes)};base64,${bytes.toString('base64')}`
}

/** Finds logos that no document can show. Only the team can replace them, so they are reported and kept. */
export async function checkLogos({ db }: { db: Db }): Promise<CheckedStep> {
  // Reads only their first bytes: the logos of all teams may exceed a process's memory.
  const teams = await db.$queryRaw<{ id: string; begins: Uint8Array }[]>`
    SELECT id, substring(brand_logo FOR ${TYPE_BYTES}) AS begins FROM teams WHERE brand_logo IS NOT NULL`
  const corrupt = teams.filter(({ begins }) => imageType(Buffer.from(begins)) === null)
  const detail =
    "This team's logo cannot be read, and its documents are printed without it: set it again with admin team letterhead --brand-logo FILE."
  const faults = corrupt.map(({ id }) => ({ kind: 'brand_logo' as const, team_id: id, subject: id, detail, repaired: false }))
  return { checked: teams.length, faults, next: null }
}

/** Returns a refusal of the image; rethrows any other fault. */
function refused(fault: unknown): PictureRefused {
  if (fault instanceof PictureRefused) return fault
  throw fault
}

/** First bytes of an image that identify its type. */
const TYPE_BYTES = 12

/** Media type of an image by its first bytes; null for a type that documents cannot show. */
function imageType(bytes: Buffer): 'image/png' | 'image/jpeg' | 'image/webp' | null {
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png'
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  return null
}
