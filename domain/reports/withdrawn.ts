import type { RawTx, Tx } from '#domain/engines/database.ts'

/** A fingerprint is withdrawn when no report with it is left. Called after the report is gone, in its transaction. */
export async function withdrawFingerprint(tx: Tx, fingerprint: string, generated_at: Date, withdrawn_at: Date): Promise<void> {
  await takeTurn(tx, fingerprint)
  if (await tx.report.findFirst({ where: { fingerprint }, select: { id: true } })) return
  await tx.withdrawnFingerprint.upsert({
    where: { fingerprint },
    create: { fingerprint, generated_at, withdrawn_at },
    update: { generated_at, withdrawn_at },
  })
}

/** A new report with the fingerprint un-withdraws it. Called in the transaction that publishes it. */
export async function reinstateFingerprint(tx: RawTx, fingerprint: string): Promise<void> {
  await takeTurn(tx, fingerprint)
  await tx.$executeRaw`DELETE FROM withdrawn_fingerprints WHERE fingerprint = ${fingerprint}`
}

/** One change of a fingerprint's standing at a time: the later one sees what the earlier one did. */
async function takeTurn(tx: RawTx, fingerprint: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 AS taken FROM pg_advisory_xact_lock(hashtextextended(${fingerprint}, 25))`
}
