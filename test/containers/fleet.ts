import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ACCESS_KEY, SECRET_KEY } from '../support/object-store.ts'
import { documentedLines } from './documented-lines.ts'

/** The compose files of the whole fleet, as COMPOSE_FILE names them. */
export const FLEET_FILES = 'docker-compose.yml:docker-compose.s3.yml:test/containers/fleet/compose.yml'

/**
 * Writes PgBouncer's settings, the documented ones with addresses of containers, and returns the lines that write
 * keys and addresses of the fleet.
 */
export function writeFleetSettings(folder: string): string {
  const lines = documentedLines(folder, 'PgBouncer', 0)
  const settings = lines.replace('host=127.0.0.1', 'host=postgres').replace('listen_addr = 127.0.0.1', 'listen_addr = *')
  mkdirSync(path.join(folder, 'pgbouncer'))
  writeFileSync(path.join(folder, 'pgbouncer/pgbouncer.ini'), settings)
  const { s3rver, aws4 } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).devDependencies
  return `echo 'BUCKET_PACKAGES=s3rver@${s3rver} aws4@${aws4}' >> .env
printf %s '${ACCESS_KEY}' > secrets/aws_access_key_id
printf %s '${SECRET_KEY}' > secrets/aws_secret_access_key
chmod 644 secrets/*
echo "WEATHER_BLOBS=s3://documents/install-1?endpoint=http%3A%2F%2Fbucket%3A9000" >> .env
echo "\\"weather_service\\" \\"$(cat secrets/service_password)\\"" > pgbouncer/userlist.txt
`
}
