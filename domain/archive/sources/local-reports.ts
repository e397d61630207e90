import type { Source } from '#domain/archive/sources/source.ts'

/** Local storm reports of National Weather Service offices: preliminary. */
export const localReports = {
  id: 'nws_lsr',
  slug: 'local-reports',
  label: 'National Weather Service local storm reports',
  lane: 'record',
  evidence_kind: 'ground',
  methodology:
    'Preliminary reports that National Weather Service offices issue as they reach them from spotters, officials, stations and the public; a later product may correct an earlier one, and they are not quality-controlled.',
  /** https://mesonet.agron.iastate.edu/p.php?pid=202506052240-KLUB-NWUS54-LSRLUB: the key starts with the product's id. */
  cite(record) {
    const product = /^\d{12}-[A-Z]{4}-[A-Z0-9]{6}-[A-Z0-9]+/.exec(record.source_key)?.[0]
    return product ? `https://mesonet.agron.iastate.edu/p.php?pid=${product}` : 'https://mesonet.agron.iastate.edu/lsr/'
  },
} as const satisfies Source
