import type { App } from '#domain/app.ts'

export interface Forgotten {
  source: string
  records: number
}

/**
 * Removes what a source brought: its records, cells and coverage. Published reports keep their own copy.
 * @throws Refusal validation_failed on `source` where no source is called so
 */
export async function forgetSource(_app: Pick<App, 'pool'>, _slug: string): Promise<Forgotten> {
  throw new Error('not built')
}
