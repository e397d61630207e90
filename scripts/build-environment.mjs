/** Variables that every build program needs: locations of programs and temporary files. */
const NEEDED = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT']
/** Additional variables for npm: its folder, access to its registry, and trusted certificates. */
const NEEDED_BY_NPM = [
  'HOME',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
]
/** npm's own settings, which may name a registry and its token. */
const NPM_SETTING = 'NPM_CONFIG_'

/**
 * Returns the part of an environment that the build needs. The rest is left out: if the service is built beside its settings, its
 * secrets must not reach the packages.
 * @param {NodeJS.ProcessEnv} env
 */
export const buildEnvironment = (env) => only(env, (name) => NEEDED.includes(name))

/** @param {NodeJS.ProcessEnv} env */
export const npmEnvironment = (env) =>
  only(env, (name) => NEEDED.includes(name) || NEEDED_BY_NPM.includes(name) || name.startsWith(NPM_SETTING))

/** Uppercase names: variables of proxies and npm may have either case. */
const only = (env, isNeeded) => Object.fromEntries(Object.entries(env).filter(([name]) => isNeeded(name.toUpperCase())))
