import { expect, test } from 'vitest'
import { whenOf } from '../../console/pages/alerts/labels.ts'
import { moment } from '../../console/parts/format.ts'

const at = (hour: string) => `2026-06-03T${hour}:00:00Z`
const mail = { created_at: at('00'), send_after: at('06'), sent_at: null, failed_at: null }

test('only a mail that is still to be sent is due', () => {
  expect([
    whenOf({ ...mail, status: 'queued' }),
    whenOf({ ...mail, status: 'retrying' }),
    whenOf({ ...mail, status: 'sent', sent_at: at('07') }),
    whenOf({ ...mail, status: 'failed', failed_at: at('09') }),
    whenOf({ ...mail, status: 'skipped' }),
  ]).toEqual([...Array(2).fill(`due ${moment(at('06'))}`), ...['07', '09', '00'].map((hour) => moment(at(hour)))])
})
