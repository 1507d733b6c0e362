import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ChosenPerson, fieldName, readChosenPeople, writeChosen } from './chosen.ts'

const ann = { kind: 'local', id: 1 } as const
const choose = (facts: Partial<ChosenPerson> = {}): ChosenPerson => ({ shiftId: 7, who: ann, version: 3, place: 'a', ...facts })

describe('a submitted proposal', () => {
  const PEOPLE: [what: string, chosen: ChosenPerson][] = [
    ['a person on a place', choose()],
    ['a visitor', choose({ who: { kind: 'visitor', id: 2 } })],
    ['a placeholder', choose({ who: { placeholder: 'Größe | 2' } })],
    ['a person without a participation', choose({ version: null })],
    ['the first version', choose({ version: 0 })],
    ['no place', choose({ place: undefined })],
    ['the place that the structure chooses', choose({ place: '' })],
    ['a place with separators and lines', choose({ place: 'a|=b\nc' })],
    ['numbers of fifteen digits', choose({ shiftId: 123_456_789_012_345, version: 123_456_789_012_345 })],
  ]
  for (const [what, chosen] of PEOPLE)
    test(`is read as it was written: ${what}`, () => {
      assert.deepEqual(readChosenPeople({ [fieldName('p', 0)]: writeChosen(chosen) }), [chosen])
    })

  const INVALID = [
    '',
    'x',
    '7|local-1|3',
    '|local-1|3|',
    'a|local-1|3|',
    '7|owner-1|3|',
    '7|local-1|x|',
    '7|local-1|3|a',
    ' 7|local-1|3|',
  ]
  test('has places that stay open, and ignores what nobody wrote', () => {
    for (const text of INVALID) assert.deepEqual(readChosenPeople({ [fieldName('p', 0)]: text }), [], text)
    assert.deepEqual(readChosenPeople({}), [])
  })

  test('ignores other fields', () => {
    const text = writeChosen(choose())
    assert.equal(fieldName('7-medic', 2), 'place-7-medic-2')
    assert.deepEqual(readChosenPeople({ other: text, 'x-place-': text }), [])
    assert.deepEqual(readChosenPeople({ 'place-7-medic-2': text }), [choose()])
  })

  test('takes each person once per shift, the last of several', () => {
    const texts = [choose(), choose({ place: 'b' }), choose({ shiftId: 8 }), choose({ who: { kind: 'guest', id: 1 } })].map(
      writeChosen,
    )
    const expected = [choose({ place: 'b' }), choose({ shiftId: 8 }), choose({ who: { kind: 'guest', id: 1 } })]
    assert.deepEqual(readChosenPeople(Object.fromEntries(texts.map((text, index) => [fieldName('p', index), text]))), expected)
    assert.deepEqual(readChosenPeople({ [fieldName('p', 0)]: texts }), expected, 'several values of one field')
  })
})
