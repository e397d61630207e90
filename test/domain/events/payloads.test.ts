import { expect, expectTypeOf, it } from 'vitest'
import { type EventName, eventNames } from '#domain/events/catalogue.ts'
import { emit } from '#domain/events/emit.ts'
import type { EventPayload } from '#domain/events/payloads.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { eventPosts } from '#domain/integrations/announcements/index.ts'
import type { EventPost } from '#domain/integrations/event-post.ts'
import type { ReportView } from '#domain/reports/view.ts'

type Tx = Parameters<typeof emit>[0]
type Renamed<View, From extends keyof View, To extends string> = Omit<View, From> & Record<To, View[From]>

it('defines a payload for every event of the catalogue and no other', () => {
  expectTypeOf<keyof EventPayload>().toEqualTypeOf<EventName>()
  expect(Object.keys(eventPosts).sort()).toEqual([...eventNames].sort())
})

it('uses the views themselves, so a post loses no field', () => {
  expectTypeOf<EventPayload['report.completed']['data'][0]>().toEqualTypeOf<ReportView>()
  expectTypeOf<EventPayload['warning.issued']['data'][number]>().toEqualTypeOf<ExposureView>()
  expectTypeOf<Parameters<EventPost<'report.completed'>['announce']>[0]>().toEqualTypeOf<EventPayload['report.completed']>()
})

it('refuses a view with a renamed field, and the payload of another event', () => {
  const emitting = (tx: Tx, report: ReportView, renamed: Renamed<ReportView, 'headline', 'title'>) => {
    const about = { team_id: 't', subject: 's', exposure_ids: [] }
    return [
      () => emit(tx, 'report.completed', about, { data: [report] }),
      // @ts-expect-error: a report has a headline.
      () => emit(tx, 'report.completed', about, { data: [renamed] }),
      // @ts-expect-error: the document's event carries its download.
      () => emit(tx, 'report.pdf_ready', about, { data: [report] }),
      // @ts-expect-error: no such event.
      () => emit(tx, 'report.printed', about, { data: [report] }),
    ]
  }
  expectTypeOf(emitting).returns.toBeArray()
})
