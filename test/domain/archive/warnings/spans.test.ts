import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spansOf } from '#domain/archive/warnings/spans.ts'
import type { StoredMessage } from '#domain/archive/warnings/warning.ts'
import { aMessage, square } from './message.ts'

const [big, small, moved] = [square(-97), square(-96.9), square(-96)]
const clock = (at: Date) => at.toISOString().slice(11, 16)

/** Each span on one line: time range, message and place. */
function spansAsText(messages: StoredMessage[]): string[] {
  const names = new Map<object, string>([
    [big, 'big'],
    [small, 'small'],
    [moved, 'moved'],
  ])
  return spansOf(messages)
    .map(({ message, from, until, area }) => {
      const where = 'geometry' in area ? (names.get(area.geometry) ?? 'unknown') : area.codes.join('+')
      return `${clock(from)}-${clock(until)} ${message.headline} ${message.action} ${where}`
    })
    .sort()
}

const issue = aMessage('NEW', '23:10', { geometry: big })

describe('a warning for a polygon', () => {
  it('is in force over the polygon of each message until the next replaces it', () => {
    const messages = [issue, aMessage('CON', '23:20', { geometry: small }), aMessage('CON', '23:30', { geometry: moved })]
    expect(spansAsText(messages)).toEqual(['23:10-23:20 23:10 NEW big', '23:20-23:30 23:20 CON small', '23:30-23:45 23:30 CON moved'])
  })

  it('ends when it is cancelled or at its end time', () => {
    expect(spansAsText([issue, aMessage('CAN', '23:25', { geometry: big })])).toEqual(['23:10-23:25 23:10 NEW big'])
    expect(spansAsText([issue, aMessage('UPG', '23:25')])).toEqual(['23:10-23:25 23:10 NEW big'])
    expect(spansAsText([issue, aMessage('EXP', '23:40')])).toEqual(['23:10-23:45 23:10 NEW big'])
    expect(spansAsText([issue, aMessage('EXP', '23:50')])).toEqual(['23:10-23:45 23:10 NEW big'])
  })

  it('continues over the rest if a segment of the same product cancels a county', () => {
    const cancelled = aMessage('CAN', '23:20', { geometry: small, county_fips: ['48113'] })
    expect(spansAsText([issue, cancelled, aMessage('CON', '23:20', { geometry: small, county_fips: ['48085'] })])).toEqual([
      '23:10-23:20 23:10 NEW big',
      '23:20-23:45 23:20 CON small',
    ])
  })

  it('is corrected from the correction on, and at once if both were sent at the same moment', () => {
    expect(spansAsText([issue, aMessage('COR', '23:14', { geometry: moved })])).toEqual([
      '23:10-23:14 23:10 NEW big',
      '23:14-23:45 23:14 COR moved',
    ])
    expect(spansAsText([issue, aMessage('NEW', '23:10', { geometry: moved, correction: 'CCA', message_key: 'corrected' })])).toEqual([
      '23:10-23:45 23:10 NEW moved',
    ])
  })

  it('can be extended, also by a message without its own polygon', () => {
    const later = new Date('2026-05-29T00:30:00Z')
    expect(spansAsText([issue, aMessage('EXT', '23:40', { geometry: big, ends_at: later })])).toEqual([
      '23:10-23:40 23:10 NEW big',
      '23:40-00:30 23:40 EXT big',
    ])
    expect(spansAsText([issue, aMessage('EXT', '23:40', { ends_at: later, county_fips: ['48113'] })])).toEqual([
      '23:10-23:40 23:10 NEW big',
      '23:40-00:30 23:40 EXT big',
    ])
  })

  it('has no area during a message with an implausible polygon: neither the earlier polygon nor the counties are used', () => {
    const doubtful = aMessage('CON', '23:20', { polygon_fault: 'crosses itself', county_fips: ['48113'] })
    expect(spansAsText([issue, doubtful])).toEqual(['23:10-23:20 23:10 NEW big'])
    expect(spansAsText([issue, doubtful, aMessage('CON', '23:30', { county_fips: ['48113'] })])).toEqual(['23:10-23:20 23:10 NEW big'])
    expect(spansAsText([{ ...doubtful, action: 'NEW' }, aMessage('CON', '23:30', { geometry: small })])).toEqual([
      '23:30-23:45 23:30 CON small',
    ])
  })

  it('begins at the time in its first message, even if that was sent later; a later message begins when it was sent', () => {
    const late = { ...issue, sent_at: new Date('2026-05-28T23:15:00Z') }
    expect(spansAsText([late])).toEqual(['23:10-23:45 23:10 NEW big'])
    expect(spansAsText([aMessage('CON', '23:20', { geometry: small, begins_at: new Date('2026-05-28T23:10:00Z') })])).toEqual([
      '23:20-23:45 23:20 CON small',
    ])
    const tomorrow = new Date('2026-05-29T06:00:00Z')
    const winter = { begins_at: tomorrow, ends_at: new Date('2026-05-29T12:00:00Z') }
    expect(
      spansAsText([aMessage('NEW', '23:10', { geometry: big, ...winter }), aMessage('CON', '23:20', { geometry: small, ...winter })]),
    ).toEqual(['06:00-12:00 23:20 CON small'])
  })

  it('without an end time has no area', () => {
    expect(spansAsText([{ ...issue, ends_at: null, expires_at: null }])).toEqual([])
    expect(spansAsText([{ ...issue, ends_at: null }])).toEqual(['23:10-23:45 23:10 NEW big'])
  })

  it('that ended before it was issued, or with only its end stored, was never in force', () => {
    expect(spansAsText([aMessage('CAN', '23:25', { geometry: big })])).toEqual([])
    expect(spansAsText([aMessage('NEW', '23:50', { geometry: big })])).toEqual([])
  })
})

describe('a warning for counties or zones', () => {
  const zones = { zones: ['TXZ118', 'TXZ119'] }

  it('follows, in each zone, the newest message that names the zone', () => {
    const messages = [
      aMessage('NEW', '23:10', zones),
      aMessage('CAN', '23:20', { zones: ['TXZ118'] }),
      aMessage('EXT', '23:20', { zones: ['TXZ119'], ends_at: new Date('2026-05-29T00:30:00Z') }),
      aMessage('EXA', '23:30', { zones: ['TXZ120'] }),
    ]
    expect(spansAsText(messages)).toEqual([
      '23:10-23:20 23:10 NEW TXZ118',
      '23:10-23:20 23:10 NEW TXZ119',
      '23:20-00:30 23:20 EXT TXZ119',
      '23:30-23:45 23:30 EXA TXZ120',
    ])
  })

  it('ends everywhere with a cancellation that names nothing', () => {
    expect(spansAsText([aMessage('NEW', '23:10', zones), aMessage('CAN', '23:20')])).toEqual(['23:10-23:20 23:10 NEW TXZ118+TXZ119'])
  })

  it('uses its polygon from the moment that one is drawn', () => {
    expect(spansAsText([aMessage('NEW', '23:10', zones), aMessage('CON', '23:20', { geometry: small, ...zones })])).toEqual([
      '23:10-23:20 23:10 NEW TXZ118+TXZ119',
      '23:20-23:45 23:20 CON small',
    ])
  })
})

describe('a message made from a warning stored before messages were kept', () => {
  const made = (message: StoredMessage): StoredMessage => ({ ...message, made: true, begins_at: new Date('2026-05-28T23:10:00Z') })

  it('stands for the whole warning, even if the warning was over', () => {
    expect(spansAsText([made(aMessage('CON', '23:25', { geometry: small }))])).toEqual(['23:10-23:45 23:25 CON small'])
    expect(spansAsText([made(aMessage('CAN', '23:25', { geometry: small }))])).toEqual(['23:10-23:25 23:25 CAN small'])
    expect(spansAsText([made(aMessage('EXP', '23:40', { geometry: small }))])).toEqual(['23:10-23:45 23:40 EXP small'])
  })

  it('applies from the time it was sent once the earlier messages arrive', () => {
    expect(spansAsText([issue, made(aMessage('CON', '23:25', { geometry: small }))])).toEqual([
      '23:10-23:25 23:10 NEW big',
      '23:25-23:45 23:25 CON small',
    ])
    expect(spansAsText([issue, made(aMessage('CAN', '23:25', { geometry: small }))])).toEqual(['23:10-23:25 23:10 NEW big'])
    expect(
      spansAsText([made(aMessage('CON', '23:25', { county_fips: ['48113'] })), aMessage('CAN', '23:30', { zones: ['TXZ119'] })]),
    ).toEqual(['23:10-23:30 23:25 CON 48113'])
  })
})

it('spans do not depend on the order of messages, never begin before their message, and never overlap another polygon', () => {
  const shapes = fc.constantFrom({ geometry: big }, { geometry: small }, { polygon_fault: 'crosses itself' }, {})
  const action = fc.constantFrom('NEW', 'CON', 'EXT', 'COR', 'CAN', 'EXP', 'UPG', 'EXA')
  const message = fc.record({ action, minute: fc.integer({ min: 10, max: 50 }), shape: shapes, zone: fc.constantFrom('TXZ118', 'TXZ119') })
  fc.assert(
    fc.property(
      fc.uniqueArray(message, { maxLength: 7, selector: ({ minute }) => minute }),
      fc.infiniteStream(fc.nat()),
      (generated, order) => {
        const messages = generated.map(({ action, minute, shape, zone }) =>
          aMessage(action as 'NEW', `23:${minute}`, { ...shape, zones: [zone] }),
        )
        const shuffled = messages
          .map((one) => ({ one, at: order.next().value }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one)
        expect(spansAsText(shuffled)).toEqual(spansAsText(messages))
        const polygons = spansOf(messages).filter(({ area }) => 'geometry' in area)
        for (const one of polygons) {
          expect(one.from >= one.message.sent_at && one.from < one.until).toBe(true)
          for (const other of polygons) expect(one === other || one.until <= other.from || other.until <= one.from).toBe(true)
        }
      },
    ),
    { numRuns: 300 },
  )
})
