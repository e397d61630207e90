import type { Threats } from '#domain/archive/warnings/warning.ts'

/** Returns what the tags of a message state, each with its basis if it states one: "hail up to 1.75 in (radar indicated)". */
export function threatTexts({ max_hail_in, hail_basis, max_gust_mph, wind_basis, tornado, flash_flood, damage: tag }: Threats): string[] {
  const words = (text: string) => text.replaceAll('_', ' ')
  const basis = (text: string | null) => (text ? ` (${words(text)})` : '')
  return [
    ...(tornado ? [`tornado ${words(tornado)}`] : []),
    ...(flash_flood ? [`flash flood ${words(flash_flood)}`] : []),
    ...(max_hail_in === null ? [] : [`hail up to ${max_hail_in.toFixed(2)} in${basis(hail_basis)}`]),
    ...(max_gust_mph === null ? [] : [`gusts up to ${max_gust_mph} mph${basis(wind_basis)}`]),
    ...(tag ? [`threat tag ${tag}`] : []),
  ]
}
