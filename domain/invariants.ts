import type { Tx } from '#domain/engines/database.ts'

/** Something that must never be true, found true. */
export interface InvariantViolation {
  invariant: string
  team_id: string
  /** Id of the row at fault. */
  subject: string
  detail: string
}

/** Reads the invariant view: empty unless data has gone wrong. */
export async function readInvariants(db: Pick<Tx, '$queryRaw'>): Promise<InvariantViolation[]> {
  return db.$queryRaw<
    InvariantViolation[]
  >`SELECT invariant, team_id, subject, detail FROM invariant_violations ORDER BY invariant, subject`
}
