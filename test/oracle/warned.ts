/** One segment of a warning product, read line by line without any code of the service. */
export interface Notice {
  /** KOAX.TO.W.0038.2024 */
  event: string
  /** The archive's name of the text: 202404262159-KOAX-WFUS53-TOROAX. */
  product: string
  /** Unix seconds of the header line, and the mark of a correction. */
  sent: number
  mark: string
  action: string
  /** Unix seconds; null if the code leaves it open. */
  begins: number | null
  ends: number
  /** [longitude, latitude] in hundredths of a degree. */
  corners: [number, number][]
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')
/** The warnings over land that the service follows: severe thunderstorm, tornado, flash flood, and the like. */
const FOLLOWED = 'SV TO FF FA FL EW SQ DS HU TR TY SS HW WS BZ IS LE'.split(' ')

/** Returns the segments of a product that have an operational code of a followed warning; none for a text without codes. */
export function noticesOf(text: string): Notice[] {
  const lines = text.split('\n').map((line) => ['\r', '\u0001', '\u0003'].reduce((left, mark) => left.replaceAll(mark, ''), line))
  const head = lines.findIndex((line) => /^[A-Z]{4}\d\d [A-Z]{4} \d{6}/.test(line))
  const [ttaaii, office, ddhhmm, mark = ''] = (lines[head] ?? '').trim().split(' ') as [string, string, string, string?]
  const awips =
    lines
      .slice(head + 1)
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  const dated =
    lines
      .find((line) => /^\d+ [AP]M .* \d{4}\s*$/.test(line))
      ?.trim()
      .split(/\s+/) ?? []
  const [month, , year] = dated.slice(-3) as [string, string, string]
  const sent = sentAt(ddhhmm, MONTHS.indexOf(month?.toUpperCase() ?? ''), Number(year))
  if (head < 0 || Number.isNaN(sent)) return []
  const stamp = new Date(sent * 1000).toISOString().replace(/\D/g, '').slice(0, 12)
  const product = [stamp, office, ttaaii, awips].join('-')
  const notices: Notice[] = []
  let codes: string[] = []
  let numbers: number[] = []
  let listing = false
  for (const line of lines) {
    if (/^\/O\.\w{3}\.\w{4}\.\w\w\.W\./.test(line)) codes.push(line.trim().slice(1, -1))
    // The list continues in indented lines; those after the storm's own track do not belong to it.
    listing = line.startsWith('LAT...LON') || (listing && /^\s+[\d\s]*$/.test(line))
    if (listing) numbers.push(...line.replace('LAT...LON', '').trim().split(/\s+/).filter(Boolean).map(Number))
    if (!line.startsWith('$$')) continue
    notices.push(...codes.flatMap((code) => noticeOf(code, numbers, { product, sent, mark })))
    codes = []
    numbers = []
  }
  return notices
}

/** The header has only the day: in the month of the product's own date, or the next month if the local date is earlier. */
function sentAt(ddhhmm: string, month: number, year: number): number {
  const [day, hour, minute] = [0, 2, 4].map((at) => Number(ddhhmm?.slice(at, at + 2))) as [number, number, number]
  return Date.UTC(year, month, day, hour, minute) / 1000
}

function noticeOf(code: string, numbers: number[], of: Pick<Notice, 'product' | 'sent' | 'mark'>): Notice[] {
  const [, action, office, phenomenon, significance, number, times] = code.split('.') as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  if (!FOLLOWED.includes(phenomenon)) return []
  const [begins, ends] = times.split('-').map(momentOf) as [number | null, number | null]
  if (ends === null) return []
  const east = office === 'PGUM' ? 1 : -1
  const corners = numbers.flatMap((latitude, at): [number, number][] =>
    at % 2 === 0 ? [[east * (numbers[at + 1] as number), latitude]] : [],
  )
  const event = [office, phenomenon, significance, number, new Date(of.sent * 1000).getUTCFullYear()].join('.')
  return [{ ...of, mark: /^[AC]/.test(of.mark) ? of.mark : '', event, action, begins, ends, corners }]
}

function momentOf(text: string): number | null {
  if (text.startsWith('000000')) return null
  const [, yy, mm, dd, hh, mi] = /^(..)(..)(..)T(..)(..)Z$/.exec(text) as unknown as string[]
  return Date.parse(`20${yy}-${mm}-${dd}T${hh}:${mi}:00Z`) / 1000
}

const ENDS = ['CAN', 'UPG']

/**
 * Returns the warnings in force over a place at a moment, each with its text: the newest product of each warning
 * that had been sent by then and continues it, unless a later one cancelled the warning, or it has ended, or its
 * polygon is elsewhere.
 * @param place [longitude, latitude], at most 5 decimals
 * @param at unix seconds
 */
export function inForce(notices: readonly Notice[], place: readonly [number, number], at: number): string[] {
  return [...new Set(notices.map(({ event }) => event))].flatMap((event) => {
    const of = notices.filter((notice) => notice.event === event)
    const first = of.reduce((early, notice) => (orderOf(notice) < orderOf(early) ? notice : early))
    const startOf = (notice: Notice) =>
      notice.action === 'NEW' && orderOf(notice) === orderOf(first)
        ? (notice.begins ?? notice.sent)
        : Math.max(notice.sent, notice.begins ?? 0)
    const issued = of.filter((notice) => startOf(notice) <= at)
    const goingOn = issued.filter(({ action }) => !ENDS.includes(action) && action !== 'EXP')
    const newest = goingOn.reduce<Notice | null>((late, notice) => (!late || orderOf(notice) > orderOf(late) ? notice : late), null)
    if (!newest || at >= newest.ends) return []
    const cancelled = issued.some((notice) => ENDS.includes(notice.action) && orderOf(notice) > orderOf(newest))
    const over = goingOn
      .filter((notice) => orderOf(notice) === orderOf(newest))
      .some(({ corners }) => isSimple(corners) && holds(corners, place))
    return over && !cancelled ? [`${event} by ${newest.product}`] : []
  })
}

/** In order of sending; a correction comes after the text of the same minute. */
const orderOf = ({ sent, mark, action }: Notice) => `${sent} ${mark || (action === 'COR' ? 'C' : '')}`

/** Hundred-thousandths of a degree: whole numbers, so that no product is rounded. */
const SCALE = 100_000

/** Twice the area between a place and an edge: above 0 if the place is on its left. */
function side([ax, ay]: readonly number[], [bx, by]: readonly number[], [x, y]: readonly number[]): number {
  return (
    ((bx as number) - (ax as number)) * ((y as number) - (ay as number)) -
    ((by as number) - (ay as number)) * ((x as number) - (ax as number))
  )
}

const fine = (corners: [number, number][]) => corners.map(([x, y]) => [x * (SCALE / 100), y * (SCALE / 100)])

/** How often the corners wind around the place (Sunday's winding number): inside if it is not 0. */
function holds(corners: [number, number][], place: readonly [number, number]): boolean {
  const at = place.map((degrees) => Math.round(degrees * SCALE))
  const ring = fine(corners)
  let winding = 0
  ring.forEach((from, index) => {
    const to = ring[(index + 1) % ring.length] as number[]
    const [up, down] = [(from[1] as number) <= (at[1] as number), (to[1] as number) <= (at[1] as number)]
    if (up && !down && side(from, to, at) > 0) winding += 1
    if (!up && down && side(from, to, at) < 0) winding -= 1
  })
  return winding !== 0
}

/** Whether a place is so near an edge that its side depends on rounding: 2e-4 degrees, some 20 m. */
export function isAtEdge({ corners }: Notice, [x, y]: readonly [number, number]): boolean {
  return corners.some(([ax, ay], index) => {
    const [bx, by] = corners[(index + 1) % corners.length] as [number, number]
    const [from, run] = [
      [ax / 100, ay / 100],
      [(bx - ax) / 100, (by - ay) / 100],
    ] as [[number, number], [number, number]]
    const length = run[0] ** 2 + run[1] ** 2
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from[0]) * run[0] + (y - from[1]) * run[1]) / length))
    return Math.hypot(x - from[0] - share * run[0], y - from[1] - share * run[1]) < 2e-4
  })
}

/** Whether no two edges that are not neighbours cross. */
function isSimple(corners: [number, number][]): boolean {
  const edge = (index: number) => [corners[index], corners[(index + 1) % corners.length]] as [number[], number[]]
  return corners.every((_, one) =>
    corners.every((__, other) => {
      if (Math.abs(one - other) < 2 || Math.abs(one - other) === corners.length - 1) return true
      const [[a, b], [c, d]] = [edge(one), edge(other)]
      return !(side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0)
    }),
  )
}
