import { HOUR_MS } from '../durations.ts'
import type { EvidenceRecord } from './evidence-shape.ts'
import { otherFigures, speedsOf } from './stated-figures.ts'

/**
 * Returns the parts of a record's caveats, as a document prints them, that contradict the record: the figures of another record, or a doubt
 * that this record cannot raise. The evidence does not contain the caveats, so other words are not compared: a point may or may not be
 * outside its county.
 */
export function contradictions(caveats: string, record: EvidenceRecord): string[] {
  const misfits: string[] = []
  let rest = caveats
  for (const [form, fits] of FORMS)
    rest = rest.replace(form, (sentence: string, ...groups: string[]) => {
      if (!fits(record, Number(groups[0]))) misfits.push(sentence)
      return ''
    })
  const states = [...caveats.matchAll(STATE)].filter(([, state]) => state !== record.location.state)
  return [...misfits, ...states.map(([words]) => words), ...otherFigures(rest, record)]
}

/** The state in which the source puts a record: "(Collin, TX)", "(TX)" */
const STATE = /\((?:[^()]*, )?([A-Z]{2})\)/g

/** The evidence has hundredths. */
const isNear = (one: number, other: number) => Math.abs(one - other) < 0.011
const isHail = ({ measurements: { hail_size_in } }: EvidenceRecord, inches: number) =>
  hail_size_in !== null && isNear(Number(hail_size_in), inches)
const isSpeed = (record: EvidenceRecord, mph: number) => speedsOf(record).some((speed) => isNear(speed, mph))
const hoursOf = ({ begins_at, ends_at }: EvidenceRecord) => (Date.parse(ends_at ?? begins_at) - Date.parse(begins_at)) / HOUR_MS

/** Sentences whose figures are the record's own, or limits, and those that only some records can have, with the first figure in them. */
const FORMS: [RegExp, (record: EvidenceRecord, figure: number) => boolean][] = [
  [
    /\bHail of ([\d.]+) in is larger than any measured in the United States \(8\.00 in, [^()]*\)\./g,
    (record, inches) => isHail(record, inches) && inches > 8,
  ],
  [
    /\bHail of ([\d.]+) in is too small to be hail \(5 mm, 0\.20 in, at least\)\./g,
    (record, inches) => isHail(record, inches) && inches <= 0.2,
  ],
  [
    /\bA wind of ([\d.]+) mph is weaker than a fresh breeze \(Beaufort 5, 19 mph at least\)/g,
    (record, mph) => isSpeed(record, mph) && mph < 19,
  ],
  [
    /\bA thunderstorm wind of ([\d.]+) mph is stronger than any measured in the United States \(150 mph, [^()]*\)\./g,
    (record, mph) => isSpeed(record, mph) && mph > 150,
  ],
  [
    /\bA wind of ([\d.]+) mph is stronger than any measured in the United States \(231 mph, [^()]*\)\./g,
    (record, mph) => isSpeed(record, mph) && mph > 231,
  ],
  [
    /\bThe source gives (\d+) hours from beginning to end, too long for a thunderstorm:/g,
    (record, hours) => Math.round(hoursOf(record)) === hours && record.family === 'thunderstorm' && hours >= 24,
  ],
  [/\bThe source gives an end \([^()]*\) before the beginning \([^()]*\):/g, ({ ends_at }) => ends_at === null],
  [/\bThe two ends of the path lie [\d.]+ mi apart\b/g, ({ type, location }) => type === 'tornado' && location.precision !== 'path'],
  [/\b(?:The corners|A corner) of the flooded area\b/g, ({ type, location }) => type.endsWith('flood') && location.precision !== 'area'],
  [/\bIts hours reach \d+ h beyond the local day\b/g, ({ provenance }) => provenance.evidence_kind === 'radar'],
]
