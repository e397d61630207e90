import { expect, test } from 'vitest'
import { changedTagsOf } from '../../console/parts/form-text.ts'

test('tags that contain a comma stay whole in a field that nobody touched', () => {
  const tagsIn = (text: string, before: string[]) => {
    const form = new FormData()
    form.set('tags', text)
    return changedTagsOf(form, 'tags', before)
  }
  expect(tagsIn('flat, tarred, 2019', ['flat, tarred', '2019'])).toEqual(['flat, tarred', '2019'])
  expect(tagsIn('flat, 2019', ['flat, tarred', '2019'])).toEqual(['flat', '2019'])
  expect(tagsIn('', [])).toEqual([])
})
