import type { ColumnType } from '#domain/exports/archive/columns.ts'
import { refuseFilter, type Token, tokensOf } from '#domain/exports/archive/cql2-tokens.ts'
import { queryableNames, queryableOf } from '#domain/exports/archive/queryables.ts'
import type { Condition } from '#domain/exports/archive/records.ts'
import { refuseParameter } from '#domain/exports/archive/refuse-parameter.ts'
import { closestWord } from '#domain/kernel/closest-word.ts'
import { moment } from '#domain/kernel/fields.ts'
import { present } from '#domain/kernel/present.ts'
import { gatherFaults, isDate } from '#domain/kernel/validation.ts'

/** The most characters of a filter: a hundred comparisons of usual length. */
export const FILTER_MAX = 4000
/** The deepest nesting of parentheses and NOTs, each a call on the stack; real filters have less than a tenth of it. */
const DEPTH_MAX = 50
/** The most comparisons: each is evaluated for every record that is read. */
const COMPARISONS_MAX = 100
/** The most values of one IN. */
const LIST_MAX = 200

/** The state of the parser. */
interface Cursor {
  tokens: Token[]
  next: number
  depth: number
  comparisons: number
}

/**
 * Converts a CQL2 text filter (OGC 21-065r2) to an SQL condition: AND, OR, NOT, parentheses; comparisons of a property with a value, IS NULL,
 * LIKE, BETWEEN and IN. Values are passed as parameters.
 * @throws Refusal 400 that names the character with the syntax error, or the unknown property or value
 */
export function parseFilter(filter: string): Condition {
  if (filter.length > FILTER_MAX) refuseParameter('filter', `The filter must have at most ${FILTER_MAX} characters.`)
  const cursor: Cursor = { tokens: tokensOf(filter), next: 0, depth: 0, comparisons: 0 }
  const condition = either(cursor)
  if (peek(cursor).kind !== 'end') unexpected(peek(cursor), 'AND, OR or the end')
  return condition
}

function either(cursor: Cursor): Condition {
  const parts = [both(cursor)]
  while (takeWord(cursor, 'OR')) parts.push(both(cursor))
  return joined(parts, ' OR ')
}

function both(cursor: Cursor): Condition {
  const parts = [single(cursor)]
  while (takeWord(cursor, 'AND')) parts.push(single(cursor))
  return joined(parts, ' AND ')
}

const joined = (parts: Condition[], by: string): Condition =>
  parts.length === 1 ? present(parts[0]) : (bind) => `(${parts.map((part) => part(bind)).join(by)})`

function single(cursor: Cursor): Condition {
  if (takeWord(cursor, 'NOT')) return within(cursor, () => negated(single(cursor)))
  if (!takeSign(cursor, '(')) return predicate(cursor)
  return within(cursor, () => {
    const condition = either(cursor)
    requireSign(cursor, ')')
    return condition
  })
}

const negated =
  (condition: Condition): Condition =>
  (bind) =>
    `NOT (${condition(bind)})`

function within(cursor: Cursor, parse: () => Condition): Condition {
  if (++cursor.depth > DEPTH_MAX) refuseFilter(peek(cursor).at, `A filter may be nested ${DEPTH_MAX} times at most.`)
  const condition = parse()
  cursor.depth--
  return condition
}

function predicate(cursor: Cursor): Condition {
  if (++cursor.comparisons > COMPARISONS_MAX) refuseFilter(peek(cursor).at, `A filter may make ${COMPARISONS_MAX} comparisons at most.`)
  if (takeWord(cursor, 'TRUE')) return () => 'true'
  if (takeWord(cursor, 'FALSE')) return () => 'false'
  const property = takeProperty(cursor)
  if (takeWord(cursor, 'IS')) return nullness(cursor, property)
  const inverted = takeWord(cursor, 'NOT')
  const condition = matching(cursor, property)
  if (condition) return inverted ? negated(condition) : condition
  const comparison = peek(cursor)
  if (inverted || comparison.kind !== 'sign' || !COMPARISONS.has(comparison.value))
    unexpected(comparison, inverted ? 'LIKE, BETWEEN or IN' : '=, <>, <, >, <=, >=, IS, LIKE, BETWEEN or IN')
  cursor.next++
  if (property.type === 'boolean' && !EQUALITIES.has(comparison.value))
    refuseFilter(comparison.at, `${property.name} is true or false: use = or <>.`)
  const value = takeValue(cursor, property)
  return (bind) => `${property.sql} ${comparison.value} ${value(bind)}`
}

const EQUALITIES = new Set(['=', '<>'])
const COMPARISONS = new Set([...EQUALITIES, '<', '>', '<=', '>='])

function nullness(cursor: Cursor, { sql }: Property): Condition {
  const inverted = takeWord(cursor, 'NOT')
  if (!takeWord(cursor, 'NULL')) unexpected(peek(cursor), 'NULL')
  return () => `${sql} IS ${inverted ? 'NOT ' : ''}NULL`
}

/** Parses LIKE, BETWEEN or IN; null if none of them follows. */
function matching(cursor: Cursor, property: Property): Condition | null {
  if (takeWord(cursor, 'LIKE')) return likeness(cursor, property)
  if (takeWord(cursor, 'BETWEEN')) {
    const least = takeValue(cursor, property)
    if (!takeWord(cursor, 'AND')) unexpected(peek(cursor), 'AND')
    const most = takeValue(cursor, property)
    return (bind) => `${property.sql} BETWEEN ${least(bind)} AND ${most(bind)}`
  }
  if (!takeWord(cursor, 'IN')) return null
  requireSign(cursor, '(')
  const values = [takeValue(cursor, property)]
  while (takeSign(cursor, ',')) {
    if (values.length === LIST_MAX) refuseFilter(peek(cursor).at, `A list may have ${LIST_MAX} values at most.`)
    values.push(takeValue(cursor, property))
  }
  requireSign(cursor, ')')
  return (bind) => `${property.sql} IN (${values.map((value) => value(bind)).join(', ')})`
}

function likeness(cursor: Cursor, { name, type, sql }: Property): Condition {
  const pattern = take(cursor)
  if (type !== 'text') refuseFilter(pattern.at, `LIKE compares texts, and ${name} is not a text.`)
  if (pattern.kind !== 'text') unexpected(pattern, "a text such as 'Cle%'")
  // PostgreSQL refuses a pattern that ends with an incomplete escape.
  if (/(?<!\\)(?:\\\\)*\\$/.test(pattern.value)) refuseFilter(pattern.at, 'The pattern ends with a \\ that escapes nothing.')
  return (bind) => `${sql} LIKE ${bind(pattern.value)}::text`
}

interface Property {
  name: string
  type: ColumnType
  sql: string
  values?: readonly string[]
}

function takeProperty(cursor: Cursor): Property {
  const token = take(cursor)
  if (token.kind !== 'name' && (token.kind !== 'word' || KEYWORDS.has(token.value.toUpperCase())))
    unexpected(token, 'the name of a property')
  const queryable = queryableOf(token.value)
  if (queryable) return { name: token.value, ...queryable }
  const nearest = closestWord(token.value, queryableNames)
  const hint = nearest ? `did you mean ${nearest}?` : `a filter may name ${queryableNames.join(', ')}.`
  return refuseFilter(token.at, `There is no property called ${shortened(token.value)}: ${hint}`)
}

const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'IS', 'NULL', 'LIKE', 'BETWEEN', 'IN', 'TRUE', 'FALSE', 'DATE', 'TIMESTAMP'])

/** Reads a value that a property can be compared with, of the property's type. */
function takeValue(cursor: Cursor, property: Property): Condition {
  const token = take(cursor)
  const { name, type, values } = property
  if (type === 'text') {
    if (token.kind !== 'text') unexpected(token, `a text in single quotes, as ${name} is`)
    if (values && !values.includes(token.value)) refuseMember(token, property, values)
    return (bind) => `${bind(token.value)}::text`
  }
  if (type === 'integer' || type === 'number') {
    if (token.kind !== 'number' || !Number.isFinite(Number(token.value))) unexpected(token, `a number, as ${name} is`)
    return (bind) => `${bind(Number(token.value))}::float8`
  }
  const word = token.kind === 'word' ? token.value.toUpperCase() : ''
  if (type === 'boolean') {
    if (word !== 'TRUE' && word !== 'FALSE') unexpected(token, `TRUE or FALSE, as ${name} is`)
    return () => word
  }
  return type === 'day' ? takeTime(cursor, token, word, 'DATE') : takeTime(cursor, token, word, 'TIMESTAMP')
}

const examples = { DATE: "DATE('2026-05-20')", TIMESTAMP: "TIMESTAMP('2026-05-20T12:00:00Z')" }

function takeTime(cursor: Cursor, token: Token, word: string, kind: 'DATE' | 'TIMESTAMP'): Condition {
  if (word !== kind) unexpected(token, examples[kind])
  requireSign(cursor, '(')
  const text = take(cursor)
  const read = text.kind === 'text' ? (kind === 'DATE' ? dayOf(text.value) : momentOf(text.value)) : null
  if (read === null) unexpected(text, `the text of ${examples[kind]}`)
  requireSign(cursor, ')')
  return (bind) => `${bind(read)}::${kind === 'DATE' ? 'date' : 'timestamptz'}`
}

const dayOf = (text: string) => (isDate(text) ? text : null)
const momentOf = (text: string) => moment('The moment').read(text, 'filter', gatherFaults())

function refuseMember({ value, at }: Token, { name }: Property, values: readonly string[]): never {
  const nearest = closestWord(value, values)
  refuseFilter(
    at,
    `No ${name} is called ${shortened(value)}: ${nearest ? `did you mean ${nearest}?` : `it is one of ${values.join(', ')}.`}`,
  )
}

const peek = ({ tokens, next }: Cursor): Token => present(tokens[Math.min(next, tokens.length - 1)])

function take(cursor: Cursor): Token {
  const token = peek(cursor)
  cursor.next++
  return token
}

function takeWord(cursor: Cursor, word: string): boolean {
  const { kind, value } = peek(cursor)
  const found = kind === 'word' && value.toUpperCase() === word
  if (found) cursor.next++
  return found
}

function takeSign(cursor: Cursor, sign: string): boolean {
  const { kind, value } = peek(cursor)
  const found = kind === 'sign' && value === sign
  if (found) cursor.next++
  return found
}

function requireSign(cursor: Cursor, sign: string): void {
  if (!takeSign(cursor, sign)) unexpected(peek(cursor), sign)
}

function unexpected({ kind, value, at }: Token, wanted: string): never {
  refuseFilter(at, `Expected ${wanted}, not ${kind === 'end' ? 'the end' : shortened(value)}.`)
}

/** The most characters of the input that a message repeats. */
const SHOWN_MAX = 40
const shortened = (text: string) => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}...` : text || 'an empty text')
