import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { changeQualification, GUARD, type Guard } from './qualifications.ts'

describe('two concurrent changes of inclusions', async () => {
  const world = await openWorld()
  const db = openTestDatabase({ url: world.databaseUrl, reads: 2, writes: 4 })
  after(db.close)
  const isWaiting = async () => {
    for (;;) {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db.read)
      if (rows[0]!.n > 0) return
    }
  }

  /** Starts the second command after the checks of the first, and continues the first when the second is done or waits. */
  async function race(lock: Guard['lock']) {
    const [a, b] = [await world.addQualification('A'), await world.addQualification('B')]
    const category = (
      await db.read.selectFrom('qualification').select('category_id').where('id', '=', a.id).executeTakeFirstOrThrow()
    ).category_id
    const include = (id: number, title: string, included: number, checked: Guard['checked']) => {
      const form = { title, abbreviation: '', category, includes: [included], valid_months: null }
      return changeQualification(contextAs(world, OLGA, db), id, form, { lock, checked }).catch((error) => error)
    }
    let second: Promise<unknown> = Promise.resolve()
    const first = await include(a.id, 'A', b.id, async () => {
      second = include(b.id, 'B', a.id, async () => {})
      await Promise.race([second, isWaiting()])
    })
    return [first, await second] as { ok?: boolean; reason?: string; path?: string[] }[]
  }
  const countCycles = async () =>
    (await sql`select from qualification_closure where qualification_id = included_id`.execute(db.write)).rows.length

  test('cannot create a cycle together: the second is refused with the path of the cycle', async () => {
    const [first, second] = await race(GUARD.lock)
    assert.equal(first!.ok, true)
    assert.deepEqual([second!.reason, second!.path], ['cycle', ['B', 'A', 'B']])
  })

  test('create a cycle without the lock of the command and the trigger of the table', async () => {
    await sql`alter table qualification_inclusion disable trigger qualification_inclusion_changed`.execute(db.write)
    try {
      assert.deepEqual(
        (await race(async () => {})).map(({ ok }) => ok),
        [true, true],
      )
    } finally {
      await sql`delete from qualification_inclusion`.execute(db.write)
      await sql`alter table qualification_inclusion enable trigger qualification_inclusion_changed`.execute(db.write)
    }
    assert.equal(await countCycles(), 0)
  })
})
