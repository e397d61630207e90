import { closeApp, openApp } from '#domain/app.ts'
import { configFor } from '#domain/config.ts'
import { detect } from '#domain/exposures/detect.ts'

/** Runs one detection in a process of its own, for a test that kills it. */
const app = await openApp(configFor({ database_url: process.env.DATABASE_URL as string, home: '.weather-test', log_level: 'silent' }))
await detect(app, JSON.parse(process.env.TASK as string))
await closeApp(app)
