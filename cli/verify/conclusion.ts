import { type ExitStatus, exits } from '../failure.ts'
import type { Check } from './checks.ts'

/** Conclusion from all comparisons. */
export interface Conclusion {
  status: ExitStatus
  verdict: 'verified' | 'differs' | 'unconfirmed'
  sentence: string
}

/** One difference is enough to refuse a file. Only agreement with something outside the file verifies it. */
export function conclusionOf(checks: readonly Check[]): Conclusion {
  if (checks.some(({ outcome }) => outcome === 'differs'))
    return { status: exits.failed_or_mismatch, verdict: 'differs', sentence: 'The file failed verification: see the checks that differ.' }
  if (checks.some(({ outcome, outside }) => outcome === 'agrees' && outside))
    return { status: exits.ok, verdict: 'verified', sentence: 'The file is verified: it agrees with something outside it.' }
  return {
    status: exits.unconfirmed,
    verdict: 'unconfirmed',
    sentence:
      'The file agrees with itself, but nothing outside confirms it: anybody could have made it. Give --fingerprint, --keys or --service.',
  }
}
