import type { Tx } from '#domain/engines/database.ts'

/**
 * Records that a report with the fingerprint was removed, in the transaction that removes it. The lookup of the fingerprint decides whether
 * another report with it is left, so neither a removal nor the completion of a report waits for another one of the same evidence.
 */
export async function recordRemovedFingerprint(
  tx: Pick<Tx, 'withdrawnFingerprint'>,
  fingerprint: string,
  generated_at: Date,
  withdrawn_at: Date,
): Promise<void> {
  await tx.withdrawnFingerprint.upsert({
    where: { fingerprint },
    create: { fingerprint, generated_at, withdrawn_at },
    update: { generated_at, withdrawn_at },
  })
}
