import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import type { VerificationView } from '#domain/reports/view.ts'

export async function reportVerification(_app: Pick<App, 'pool' | 'config'>, _caller: Caller, _id: string): Promise<VerificationView> {
  throw new Error('unfinished')
}
