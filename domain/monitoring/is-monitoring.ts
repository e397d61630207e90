import type { App } from '#domain/app.ts'

/** Monitoring is on where the agencies have an address to write to: one of them answers nobody else. */
export function isMonitoring({ config }: Pick<App, 'config'>): boolean {
  return config.contact !== null
}
