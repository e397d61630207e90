import type { Qualifier } from '#domain/closed-sets.ts'
import { milesText } from '#domain/evidence/distance-text.ts'
import { formatNumber } from '#domain/evidence/rounding.ts'
import { type NamedPlace, placeName } from '#domain/exposures/headline.ts'
import { withoutDirection } from '#domain/kernel/printable.ts'
import { type Html, html } from '#domain/reports/document/html.ts'

/** A storm day as a mail shows it. */
export interface MailedDay {
  id: number
  headline: string
  /** YYYY-MM-DD */
  date: string
  place: NamedPlace
  /** Inches: reported or measured, and estimated by radar. */
  largest_measured_in: number | null
  largest_detected_in: number | null
  max_gust_mph: number | null
  /** Reports and measurements; radar estimates are none. */
  reports: number
  /** Those of tornadoes, funnel clouds and waterspouts. */
  tornado: number
  nearest_miles: number | null
  provisional: boolean
  sample: boolean
  /** The distinct sources and how each determined its figures; `qualifier` is null for records without a figure. */
  words: { source_label: string; qualifier: Qualifier | null }[]
}

/** The content of one mail. */
export interface AlertMailContent {
  subject: string
  text: string
  html: string
}

/** The team and rule of the mail, and its links. */
export interface MailContext {
  team_name: string
  rule_name: string
  console_url: string
  stop_url: string
}

const ABSENCE = 'An alert reports what is on record. If no alert comes, that does not show that nothing happened.'
const PROVISIONAL = 'Provisional: the agencies may still change these records.'
const MADE_UP = 'Sample: these records are made up.'

/** Composes the mail of one or more storm days, as plain text and as HTML with the same content. Outside text stays text in both. */
export function composeAlertMail(days: readonly MailedDay[], context: MailContext): AlertMailContent {
  const first = days[0]
  if (!first) throw new Error('a mail has no storm day')
  const moreCount = days.length - 1
  const shown = days.map((day) => ({
    headline: plain(day.headline),
    facts: factsOf(day).map(([label, value]) => [label, plain(value)] as const),
    url: `${context.console_url}/exposures/${day.id}`,
  }))
  const why = plain(`You receive this mail because of the alert rule "${context.rule_name}" of ${context.team_name}.`)
  return {
    subject: plain(`${first.headline}${moreCount > 0 ? ` and ${moreCount} more` : ''}`),
    text: textOf(shown, why, context.stop_url),
    html: htmlOf(shown, why, context.stop_url).html,
  }
}

interface ShownDay {
  headline: string
  facts: (readonly [label: string, said: string])[]
  url: string
}

function factsOf(day: MailedDay): [string, string][] {
  const inches = (size: number | null) => size !== null && `${size.toFixed(2)} in`
  const pairs: [string, string | false][] = [
    ['Largest hail reported or measured', inches(day.largest_measured_in)],
    ['Largest hail estimated by radar', inches(day.largest_detected_in)],
    ['Highest gust', day.max_gust_mph !== null && `${formatNumber(day.max_gust_mph)} mph`],
    ['Reports', day.reports > 0 && String(day.reports)],
    ['Tornado or funnel cloud reports', day.tornado > 0 && String(day.tornado)],
    ['Distance', distanceText(day)],
    ['Sources', day.words.map(sourceText).join('; ')],
    ['Status', day.sample ? MADE_UP : day.provisional && PROVISIONAL],
  ]
  return pairs.filter((pair): pair is [string, string] => Boolean(pair[1]))
}

function distanceText({ place, nearest_miles }: MailedDay): string | false {
  if (place.subject === 'territory') return `inside ${place.name}`
  return nearest_miles !== null && `the nearest record is ${milesText(nearest_miles, place.centre === null)} from ${placeName(place)}`
}

const qualifierTexts: Record<Qualifier, string> = {
  measured: 'measured',
  estimated: 'estimated by the reporter',
  surveyed: 'surveyed',
  radar_estimated: 'estimated by radar',
  unknown: 'not stated whether measured',
}

/** A record without a figure, such as a flood or wind that broke a tree, has none that anybody could have measured. */
const sourceText = ({ source_label, qualifier }: MailedDay['words'][number]) =>
  qualifier === null ? source_label : `${source_label} (${qualifierTexts[qualifier]})`

/** Returns the text on one line, without characters that change the writing direction or break the line. */
function plain(text: string): string {
  return withoutDirection(text)
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

function textOf(days: ShownDay[], why: string, stop_url: string): string {
  const blocks = days.map(({ headline, facts, url }) =>
    [headline, ...facts.map(([label, value]) => `  ${label}: ${value}`), `  ${url}`].join('\n'),
  )
  return [...blocks, '-- ', [why, ABSENCE, `Stop these mails: ${stop_url}`].join('\n')].join('\n\n')
}

/** Inline styles, because mail programs drop all others. */
const BODY =
  'font-family:system-ui,-apple-system,Segoe UI,sans-serif;font-size:16px;line-height:1.5;color:#16191d;background:#ffffff;margin:0;padding:24px'
const DAY = 'border:1px solid #c8ccd0;border-radius:8px;padding:16px;margin:0 0 16px'
const MUTED = 'color:#4a5560'

function htmlOf(days: ShownDay[], why: string, stop_url: string): Html {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${days[0]?.headline}</title></head><body style="${BODY}"><div style="max-width:640px;margin:0 auto">${days.map(dayHtml)}<p style="${MUTED};font-size:14px">${why}<br>${ABSENCE}</p><p style="font-size:14px"><a href="${stop_url}" style="color:#0b5d7a">Stop these mails</a></p></div></body></html>`
}

function dayHtml({ headline, facts, url }: ShownDay): Html {
  const rows = facts.map(
    ([label, value]) =>
      html`<tr><th scope="row" style="text-align:left;vertical-align:top;font-weight:400;${MUTED};padding:2px 16px 2px 0">${label}</th><td style="padding:2px 0">${value}</td></tr>`,
  )
  return html`<div style="${DAY}"><h2 style="font-size:18px;line-height:1.3;margin:0 0 8px">${headline}</h2><table style="border-collapse:collapse">${rows}</table><p style="margin:12px 0 0"><a href="${url}" style="color:#0b5d7a">Open the storm day</a></p></div>`
}
