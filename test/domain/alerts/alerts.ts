import type { ExposureFamily } from '#domain/weather/exposure-families.ts'
import type { AlertMail, AlertRule } from '#generated/prisma/client.ts'
import type { World } from '#test/support/world.ts'

const allKinds: ExposureFamily[] = ['hail', 'wind', 'tornado', 'other']

/** A rule saved directly in the database, with recipients who have confirmed. */
export async function aRule(
  world: Pick<World, 'app'>,
  team: { id: string },
  columns: Partial<AlertRule> = {},
  recipients = ['desk@example.com'],
): Promise<AlertRule> {
  return world.app.db.$transaction(async (tx) => {
    const rule = await tx.alertRule.create({ data: { team_id: team.id, name: 'Hail', kinds: allKinds, ...columns } })
    const [now, later] = [new Date('2019-01-01T00:00:00Z'), new Date('2019-01-08T00:00:00Z')]
    const addresses = recipients.map((email) => ({ team_id: team.id, email, expires_at: later, confirmed_at: now }))
    await tx.alertAddress.createMany({ data: addresses, skipDuplicates: true })
    await tx.alertRecipient.createMany({ data: recipients.map((email) => ({ team_id: team.id, rule_id: rule.id, email })) })
    return rule
  })
}

/** All stored mails, sorted by recipient and the first day that they name. */
export async function mails(world: Pick<World, 'app'>): Promise<AlertMail[]> {
  const all = await world.app.db.alertMail.findMany()
  return all.toSorted((a, b) => a.email.localeCompare(b.email) || (a.exposure_ids[0] ?? 0) - (b.exposure_ids[0] ?? 0))
}
