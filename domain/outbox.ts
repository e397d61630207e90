import type { Prisma } from '#generated/prisma/client.ts'

/** Every job the domain can ask for, with its payload. workers/jobs.ts says how each is run. */
export interface JobPayloads {
  'report.generate': { report_id: string }
  'report.render': { report_id: string }
  'property.locate': { property_id: string }
  'property.enrich': { property_id: string }
  'detection.run': { cells: number[]; from: string; to: string; quiet: boolean }
  'detection.backfill': { subject: 'property' | 'territory'; subject_id: string }
  'delivery.send': { delivery_id: string }
  'digest.send': { team_id: string; local_date: string }
  'lane.record': Record<string, never>
  'lane.warnings': Record<string, never>
  'lane.surfaces': Record<string, never>
  'plan.renew': Record<string, never>
  sweep: Record<string, never>
}

export type JobName = keyof JobPayloads

/**
 * Stages a job in the caller's transaction: it exists exactly when the transaction's rows do.
 * A trigger wakes the relay at commit.
 */
export async function stage<Name extends JobName>(
  tx: Pick<Prisma.TransactionClient, 'outboxJob'>,
  name: Name,
  payload: JobPayloads[Name],
): Promise<void> {
  await tx.outboxJob.create({ data: { name, payload } })
}
