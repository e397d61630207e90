/** What programs of the build are given: where programs and temporary files lie. */
const NEEDED = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT']
/** What npm needs besides: its folder, the way to its registry, and whom to trust there. */
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
/** npm's own settings, by which a registry and its token may be given. */
const NPM_SETTING = 'NPM_CONFIG_'

/**
 * The part of an environment that the build needs. The rest stays out: where the service is built beside its settings, its
 * secrets are none of the packages' business.
 * @param {NodeJS.ProcessEnv} env
 */
export const buildEnvironment = (env) => only(env, (name) => NEEDED.includes(name))

/** @param {NodeJS.ProcessEnv} env */
export const npmEnvironment = (env) =>
  only(env, (name) => NEEDED.includes(name) || NEEDED_BY_NPM.includes(name) || name.startsWith(NPM_SETTING))

/** Names in capitals: those of proxies and of npm are spelt either way. */
const only = (env, isNeeded) => Object.fromEntries(Object.entries(env).filter(([name]) => isNeeded(name.toUpperCase())))
