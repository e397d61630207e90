import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '#domain/exports/archive/cql2.ts'
import { queryableNames } from '#domain/exports/archive/queryables.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** A filter as SQL, with its parameters. */
function sqlOf(filter: string): [sql: string, ...values: unknown[]] {
  const values: unknown[] = []
  return [parseFilter(filter)((value) => `$${values.push(value)}`), ...values]
}

function faultOf(filter: string): string {
  try {
    parseFilter(filter)
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault
    expect([fault.code, Object.keys(fault.details.errors ?? {})]).toEqual(['malformed_request', ['filter']])
    return fault.message
  }
  throw new Error(`${filter} is read`)
}

describe('a filter of CQL2 text', () => {
  it.each([
    ["type = 'hail'", 'r.type = $1::text', 'hail'],
    ['"severity" <> \'minor\'', 'r.severity <> $1::text', 'minor'],
    ['hail_size_in >= 1.75', 'r.hail_size_in >= $1::float8', 1.75],
    ['longitude < -1.0e2', 'r.longitude < $1::float8', -100],
    ['tornado_ef_scale IS NULL', 'r.tornado_ef_scale IS NULL'],
    ['wind_gust_mph is not null', 'r.wind_gust_mph IS NOT NULL'],
    ['provisional = TRUE', 'r.preliminary = TRUE'],
    ["occurred_on > DATE('2026-05-20')", 'r.occurred_on > $1::date', '2026-05-20'],
    ["begins_at <= TIMESTAMP('2026-05-20T12:00:00Z')", 'r.begins_at <= $1::timestamptz', '2026-05-20T12:00:00Z'],
    ['wind_gust_mph BETWEEN 58 AND 75', 'r.wind_gust_mph BETWEEN $1::float8 AND $2::float8', 58, 75],
    ["type NOT IN ('hail', 'tornado')", 'NOT (r.type IN ($1::text, $2::text))', 'hail', 'tornado'],
    ["county LIKE 'O''B\\%_n%'", 'r.county LIKE $1::text', "O'B\\%_n%"],
    ["county NOT LIKE '%'';DROP TABLE teams;--'", 'NOT (r.county LIKE $1::text)', "%';DROP TABLE teams;--"],
    [
      "state = 'OK' OR state = 'TX' AND is_observed <> false",
      '(r.state = $1::text OR (r.state = $2::text AND r.is_observed <> FALSE))',
      'OK',
      'TX',
    ],
    ["not (state = 'OK' or (id < 7)) and TRUE", '(NOT ((r.state = $1::text OR r.id < $2::float8)) AND true)', 'OK', 7],
  ])('%s', (filter, ...wanted) => {
    expect(sqlOf(filter)).toEqual(wanted)
  })

  it.each([
    ['', 'At character 1 of the filter: Expected the name of a property, not the end.'],
    ["type = 'hails'", 'At character 8 of the filter: No type is called hails: did you mean hail?'],
    ["severity = 'x'", 'No severity is called x: it is one of unknown, minor, moderate, severe, extreme.'],
    ["severty = 'minor'", 'At character 1 of the filter: There is no property called severty: did you mean severity?'],
    ['hail_size_in >= big', 'At character 17 of the filter: Expected a number, as hail_size_in is, not big.'],
    ['hail_size_in >= 1e999', 'At character 17 of the filter: Expected a number, as hail_size_in is, not 1e999.'],
    ["hail_size_in > 1 AND type = 'hail", 'At character 29 of the filter: The text that begins here has no closing quote.'],
    ['(id = 1', 'At character 8 of the filter: Expected ), not the end.'],
    ['id = 1)', 'At character 7 of the filter: Expected AND, OR or the end, not ).'],
    ['id == 1', 'At character 5 of the filter: Expected a number, as id is, not =.'],
    ['id NOT = 1', 'At character 8 of the filter: Expected LIKE, BETWEEN or IN, not =.'],
    ['is_observed > TRUE', 'At character 13 of the filter: is_observed is true or false: use = or <>.'],
    ["occurred_on = DATE('2026-02-30')", "At character 20 of the filter: Expected the text of DATE('2026-05-20'), not 2026-02-30."],
    ["begins_at = DATE('2026-02-03')", "At character 13 of the filter: Expected TIMESTAMP('2026-05-20T12:00:00Z'), not DATE."],
    ["county LIKE 'a\\\\\\\\\\'", 'At character 13 of the filter: The text that begins here has no closing quote.'],
    ["hail_size_in LIKE '1%'", 'At character 19 of the filter: LIKE compares texts, and hail_size_in is not a text.'],
    ['id = 1; DROP TABLE teams', 'At character 7 of the filter: ; is not allowed here.'],
    ["county = 'a\u0000b'", 'At character 12 of the filter: A filter must not contain control characters.'],
    ["description = 'x'", 'There is no property called description'],
    ["constructor = 'x'", 'There is no property called constructor'],
    ['AND = 1', 'At character 1 of the filter: Expected the name of a property, not AND.'],
    [`${'('.repeat(51)}id = 1`, 'At character 52 of the filter: A filter may be nested 50 times at most.'],
    [`${'NOT '.repeat(60)}id = 1`, 'A filter may be nested 50 times at most.'],
    [Array(101).fill('id = 1').join(' OR '), 'A filter may make 100 comparisons at most.'],
    [`id IN (${Array(201).fill('1').join()})`, 'A list may have 200 values at most.'],
    [`county = '${'a'.repeat(10_000)}'`, 'The filter must have at most 4000 characters.'],
  ])('refuses %s and gives the position', (filter, sentence) => {
    expect(faultOf(filter)).toContain(sentence)
  })

  it('reads or refuses any text', () => {
    const words = [
      'AND',
      'OR',
      'NOT',
      '(',
      ')',
      ',',
      '=',
      '<>',
      'IS',
      'NULL',
      'LIKE',
      'IN',
      'BETWEEN',
      "'x'",
      '1',
      '-.5e3',
      'DATE',
      "'",
      '\\',
      ...queryableNames,
    ]
    const filters = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(filters, (filter) => {
        try {
          // The statement contains none of the filter's values.
          expect(sqlOf(filter)[0]).not.toContain("'x'")
        } catch (fault) {
          expect(fault).toBeInstanceOf(Refusal)
        }
      }),
      { numRuns: 3000 },
    )
  })
})
