import { traceparent } from '#domain/kernel/trace.ts'
import type { Prisma } from '#generated/prisma/client.ts'

/** Every job the domain can ask for, with its payload. workers/jobs.ts says how each is run. */
export interface JobPayloads {
  'report.generate': { report_id: string }
  'report.render': { report_id: string }
  'property.locate': PropertyTask & DurableJob
  'property.enrich': EnrichTask & DurableJob
  'detection.run': DetectionTask & DurableJob
  'detection.backfill': BackfillTask & DurableJob
  'delivery.send': { delivery_id: string }
  'alert.send': { mail_id: string }
  'alert_address.mail': AlertAddressTask & DurableJob
  'integration.switched_off': DestinationTask & DurableJob
  'sign_in_link.mail': SignInLinkTask & DurableJob
  'digest.send': { team_id: string; local_date: string }
  'digest.mail': DigestTask & DurableJob
  'coverage.recount': DurableJob
  'lane.record': Record<string, never>
  'lane.warnings': Record<string, never>
  'lane.surfaces': Record<string, never>
  'log.append': Record<string, never>
  'maps.refresh': Record<string, never>
  'plan.renew': Record<string, never>
  'alert_address.forget': Record<string, never>
  'secrets.reseal': Record<string, never>
  sweep: Record<string, never>
}

/** Where the archive changed: what is watched there is looked at anew. */
export type DetectionTask = {
  /** Search cells that were touched. */
  cells: number[]
  /** First and last date touched, YYYY-MM-DD: local dates of records, UTC dates of radar frames and of warnings. */
  from: string
  to: string
  /** What is found is recorded without announcing it. */
  quiet: boolean
  /** Keys of the warnings that changed; absent where records or radar did. */
  warnings?: string[]
  /** The monitoring run that brought the change: its `written` and `notified` count what comes of it. */
  run_id?: number
}

/** A watched place that is new, or not where it was. */
export type BackfillTask = { subject: 'property' | 'territory'; subject_id: string }

/** What a property waits for from somebody else's service. */
type PropertyTask = { property_id: string }

/** Public records that are to be asked about a property. */
export type EnrichTask = PropertyTask & {
  /** Marks of names and e-mail addresses that were erased since it was staged. */
  left_out?: string[]
}

/** A destination that the service switched off. */
type DestinationTask = { integration_id: string }

/** The event of a digest that is mailed too. */
type DigestTask = { event_id: string }

/** A link that somebody asked for, or an invitation. */
type SignInLinkTask = { link_id: string }

/** An address that is asked whether it wants alerts. */
export type AlertAddressTask = { team_id: string; email: string }

/** Id of the row that says what is to do until it is done: domain/kernel/durable-jobs.ts. Stored payloads have this key. */
export type DurableJob = { lasting_id: number }

export type JobName = keyof JobPayloads

/**
 * Stages a job in the caller's transaction: it exists exactly when the transaction's rows do.
 * A trigger wakes the relay at commit.
 * @param due_at when it is to be done: the queue holds it until then
 */
export async function stage<Name extends JobName>(
  tx: Pick<Prisma.TransactionClient, '$executeRaw'>,
  name: Name,
  payload: JobPayloads[Name],
  due_at: Date | null = null,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO outbox (name, payload, due_at, traceparent) VALUES (${name}, ${JSON.stringify(payload)}::jsonb, ${due_at}, ${traceparent()})`
}

/** The same of several, in one statement. */
export async function stageEach<Name extends JobName>(
  tx: Pick<Prisma.TransactionClient, '$executeRaw'>,
  name: Name,
  payloads: readonly JobPayloads[Name][],
): Promise<void> {
  if (payloads.length === 0) return
  const texts = payloads.map((payload) => JSON.stringify(payload))
  await tx.$executeRaw`
    INSERT INTO outbox (name, payload, traceparent)
    SELECT ${name}, payload::jsonb, ${traceparent()} FROM unnest(${texts}::text[]) WITH ORDINALITY AS each (payload, nth) ORDER BY nth`
}
