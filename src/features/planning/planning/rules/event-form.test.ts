import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventFields } from '#features/events/events/rules/event-fields.ts'
import { cleanLines } from '#features/events/events/rules/plain-fields.ts'
import { addTypedPerson, checkEvent, eventValues, labelPeople, readEvent } from './event-form.ts'

describe('the event form', () => {
  const three = [
    { id: 1, name: 'Ann', email: 'a@x' },
    { id: 2, name: 'Ann', email: 'b@x' },
    { id: 3, name: 'Ben', email: 'c@x' },
  ]
  const people = labelPeople(three, { showsEmail: true })
  test('adds the number to equal names for readers who may not see addresses', () => {
    assert.deepEqual(
      labelPeople(three, { showsEmail: false }).map(({ label }) => label),
      ['Ann (#1)', 'Ann (#2)', 'Ben'],
    )
  })
  test('labels people by name, and adds the address to equal names', () => {
    assert.deepEqual(
      people.map(({ label }) => label),
      ['Ann (a@x)', 'Ann (b@x)', 'Ben'],
    )
    assert.deepEqual(addTypedPerson({ add_user: ' ben ', responsible_users: '1' }, people).responsible_users, ['1', '3'])
    assert.deepEqual(addTypedPerson({ add_user: 'Ann' }, people), { add_user: 'Ann' })
  })
  test('reads back the values it shows', () => {
    const event = {
      ...eventFields.defaults,
      title: 'T',
      location: 'L',
      description: 'a\n\nb',
      typeId: 2,
      groups: [1],
      responsibleGroups: [5, 6],
      responsibleUsers: [3, 4],
    }
    assert.deepEqual(readEvent(eventValues(event), [2]), { input: event, faults: [] })
  })
  test('requires title, place, type and known names', () => {
    const { faults } = readEvent({ title: ' ', location: 'x'.repeat(255), type: '9', add_user: 'Zoe' }, [2])
    assert.deepEqual(
      faults.map(({ field, code }) => `${field}: ${code}`),
      ['title: missing', 'location: too_long', 'type: unknown_type', 'add_user: unknown_person'],
    )
  })
  test('allows 254 characters for title and place, and 20,000 for the description', () => {
    const CASES: [title: number, location: number, description: number, faults: string[]][] = [
      [254, 254, 20_000, []],
      [255, 1, 0, ['title: too_long']],
      [1, 255, 0, ['location: too_long']],
      [1, 1, 20_001, ['description: too_long']],
    ]
    // A character outside the basic plane has two UTF-16 units and counts once.
    for (const character of ['x', '😀'])
      for (const [title, location, description, expected] of CASES) {
        const text = (length: number) => character.repeat(length)
        const event = {
          ...eventFields.defaults,
          title: text(title),
          location: text(location),
          description: text(description),
          typeId: 2,
        }
        const faults = checkEvent(event, [2])
        assert.deepEqual(
          faults.map(({ field, code }) => `${field}: ${code}`),
          expected,
        )
      }
  })
  test('tells a missing type from an unknown one', () => {
    const faultsOf = (type: string) => readEvent({ title: 'T', location: 'L', type }, [2]).faults
    assert.deepEqual(faultsOf(''), [{ field: 'type', code: 'missing' }])
    assert.deepEqual(faultsOf('9'), [{ field: 'type', code: 'unknown_type' }])
    assert.deepEqual(faultsOf('2'), [])
  })
  test('keeps the lines of a text and cuts blanks around it', () => {
    assert.equal(cleanLines(' a\r\n\r\nb\n '), 'a\n\nb')
    assert.equal(cleanLines(' \r\n '), null)
  })
})
