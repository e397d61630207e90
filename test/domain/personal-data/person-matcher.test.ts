import { describe, expect, it } from 'vitest'
import { bodies } from '#domain/integrations/channels/index.ts'
import { testPayload } from '#domain/integrations/payload.ts'
import type { Person } from '#domain/personal-data/person.ts'
import { excerptOf, type PersonMatcher, personMatcherOf, withoutPerson } from '#domain/personal-data/person-matcher.ts'
import { phoneNumbersIn } from '#domain/personal-data/phone-numbers.ts'

const jane: Person = {
  email: 'jane.quill@example.org',
  contacts: [],
  namesakes: [],
  names: ['Jane van Quill', 'Cher'],
  phones: ['4055550142', '911'],
}
const posted = { delivery_id: 'd', created_at: new Date(0), exposure_ids: [] }
const matcher = personMatcherOf(jane)
const erased = (text: string, by = matcher) => withoutPerson(by, text)

/** Whether the database would find the row: the LIKE patterns as regular expressions. */
function isFetched({ prefilter }: PersonMatcher, text: string): boolean {
  const like = (pattern: string, value: string) => new RegExp(`^${pattern.replaceAll('%', '.*')}$`, 's').test(value)
  const { like_patterns: likePatterns, digits } = prefilter as NonNullable<PersonMatcher['prefilter']>
  return likePatterns.some((one) => like(one, text.toLowerCase())) || digits.some((one) => like(one, text.replace(/\D/g, '')))
}

describe('a person is named', () => {
  it.each([
    'jane.quill@example.org',
    'JANE.Quill@Example.ORG',
    'Jane van Quill',
    'jane  van\nquill',
    'van Quill, Jane',
    'Quill,Jane van',
    '405-555-0142',
    '(405) 555 0142',
    '+1 405.555.0142',
    '14055550142',
    '4055550142',
    '405/555-0142',
  ])('by %j', (text) => {
    for (const around of [text, `call ${text}, please`, `<${text}>`, `"${text}"`]) {
      expect(erased(around)).toContain('[erased]')
      expect(erased(around)).not.toMatch(/quill|0142/i)
      expect(isFetched(matcher, around)).toBe(true)
    }
    expect(erased(`a ${text} b ${text} c`).match(/\[erased\]/g)).toHaveLength(2)
  })

  it.each([
    'mary-jane.quill@example.org',
    'jane.quill@example.org.uk',
    'jane.quill@example.organic',
    'Jane van Quillfeather',
    'Maryjane van Quill',
    'Jane',
    'Quill',
    'Cher',
    'call 911',
    '40555501423',
    '405 555 014',
    '01a20405-5550-7425-8000-000000000000',
    '2026-05-20T12:00:00Z',
  ])('but not by %j', (text) => {
    expect(erased(text)).toBe(text)
    expect(excerptOf(matcher, text)).toBeNull()
  })

  describe('by a number without its area code', () => {
    const local = personMatcherOf({ ...jane, phones: ['5551234'] })
    it.each(['555-1234', '5551234', 'tel 555.1234', '(555) 1234', '75202\n555-1234', '555-1234 x12'])('as in %j', (text) => {
      expect(erased(text, local)).toContain('[erased]')
      expect(erased(text, local)).not.toContain('1234')
      expect(isFetched(local, text)).toBe(true)
    })
    it.each([
      '214-555-1234',
      '(972) 555-1234',
      '214\u200b.555.1234',
      '2145551234',
      '+1 972 555 1234',
      'CLM-5551234',
      'CLM5551234',
      '555-1234-77',
      '55512345',
    ])('but not as in %j', (text) => {
      expect(erased(text, local)).toBe(text)
    })
  })

  it.each(['chat_a', 'chat_b'] as const)('in the form in which posts to %s contain the name', (channel) => {
    const odd = personMatcherOf({ ...jane, email: 'jane_quill+x@example.org', names: ['Jane (J) <Quill> & Sons'] })
    const named = `jane_quill+x@example.org, Jane (J) <Quill> & Sons, +1 (405) 555-0142`
    const sent = bodies[channel](testPayload({ ...posted, subject: named, team_name: named }, 'https://weather.example'))
    const texts = JSON.stringify(JSON.parse(sent), (_, value) => (typeof value === 'string' ? erased(value, odd) : value))
    expect(texts).not.toMatch(/quill|0142/i)
    expect(isFetched(odd, sent)).toBe(true)
  })

  it('only by the address if somebody else has the same name', () => {
    const shared = personMatcherOf({ ...jane, namesakes: [{ id: 1, property_id: '', name: 'Jane van Quill', email: null, phone: null }] })
    expect(erased('Jane van Quill, jane.quill@example.org', shared)).toBe('Jane van Quill, [erased]')
  })

  it('by any of hundreds of names and numbers, but not by a mixture of two', () => {
    const letters = (nth: number) => [...String(nth)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
    const names = Array.from({ length: 500 }, (_, at) => `Quill${letters(at)} Feather${letters(at)}`)
    const phones = Array.from({ length: 500 }, (_, at) => `+1 405 ${2_000_000 + at * 7919}`)
    const office = personMatcherOf({ ...jane, names, phones: phones.flatMap(phoneNumbersIn) })
    expect(office.prefilter).toBeNull()
    for (const [at, name] of names.entries())
      expect(erased(`to ${name.toUpperCase()} (${phones[at]}).`, office)).toBe('to [erased] ([erased]).')
    expect(erased('Quilla Featherb, 405 200 0001', office)).toBe('Quilla Featherb, 405 200 0001')
  })

  it('by names with characters that are special in an expression', () => {
    const odd = personMatcherOf({
      ...jane,
      email: 'j+q*(x)$@example.org',
      names: ["J. (Jo) O'Quill-Smith \\ Söhne", 'Zoë Ångström'],
      phones: [],
    })
    for (const text of ["J. (Jo) O'Quill-Smith \\ Söhne", 'ZOË ÅNGSTRÖM', 'j+q*(x)$@example.org'])
      expect(erased(`to ${text}.`, odd)).toBe('to [erased].')
    expect(erased('jjq@example.org', odd)).toBe('jjq@example.org')
  })
})

it('an excerpt shows only the words around the name', () => {
  const text = `${'a'.repeat(500)} jane.quill@example.org ${'b'.repeat(500)}`
  const excerpt = excerptOf(matcher, text) as string
  expect(excerpt).toMatch(/^…a+ jane\.quill@example\.org b+…$/)
  expect(excerpt.length).toBeLessThan(160)
})

it.each([
  ['214-555-1234 x12', ['2145551234']],
  ['(214) 555-1234 ext. 305', ['2145551234']],
  ['+1 214 555 1234;ext=305', ['2145551234']],
  ['2145551234 #7', ['2145551234']],
  ['214-555-1234 or 972-555-9876', ['2145551234', '9725559876']],
  ['214-555-1234 / 972-555-9876', ['2145551234', '9725559876']],
  ['555-1234/555-9876', ['5551234', '5559876']],
  ['214-555-1234/35', ['2145551234']],
  ['214/555-1234', ['2145551234']],
  ['+1 214 555 1234 +1 972 555 9876', ['2145551234', '9725559876']],
  ['214-555-1234 & 972-555-9876', ['2145551234', '9725559876']],
  ['555-1234 (cell)', ['5551234']],
  ['1-800-FLOWERS', ['1800']],
])('the telephone numbers in %j are %j', (phone, numbers) => {
  expect(phoneNumbersIn(phone)).toEqual(numbers)
})
