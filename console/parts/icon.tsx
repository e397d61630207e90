/** Icons of 16 by 16 units, drawn in the colour of the text beside them. */
const lines = {
  inbox: 'M2 9h3l1.5 2.2h3L11 9h3M4 3h8l2 6v4.5H2V9z',
  reports: 'M3.5 1.8h5.7l3.3 3.3v9.1h-9zM9 2v3.4h3.3M6 8.5h4M6 11.2h4',
  storms: 'M4.6 10.2a2.9 2.9 0 0 1 .2-5.7 3.8 3.8 0 0 1 7.2 1.3 2.3 2.3 0 0 1-.3 4.4M8.6 7.4l-2 3.2h2.6l-2 3.6',
  properties: 'M2.2 7.6 8 2.6l5.8 5M3.9 6.4v7h8.2v-7M6.8 13.4V9.6h2.4v3.8',
  territories: 'M2.6 5.2 8.8 2l4.8 5-2.9 6.4-7.1-1.6z',
  destinations: 'M14 2 7 9M14 2 9.4 14 7 9 2 6.6z',
  alerts: 'M3 11.8h10l-1.2-1.6V7a3.8 3.8 0 0 0-7.6 0v3.2zM6.6 14h2.8',
  coverage: 'M2.3 2.3h11.4v11.4H2.3zM2.3 6.1h11.4M2.3 9.9h11.4M6.1 2.3v11.4M9.9 2.3v11.4',
  people:
    'M6 7.6a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.6 13.6a4.4 4.4 0 0 1 8.8 0M10.4 2.9a2.5 2.5 0 0 1 0 4.4M12 9.7a4.4 4.4 0 0 1 2.4 3.9',
  tokens: 'M5.2 9.6a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM8.4 6.4H14v2.6M11.4 6.4v2',
  letterhead: 'M2.6 2h10.8v12H2.6zM2.6 5.8h10.8M5 3.9h2.6M5 8.6h6M5 11.2h4',
  sites: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c1.8 1.8 2.6 3.9 2.6 6S9.8 12.2 8 14C6.2 12.2 5.4 10.1 5.4 8S6.2 3.8 8 2z',
  log: 'M6 4h7.8M6 8h7.8M6 12h7.8M2.5 4h.8M2.5 8h.8M2.5 12h.8',
  account: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 8.6a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM4.2 12.4a4.3 4.3 0 0 1 7.6 0',
  team: 'M2.5 13.7V4.8L8 2l5.5 2.8v8.9zM5.5 7h1M9.5 7h1M5.5 10h1M9.5 10h1',
  archive: 'M2 2.8h12v3.2H2zM3 6v7.4h10V6M6.4 8.6h3.2',
  service: 'M1.8 8.5h3l1.8-5 3 9 1.8-4h2.8',
} as const

export type IconName = keyof typeof lines

/** A decorative icon beside a word of the same meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden>
      <path d={lines[name]} />
    </svg>
  )
}
