import { expect, test } from 'vitest'
import { changedTagsOf, tagsOf } from '../../console/parts/form-text.ts'

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

test('a tag that contains a comma is written in quotation marks', () => {
  const tagsIn = (text: string) => {
    const form = new FormData()
    form.set('remove', text)
    return tagsOf(form, 'remove')
  }
  expect(tagsIn('"flat, tarred", 2019')).toEqual(['flat, tarred', '2019'])
  expect(tagsIn('2019 , "flat, tarred" ')).toEqual(['2019', 'flat, tarred'])
  expect(tagsIn('flat, tarred,,')).toEqual(['flat', 'tarred'])
  expect(tagsIn('"hq", 4" hail, 6" hail')).toEqual(['"hq"', '4" hail', '6" hail'])
  expect(tagsIn('"5"" hail, roof", 2019')).toEqual(['5" hail, roof', '2019'])
  expect(tagsIn('"flat, tarred')).toEqual(['"flat', 'tarred'])
  expect(tagsIn(' ')).toEqual([])
})
