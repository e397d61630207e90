import { randomUUID } from 'node:crypto'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { bodies } from '#domain/integrations/channels/index.ts'
import { noSuchIntegration } from '#domain/integrations/integration-rows.ts'
import { testPayload } from '#domain/integrations/payload.ts'
import { post } from '#domain/integrations/post.ts'
import { isUuid } from '#domain/kernel/validation.ts'

export interface IntegrationTestView {
  object: 'integration_test'
  integration_id: string
  delivered: boolean
  /** The receiver's response as plain text, shortened; or why there was none. */
  detail: string
}

/** Characters of the response text to show: enough to recognise it. */
const DETAIL_MAX = 200

/**
 * Sends one post, without retries, and returns its outcome. The ledger records it as a test.
 * @throws Refusal 404
 */
export async function testDestination(app: App, caller: Caller, integration_id: string): Promise<IntegrationTestView> {
  const destination = isUuid(integration_id) ? await caller.db.integration.findFirst({ where: { id: integration_id } }) : null
  if (!destination) throw noSuchIntegration()
  const id = randomUUID()
  const created_at = app.clock.now()
  const channel = destination.channel
  const testOf = (name: string) => {
    const subject = `Test of ${name}`
    const about = { delivery_id: id, created_at, subject, exposure_ids: [], team_name: caller.team.name }
    return { subject, body: bodies[channel](testPayload(about, app.config.base_url)) }
  }
  const { url_encrypted, secret_encrypted } = destination
  const target = {
    channel,
    integration_id,
    url_encrypted: Buffer.from(url_encrypted),
    secret_encrypted: secret_encrypted && Buffer.from(secret_encrypted),
  }
  const { status, failure, text } = await post(app, target, { delivery_id: id, event: 'test', body: testOf(destination.name).body })
  const at = app.clock.now()
  const delivered = failure === null
  await caller.db.$transaction(async (tx) => {
    // Record it under the destination's current name: a person erased from that name meanwhile is not in the ledger.
    const [current] = await tx.$queryRaw<
      { name: string }[]
    >`SELECT name FROM integrations WHERE id = ${integration_id}::uuid FOR NO KEY UPDATE`
    await tx.delivery.create({
      data: {
        id,
        team_id: caller.team.id,
        event: 'test',
        integration_id,
        kind: 'test',
        channel,
        ...testOf((current ?? destination).name),
        address_hint: destination.address_hint,
        created_at,
        attempts: 1,
        response_code: status,
        failure_reason: failure,
        exposure_ids: [],
        ...(delivered ? { status: 'sent', sent_at: at } : { status: 'failed', failed_at: at }),
      },
    })
    await tx.integration.updateMany({
      where: { id: integration_id },
      data: delivered ? { last_sent_at: at, failure_streak: 0 } : { last_failed_at: at, last_failure: failure },
    })
    // The receiver takes posts again before the end of the pause that it asked for.
    if (delivered) await tx.integration.updateMany({ where: { id: integration_id, held_until: { gt: at } }, data: { held_until: at } })
    auditWrite(tx, {
      kind: 'delivery',
      id,
      after: { status: delivered ? 'sent' : 'failed', kind: 'test', integration_id, response_code: status },
    })
  })
  return { object: 'integration_test', integration_id, delivered, detail: detailOf(status, failure, text) }
}

function detailOf(status: number | null, failure: string | null, text: string): string {
  const excerpt = text === '' ? '' : ` It said: ${[...text].slice(0, DETAIL_MAX).join('')}`
  return `${failure ?? `The destination answered ${status}.`}${excerpt}`
}
