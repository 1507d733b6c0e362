import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, OLGA, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { addHours, changeHours, deleteHours } from './commands.ts'

describe('commands about hours', async () => {
  const world = await openWorld()
  const { write } = world.db
  const values = { date: '2031-04-30', hours: 3, reason: 'Training' }
  const rows = () => write.selectFrom('working_hours').select(['id', 'user_id', 'hours', 'reason']).orderBy('id').execute()

  test('are for people who decide about them, also without the page', async () => {
    const added = await addHours(contextAs(world, OLGA), ANN.id, values)
    assert.ok(added?.ok)
    const other = await addHours(contextAs(world, OLGA), BEN.id, values)
    assert.ok(other?.ok)
    const before = await rows()
    const { version } = await write
      .selectFrom('working_hours')
      .select('version')
      .where('id', '=', added.id)
      .executeTakeFirstOrThrow()
    const form = { ...values, hours: 5, version }
    // Neither the person nor somebody who may view people.
    for (const person of [ANN, VERA]) {
      const context = contextAs(world, person)
      assert.equal(await addHours(context, ANN.id, values), undefined)
      assert.equal(await changeHours(context, added.id, form), undefined)
      assert.equal(await deleteHours(context, added.id), undefined)
    }
    const olga = contextAs(world, OLGA)
    assert.equal(await changeHours(olga, 999_999, form), undefined)
    assert.equal(await deleteHours(olga, 999_999), undefined)
    assert.deepEqual(await rows(), before)
    assert.deepEqual(await changeHours(olga, added.id, { ...values, version }), { ok: true, isChanged: false })
    assert.deepEqual(await rows(), before)
    assert.deepEqual(await changeHours(olga, added.id, form), { ok: true, isChanged: true })
    assert.equal((await deleteHours(olga, added.id))?.hours, 5)
    assert.deepEqual(
      await rows(),
      before.filter(({ id }) => id === other.id),
      'the hours of the other person stay',
    )
  })
})
