import { expect, test } from 'vitest'
import { alertRuleForm } from '#domain/alerts/check-rule.ts'
import { destinationForm } from '#domain/integrations/check-destination.ts'
import { missing } from '#domain/kernel/form.ts'
import { propertyForm } from '#domain/properties/check-property.ts'
import { reportForm } from '#domain/reports/check-request.ts'
import { inFormWords } from '../../console/api/form-words.ts'
import { ApiError } from '../../console/api/session.ts'

test('a message names its field as the form does, not by the key of the API', () => {
  const { least_hail_in, least_gust_mph, greatest_miles, pace } = alertRuleForm
  const { window_start, window_end } = reportForm
  const fields = [destinationForm.url, propertyForm.label, window_start, window_end, least_hail_in, least_gust_mph]
  expect([...fields, greatest_miles, pace].map((field) => inFormWords(missing(field)))).toEqual([
    'The address is required.',
    'The name is required.',
    '“From” is required.',
    '“To” is required.',
    'The minimum hail is required.',
    'The minimum gust is required.',
    'The maximum distance is required.',
    '“When” is required.',
  ])
  expect(inFormWords('The window end must be on or after the window start.')).toBe('“To” must be on or after “From”.')
  expect(inFormWords('The date of loss must lie within the window.')).toBe('The date of loss must lie between “From” and “To”.')
  expect(inFormWords('The labels must be text.')).toBe('The labels must be text.')
})

test('a refusal has these words at its fields and in its summary, and other errors keep theirs', () => {
  const sentence = 'The brand name must have 1 to 80 characters.'
  const refused = new ApiError(422, 'validation_failed', `${sentence} (and 1 more error)`, { brand_name: [sentence] }, null)
  expect([refused.message, refused.fields.brand_name]).toEqual([
    'The name must have 1 to 80 characters. (and 1 more error)',
    ['The name must have 1 to 80 characters.'],
  ])
  expect(new ApiError(409, 'conflict', 'The label is gone.', {}, null).message).toBe('The label is gone.')
})
