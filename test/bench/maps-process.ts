import { openDatabase } from '#domain/engines/database.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'

/** Builds the maps of changed records in a process of its own; prints its peak memory. */
const { pool, close } = openDatabase(process.env.DATABASE_URL as string)
await refreshMaps({ pool })
await close()
console.log(JSON.stringify({ peak_mb: Math.round(process.resourceUsage().maxRSS / 1024) }))
