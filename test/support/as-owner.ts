import type { World } from './world.ts'

/** Runs statements as the owner of the tables, with triggers and foreign keys off: what a hostile owner could do. */
export async function asOwner({ owner }: World, sql: string, values: unknown[] = []): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query('SET session_replication_role = replica')
    await client.query(sql, values)
  } finally {
    await client.query('RESET session_replication_role')
    client.release()
  }
}
