import type { Tx } from '#domain/engines/database.ts'

/**
 * Notes that a report with the fingerprint was removed, in the transaction that removes it. Whether another one is left is judged
 * when the fingerprint is looked up, so that neither a removal nor the completion of a report waits for another of the same evidence.
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
