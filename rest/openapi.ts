import { json } from '#rest/answers.ts'
import type { Answer, Exchange } from '#rest/exchange.ts'

/** The machine-readable description of the API. */
export async function openApiDocument(_exchange: Exchange): Promise<Answer> {
  return json({ openapi: '3.1.0' })
}
