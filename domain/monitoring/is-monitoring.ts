import type { App } from '#domain/app.ts'

/** Monitoring is on if a contact address for the agencies is set: one of them refuses requests without it. */
export function isMonitoring({ config }: Pick<App, 'config'>): boolean {
  return config.contact !== null
}
