import { expect, test } from 'vitest'
import { openLog } from '#domain/engines/log.ts'
import { readConfig } from '#domain/kernel/config.ts'

test('settings in a log line show no password, key or token', () => {
  const secret = 'SECRET'.repeat(4)
  const config = readConfig({
    DATABASE_URL: `postgres://app:${secret}@db/weather`,
    DATABASE_DIRECT_URL: `postgres://app:${secret}@db/weather`,
    DATABASE_REPLICA_URL: `postgres://app:${secret}@replica/weather`,
    DATABASE_MIGRATE_URL: `postgres://owner:${secret}@db/weather`,
    REDIS_URL: `redis+sentinel://:${secret}@sentinel/main`,
    REDIS_SENTINEL_PASSWORD: secret,
    WEATHER_SECRET_KEY: Buffer.alloc(32, 'SECRET').toString('base64'),
    WEATHER_CERTIFICATE: '/run/certificate.p12',
    WEATHER_CERTIFICATE_PASSWORD: secret,
    WEATHER_BLOBS: 's3://documents?region=us-east-1',
    AWS_ACCESS_KEY_ID: secret,
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_SESSION_TOKEN: secret,
    WEATHER_OPERATOR_KEY: `wo_${secret}`,
    ENRICHMENT_URL: 'https://records.example.com',
    ENRICHMENT_TOKEN: secret,
    SMTP_URL: `smtps://app:${secret}@mail.example.com`,
    OIDC_ISSUER: 'https://id.example.com',
    OIDC_CLIENT_ID: 'weather',
    OIDC_CLIENT_SECRET: secret,
    OIDC_DOMAINS: 'example.com',
    MAPILLARY_TOKEN: secret,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${secret}`,
  })
  const lines: string[] = []
  openLog('info', { write: (line: string) => void lines.push(line) }).info({ config }, 'settings')
  expect(lines.join()).toContain('id.example.com')
  expect(lines.join()).not.toMatch(/SECRET|83,69,67/)
})
