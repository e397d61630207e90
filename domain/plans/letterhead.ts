import { gatherFaults } from '#domain/check.ts'
import type { Db } from '#domain/engines/database.ts'
import { lockTeam } from '#domain/plans/teams.ts'
import type { Team } from '#generated/prisma/client.ts'

export const papers = ['letter', 'a4'] as const
export type Paper = (typeof papers)[number]

/** How a team's documents are set. What is not named stays; null takes a name or a mark away. */
export interface Letterhead {
  paper?: Paper
  brand_name?: string | null
  /** An image file: PNG, JPEG or WebP. */
  brand_logo?: Buffer | null
}

/** A name stands on one line of the cover. */
const NAME_MAX = 80
/** A mark is printed an inch wide: this holds it at 600 dots an inch, and a document stays small. */
const LOGO_MAX_BYTES = 200 * 1024

/**
 * Sets the paper, name and mark of a team's documents from the next one printed. Name and mark show where the plan
 * includes report branding.
 * @throws Refusal validation_failed, naming the field; not_found
 */
export async function setLetterhead(db: Db, team_id: string, { paper, brand_name, brand_logo }: Letterhead): Promise<Team> {
  const faults = gatherFaults()
  faults.unless(paper === undefined || papers.includes(paper), 'paper', `The paper must be one of ${papers.join(', ')}.`)
  const name = brand_name?.trim() ?? brand_name
  faults.unless(
    name == null || (name !== '' && name.length <= NAME_MAX),
    'brand_name',
    `The brand name must have 1 to ${NAME_MAX} characters.`,
  )
  faults.unless(!brand_logo || imageType(brand_logo) !== null, 'brand_logo', 'The brand logo must be a PNG, JPEG or WebP image.')
  faults.unless(
    !brand_logo || brand_logo.length <= LOGO_MAX_BYTES,
    'brand_logo',
    `The brand logo must have at most ${LOGO_MAX_BYTES / 1024} kB.`,
  )
  faults.refuse()
  return db.$transaction(async (tx) => {
    await lockTeam(tx, team_id)
    const logo = brand_logo && new Uint8Array(brand_logo)
    return tx.team.update({ where: { id: team_id }, data: { paper, brand_name: name, brand_logo: logo } })
  })
}

/** Media type of an image by its first bytes; null for what a document does not show. */
export function imageType(bytes: Buffer): 'image/png' | 'image/jpeg' | 'image/webp' | null {
  if (bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))) return 'image/png'
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'image/webp'
  return null
}
