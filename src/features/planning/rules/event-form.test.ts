import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addTypedPerson, eventValues, labelPeople, readEvent } from './event-form.ts'

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
      title: 'T',
      location: 'L',
      description: 'a\n\nb',
      typeId: 2,
      groups: [1],
      responsibleGroups: [],
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
})
