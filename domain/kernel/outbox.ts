import { traceparent } from '#domain/kernel/trace.ts'
import type { Prisma } from '#generated/prisma/client.ts'

/** Every job that the domain can stage, with its payload. workers/jobs.ts defines how each is run. */
export interface JobPayloads {
  'report.generate': { report_id: string }
  'report.render': { report_id: string }
  'document.clear': DocumentTask & DurableJob
  'property.locate': PropertyTask & DurableJob
  'property.enrich': EnrichTask & DurableJob
  'detection.run': DetectionTask & DurableJob
  'detection.backfill': BackfillTask & DurableJob
  'exposures.touch': TouchTask & DurableJob
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
  'basemap.clear': Record<string, never>
  'plan.renew': Record<string, never>
  'alert_address.forget': Record<string, never>
  'secrets.reseal': Record<string, never>
  sweep: Record<string, never>
}

/** A change of the archive: the watches in the area are checked again. */
export type DetectionTask = {
  /** Search cells that were touched. */
  cells: number[]
  /** First and last date touched, YYYY-MM-DD: local dates of records, UTC dates of radar frames and of warnings. */
  from: string
  to: string
  /** Exposures are recorded without an announcement. */
  quiet: boolean
  /** Keys of the warnings that changed; absent if records or radar changed. */
  warnings?: string[]
  /** The monitoring run that brought the change: its `written` and `notified` count the results. */
  run_id?: number
}

/** A watched place that is new or has moved. */
export type BackfillTask = {
  subject: 'property' | 'territory'
  subject_id: string
  /** The place had a watch, which this one replaced; absent if it is new or was paused. */
  watched_before?: boolean
}

/** Exposures, and all those of some places, whose texts changed without their moment. */
export type TouchTask = { team_id: string; exposure_ids: number[]; place_ids: string[] }

/** A report whose document mentioned a person who was erased. */
type DocumentTask = { report_id: string }

/** A property that waits for an external service. */
type PropertyTask = { property_id: string }

/** A look-up of a property in public records. */
export type EnrichTask = PropertyTask & {
  /** Hashes of names and e-mail addresses that were erased after the job was staged. */
  left_out?: string[]
}

/** A destination that the service has disabled. */
type DestinationTask = { integration_id: string }

/** The event of a digest that is also sent by mail. */
type DigestTask = { event_id: string }

/** A sign-in link that somebody requested, or an invitation. */
type SignInLinkTask = { link_id: string }

/** An e-mail address that is asked to confirm alerts. */
export type AlertAddressTask = { team_id: string; email: string }

/** Id of the row that keeps the job until it is done (domain/kernel/durable-jobs.ts). Stored payloads contain this key. */
export type DurableJob = { lasting_id: number }

export type JobName = keyof JobPayloads

/**
 * Stages a job in the caller's transaction: it exists exactly when the transaction's rows do.
 * A trigger wakes the relay at commit.
 * @param due_at when the job may run: the queue delays it until then
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

/** Stages several jobs in one statement. */
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
