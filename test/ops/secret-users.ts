/** The processes that call each service with a secret of ours. Others must not have it. */
export const secretUsers: Record<string, string[]> = {
  enrichment_token: ['api', 'worker'],
  smtp_url: ['api', 'worker'],
  oidc_client_secret: ['api'],
}

/** Returns the secrets of the table that a process has. */
export const secretsOf = (process: string): string[] => Object.keys(secretUsers).filter((name) => secretUsers[name]?.includes(process))
