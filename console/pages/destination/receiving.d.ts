/** What a receiver of posts is to know, as the service writes it for the console (rest/console/receiving.ts), at /app/receiving.js. */

/** Event -> an example of its post; `test` too. */
export declare const samples: Record<string, object>
/** Those of every signed post. */
export declare const headers: { name: string; description: string }[]
export declare const signature: { header: string; algorithm: string; tolerance_seconds: number }
export declare const limits: {
  answer_seconds: number
  attempts: number
  attempts_over_hours: number
  /** Deliveries given up in a row. */
  failing_after: number
  switched_off_after_days: number
}
