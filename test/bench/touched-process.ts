import pg from 'pg'
import { type ChangedCells, touchedDays } from '#domain/exposures/touched-days.ts'

/** Goes through all touched days in a process of its own, page by page as detection does; prints their number, and its peak memory. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 })
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)
let days = 0
for await (const page of touchedDays(pool, JSON.parse(process.env.CHANGE as string) as ChangedCells)) days += page.days.length
await pool.end()
console.log(JSON.stringify({ days, peak_mb: Math.round(process.resourceUsage().maxRSS / 1024) }))
