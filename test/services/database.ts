import pg from 'pg'

/** Makes a database for the run on an existing server, to be dropped when the run ends. */
export async function makeDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `weather_services_${process.pid}`
  const address = new URL(server)
  address.pathname = `/${name}`
  await ask(server, `CREATE DATABASE ${name}`)
  return { url: address.href, drop: () => ask(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

async function ask(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
