import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs, contextOf, GUEST, PARTNER, VISITOR } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findContacts } from './contacts.ts'

describe('contacts of an event', async () => {
  const world = await openWorld()
  const set = (person: Person, values: Record<string, unknown>) =>
    world.db.write.updateTable('user_profile').set(values).where('id', '=', person.id).execute()
  const [zoe, adam, mia, leo, ida] = await Promise.all(
    ['Zoe', 'adam', 'Mia', 'Leo', 'Ida'].map((name) => world.addPerson({ name })),
  )
  const crew = await world.addGroup('Crew', [zoe!, adam!, mia!])
  const words = wordsFor('en', 'UTC')
  const find = (eventId: number, context = contextAs(world, ANN)) => findContacts({ ...context, words }, eventId)
  const names = async (eventId: number) => (await find(eventId)).map(({ name }) => name)

  test('are those who are responsible themselves, then members of responsible groups, by name', async () => {
    const { id } = await world.addEvent({ seenBy: [HELPERS, BEN], responsible: [PAUL, crew] })
    await world.addEvent({ seenBy: [HELPERS], responsible: [leo!] })
    assert.deepEqual(await names(id), ['Paul', 'adam', 'Mia', 'Zoe'])
    const both = await world.addEvent({ seenBy: [HELPERS], responsible: [zoe!, crew] })
    assert.deepEqual(await names(both.id), ['Zoe', 'adam', 'Mia'], 'once')
    assert.deepEqual(await names((await world.addEvent({ seenBy: [HELPERS] })).id), [])
  })

  test('are four at most', async () => {
    const { id } = await world.addEvent({ seenBy: [HELPERS], responsible: [leo!, ida!, crew] })
    assert.deepEqual(await names(id), ['Ida', 'Leo', 'adam', 'Mia'])
  })

  test('are active and visible', async () => {
    const { id } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL, crew] })
    await set(mia!, { is_active: false })
    await set(adam!, { is_visible: false })
    assert.deepEqual(await names(id), ['Paul', 'Zoe'])
    await set(mia!, { is_active: true })
    await set(adam!, { is_visible: true })
  })

  test('have an address that works, and a phone number if they show it', async () => {
    const { id } = await world.addEvent({ seenBy: [HELPERS], responsible: [leo!] })
    const shown = async (values: Record<string, unknown>) => {
      await set(leo!, values)
      return (await find(id)).flatMap(({ email, phone }) => [email, phone])
    }
    assert.deepEqual(await shown({ phone: '+49 1', shows_phone: true }), [leo!.email, '+49 1'])
    assert.deepEqual(await shown({ shows_phone: false }), [leo!.email, null])
    assert.deepEqual(await shown({ phone: '', shows_phone: true }), [leo!.email, null])
    assert.deepEqual(await shown({ email_invalid: true }), [null, null])
  })

  test('are told to people and visitors only', async () => {
    const { id } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL] })
    const counts = [VISITOR, GUEST, PARTNER, ANONYMOUS].map(async (actor) => (await find(id, contextOf(world, actor))).length)
    assert.deepEqual(await Promise.all(counts), [1, 0, 0, 0])
  })
})
