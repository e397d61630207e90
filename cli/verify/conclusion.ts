import { type ExitStatus, exits } from '../failure.ts'
import type { Check } from './checks.ts'

/** Conclusion from all comparisons. */
export interface Conclusion {
  status: ExitStatus
  verdict: 'verified' | 'differs' | 'unconfirmed'
  sentence: string
}

/** One difference is enough to refuse a file. Agreement counts only with something outside the file. */
export function conclusionOf(checks: readonly Check[]): Conclusion {
  if (checks.some(({ outcome }) => outcome === 'differs'))
    return { status: exits.failed_or_mismatch, verdict: 'differs', sentence: 'It is not what it says it is: see what differs.' }
  if (checks.some(({ outcome, outside }) => outcome === 'agrees' && outside))
    return { status: exits.ok, verdict: 'verified', sentence: 'It agrees with what is known outside the file.' }
  return {
    status: exits.unconfirmed,
    verdict: 'unconfirmed',
    sentence:
      'It agrees with itself, and with nothing outside the file: anybody could have made it. Give --fingerprint, --keys or --service.',
  }
}
