import { beforeAll, expect, test } from 'vitest'
import { pageScripts } from '#test/support/page-scripts.ts'
import { prepare } from '../../scripts/prepare.mjs'

/** Gzipped bytes of script that a browser loads before a page of the console is shown. */
const BYTES_MAX = 185_000

beforeAll(() => prepare({ bundled: ['console'], tools: true }))

test('no page of the console loads more script than its limit', () => {
  const pages = pageScripts()
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.filter(({ bytes }) => bytes > BYTES_MAX)).toEqual([])
})
