import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

describe('entries of an imported log', async () => {
  const world = await openWorld()
  const olga = await browserOf(world, OLGA)
  const event = await world.addEvent({ title: 'Parade', seenBy: [HELPERS], shifts: [{}] })
  const add = (kind: string, changes: object, more: object = {}) =>
    world.db.write
      .insertInto('journal')
      .values({
        at: world.now,
        kind: `imported.${kind}`,
        actor_kind: 'user',
        actor_id: PAUL.id,
        subject_kind: 'event',
        subject_id: event.id,
        event_id: event.id,
        request_id: null,
        changes: JSON.stringify(changes),
        ...more,
      })
      .execute()
  const show = async (kind: string, changes: object, more: object = {}): Promise<string> => {
    await world.db.write.deleteFrom('journal').execute()
    await add(kind, changes, more)
    const { body } = await olga.get('/manage/log/')
    assert.deepEqual(checkMarkup(body), [])
    return /<ol class="log"[\s\S]*?<\/ol>/.exec(body)![0]
  }
  const raw = (old_value: unknown, new_value: unknown) => ({
    slug: 'modelfield',
    data: { field_name: 'title', verbose_name: 'Titel', old_value, new_value },
  })

  test('say who changed what, with field, before and after in words', async () => {
    const text = await show('changed', { title: ['March', 'Parade'], user: [{ user: ANN.id }, null] })
    assert.match(text, /Paul[\s\S]* changed [\s\S]*Parade[\s\S]*, before the import/)
    assert.match(text, /Title:<\/span> March[\s\S]*→[\s\S]* Parade/)
    assert.match(text, /Person:<\/span> Ann/)
    assert.doesNotMatch(text, /[{}]|<details/)
  })

  test('show no value before where there was nothing', async () => {
    const long = 'x'.repeat(200)
    const text = await show('created', { title: [null, 'Parade'], description: [null, long] })
    assert.match(text, /created/)
    assert.match(text, /<details[\s\S]*Value[\s\S]*Parade/)
    assert.doesNotMatch(text, /Before</)
  })

  test('fold what cannot be read, and show the rest', async () => {
    const text = await show('changed', { title: ['March', 'Parade'], unread: { medals: { slug: 'medals', data: { count: 1 } } } })
    assert.match(
      text,
      /Title:<\/span> March[\s\S]*<details class="more-fields"><summary>More from the former system<\/summary>[\s\S]*medals/,
    )
  })

  test('name records that no longer exist', async () => {
    const gone = { subject_id: 99_999, event_id: null }
    assert.match(await show('deleted', { subject_name: 'Old fair' }, gone), /Paul[\s\S]* deleted Old fair, before the import/)
    const person = {
      subject_kind: 'user',
      subject_id: 99_999,
      event_id: null,
      personal: JSON.stringify({ subject_name: 'Former' }),
    }
    assert.match(await show('deleted', {}, person), /deleted Former, before/)
  })

  test('that an earlier release imported as they were are shown like the others', async () => {
    const text = await show('changed', { __str__: 'Parade', title: raw('March', 'Parade') })
    assert.match(text, /Title:<\/span> March[\s\S]*→[\s\S]* Parade/)
    assert.doesNotMatch(text, /slug|field_name|<details/)
  })
})
