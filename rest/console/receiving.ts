import { DEADLINE_MS } from '#domain/engines/post.ts'
import { FAILING_STREAK } from '#domain/integrations/integration-rows.ts'
import { SILENCE_MS } from '#domain/integrations/record-outcome.ts'
import { ATTEMPTS_MAX, RETRY_DELAYS_SECONDS } from '#domain/integrations/schedule.ts'
import { SIGNATURE_ALGORITHM, SIGNATURE_HEADER, TOLERANCE_SECONDS } from '#domain/integrations/signature.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { examplesOf } from '#rest/examples.ts'
import { postHeaders } from '#rest/webhooks.ts'

/** Facts for receivers of posts, as a module for the console: examples and headers of the OpenAPI document, and the limits. */
export function receiverFacts(base_url: string): string {
  return Object.entries({
    samples: examplesOf(base_url).webhooks,
    headers: Object.values(postHeaders).map(({ name, description }) => ({ name, description })),
    signature: { header: SIGNATURE_HEADER, algorithm: SIGNATURE_ALGORITHM, tolerance_seconds: TOLERANCE_SECONDS },
    limits: {
      answer_seconds: DEADLINE_MS / 1000,
      attempts: ATTEMPTS_MAX,
      attempts_over_hours: Math.round(RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 3600),
      failing_after: FAILING_STREAK,
      switched_off_after_days: SILENCE_MS / DAY_MS,
    },
  })
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')
}
