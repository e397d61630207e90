import type { App } from '#domain/app.ts'

/**
 * Removes entries older than `AUDIT_DAYS` from the start of every chain, which then starts after them. Transactions are short: a
 * concurrent writer waits for at most one.
 */
export async function deleteOldEntries({ pool, config }: Pick<App, 'pool' | 'config'>): Promise<void> {
  const { rows } = await pool.query<{ team_id: string }>(DUE, [config.audit_days])
  for (const { team_id } of rows) {
    let retired: number
    do {
      const answered = await pool.query<{ retired: number }>('SELECT retire_audit($1, $2) AS retired', [team_id, config.audit_days])
      retired = answered.rows[0]?.retired ?? 0
    } while (retired > 0)
  }
}

/** Chains whose oldest row has expired. */
const DUE = `
  SELECT c.team_id FROM audit_chains c JOIN audit_log l ON l.team_id = c.team_id AND l.sequence = c.anchor_sequence + 1
   WHERE l.at < now() - make_interval(days => $1)`
