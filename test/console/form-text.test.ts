import { expect, test } from 'vitest'
import { changedTagsOf } from '../../console/parts/form-text.ts'

test('tags that contain a comma stay whole in a field, unless their own text was changed', () => {
  const tagsIn = (text: string, before: string[]) => {
    const form = new FormData()
    form.set('tags', text)
    return changedTagsOf(form, 'tags', before)
  }
  expect(tagsIn('flat, tarred, 2019', ['flat, tarred', '2019'])).toEqual(['flat, tarred', '2019'])
  expect(tagsIn('flat, 2019', ['flat, tarred', '2019'])).toEqual(['flat', '2019'])
  expect(tagsIn('2019, flat, tarred, hq,', ['flat, tarred', '2019'])).toEqual(['2019', 'flat, tarred', 'hq'])
  expect(tagsIn('flat, flat,tarred', ['flat', 'flat,tarred'])).toEqual(['flat', 'flat,tarred'])
  expect(tagsIn('', [])).toEqual([])
})
