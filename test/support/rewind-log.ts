import type { World } from '#test/support/world.ts'

/** Takes the log of fingerprints back to an earlier size, as a restore of a backup does. */
export async function rewindLog({ owner }: Pick<World, 'owner'>, size: number): Promise<void> {
  const client = await owner.connect()
  try {
    await client.query('SET session_replication_role = replica')
    for (const table of ['cosignatures', 'timestamps', 'checkpoints'])
      await client.query(`DELETE FROM fingerprint_log_${table} WHERE size > $1`, [size])
    await client.query('DELETE FROM fingerprint_log_entries WHERE index >= $1', [size])
    const hashes = 'div($1::numeric, 256::numeric ^ level) - index * 256'
    await client.query(`DELETE FROM fingerprint_log_tiles WHERE ${hashes} <= 0`, [size])
    await client.query(`UPDATE fingerprint_log_tiles SET hashes = substring(hashes FROM 1 FOR (32 * least(256, ${hashes}))::int)`, [size])
    await client.query('RESET session_replication_role')
  } finally {
    client.release()
  }
}
