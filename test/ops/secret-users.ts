const SERVING = ['api', 'worker', 'documents']

/** The processes that use each secret. Others must not have it. */
export const secretUsers: Record<string, string[]> = {
  redis_password: SERVING,
  weather_signing_key: SERVING,
  mapillary_token: SERVING,
  enrichment_token: ['api', 'worker'],
  smtp_url: ['api', 'worker'],
  oidc_client_secret: ['api'],
}

/** Returns the secrets of the table that a process has. */
export const secretsOf = (process: string): string[] => Object.keys(secretUsers).filter((name) => secretUsers[name]?.includes(process))
