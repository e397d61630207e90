import { closestWord } from '#domain/kernel/closest-word.ts'
import type { Environment } from '#domain/kernel/setting-files.ts'
import { settingNames } from '#domain/kernel/settings.ts'

/** `METRIC_PORT` is this like `METRICS_PORT`; a browser's `BROWSER` is less like `BROWSER_WS` (0.8). */
const LIKENESS_MIN = 0.85
/** Other programs read further names of these. */
const SHARED = /^(AWS|OTEL)_/

/** A name of the environment that is no setting, and the setting that is probably meant. */
export interface MisspelledSetting {
  name: string
  like: string
}

/** Returns the names that are almost a setting's. They may be another program's, so they are reported and not refused. */
export function misspelledSettings(env: Environment): MisspelledSetting[] {
  const isSetting = (name: string) => settingNames.includes(name.replace(/_FILE$/, ''))
  return Object.keys(env)
    .filter((name) => env[name] && !isSetting(name) && !SHARED.test(name))
    .flatMap((name) => {
      const like = closestWord(name, settingNames, LIKENESS_MIN)
      return like ? [{ name, like }] : []
    })
}
