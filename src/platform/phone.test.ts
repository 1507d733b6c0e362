import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_PHONE_COUNTRY, formatPhone, isPhoneCountry, parsePhone, phoneHref } from './phone.ts'

test('numbers in any usual form become E.164', () => {
  const cases: [text: string, country: 'DE' | 'AT' | 'US', expected: string | undefined][] = [
    ['+49 40 555000', 'DE', '+4940555000'],
    ['040 555000', 'DE', '+4940555000'],
    ['040/1234567', 'DE', '+49401234567'],
    ['(0171) 12 34-567', 'DE', '+491711234567'],
    ['0049 171 1234567', 'DE', '+491711234567'],
    ['  0171 1234567 ', 'DE', '+491711234567'],
    ['01 58858', 'AT', '+43158858'],
    ['212-555-2368', 'US', '+12125552368'],
    ['+43 1 58858', 'DE', '+43158858'],
    ['', 'DE', undefined],
    ['112', 'DE', undefined],
    ['+49 1', 'DE', undefined],
    ['call 040 555000 at night', 'DE', undefined],
    ['not a number', 'DE', undefined],
  ]
  for (const [text, country, expected] of cases) assert.equal(parsePhone(text, country), expected, text)
})

test('stored numbers are formatted, and unknown forms stay', () => {
  assert.equal(formatPhone('+4940555000'), '+49 40 555000')
  assert.equal(formatPhone('040 555 (office)'), '040 555 (office)')
  assert.equal(formatPhone('+49 1'), '+49 1')
})

test('only what phones can dial becomes a link', () => {
  assert.equal(phoneHref('+4940555000'), 'tel:+4940555000')
  assert.equal(phoneHref('040 / 555-000'), 'tel:040555000')
  for (const text of ['', '12', 'ask Ben', '040 1; postd=2', '+', '*31#040555000']) assert.equal(phoneHref(text), undefined, text)
})

test('the default country is one of the known ones', () => {
  assert.ok(isPhoneCountry(DEFAULT_PHONE_COUNTRY))
  for (const value of ['XX', 'de', '', null, 1]) assert.ok(!isPhoneCountry(value))
})
