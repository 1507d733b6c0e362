import assert from 'node:assert/strict'
import { describe, mock, test } from 'node:test'
import pg from 'pg'
import { transact } from '#platform/db/transaction.ts'
import { HELPERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { createNotifications } from './commands/create.ts'
import { SEND_TASK } from './schema.ts'

describe('notifications of many people', async () => {
  const world = await openWorld()
  const people: number[] = []
  for (let n = 0; n < 40; n++) people.push((await world.addPerson({ name: `Helper ${n}` })).id)
  const { id: eventId } = await world.addEvent({ seenBy: [HELPERS] })

  const notify = async (userIds: readonly number[], source: string) => {
    const recipients = userIds.map((user_id) => ({ user_id, guest_id: null, visitor_id: null, participation_id: null }))
    const content = { kind: 'event_published' as const, data: {}, source, bundle: source, eventId, actorId: null }
    const query = mock.method(pg.Client.prototype, 'query')
    try {
      await transact(world.db.write, (tx) =>
        createNotifications(tx, recipients, { ...content, now: world.now, site: world.app.site }),
      )
      return query.mock.callCount()
    } finally {
      query.mock.restore()
    }
  }

  test('are stored and queued in as many statements as those of a few', async () => {
    await notify(people.slice(0, 2), 'warm up')
    const few = await notify(people.slice(0, 2), 'few')
    assert.equal(await notify(people, 'many'), few)
    const { rows } = await world.db.writePool.query<{ count: number; keys: number }>(
      `select count(*), count(distinct key) as keys from graphile_worker.jobs where task_identifier = $1 and key like '% many'`,
      [SEND_TASK],
    )
    assert.deepEqual(rows, [{ count: 40, keys: 40 }])
  })

  test('are queued once for each person and bundle, as often as they are asked for', async () => {
    await notify(people.slice(0, 3), 'again')
    await notify(people.slice(0, 3), 'again')
    const { rows } = await world.db.writePool.query(`select from graphile_worker.jobs where key like '% again'`)
    assert.equal(rows.length, 3)
  })
})
