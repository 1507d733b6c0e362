import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { loadDemoWorld } from '#demo/world.ts'
import { transact } from '#platform/db/transaction.ts'
import { openWorld } from '#test/support/world.ts'
import { findWrongStatistics } from '../queries/staffing.ts'
import { refreshStaleStatistics, refreshStatistics, repairStatistics } from './statistics.ts'

const COLUMNS = ['id', 'missing', 'free', 'min_count', 'max_count'] as const

describe('stored statistics of shifts', async () => {
  const world = await openWorld({ empty: true })
  const { db, now, app } = world

  before(async () => {
    const passwords = { olga: 'not used', paul: 'not used', ann: 'not used' }
    await loadDemoWorld({
      db,
      language: 'en',
      now,
      seed: 'statistics',
      timeZone: app.site.timeZone,
      keyring: app.site.keyring,
      passwords,
    })
  })

  const stored = () => db.read.selectFrom('shift').select(COLUMNS).orderBy('id').execute()
  const coming = async () => {
    const rows = await db.read.selectFrom('shift').select(['id', 'event_id']).where('end_time', '>', now).orderBy('id').execute()
    assert.ok(rows.length > 10)
    return rows
  }

  test('do not change when they are recomputed, in all structures', async () => {
    const asLoaded = await stored()
    await db.write.updateTable('shift').set({ missing: 77, free: null, min_count: null, max_count: null }).execute()
    await transact(db.write, (tx) =>
      refreshStatistics(
        tx,
        asLoaded.map(({ id }) => id),
      ),
    )
    assert.deepEqual(await stored(), asLoaded)
  })

  test('are written only if they changed, so that events keep their version', async () => {
    const versions = () => db.read.selectFrom('event').select(['id', 'version']).orderBy('id').execute()
    const before = await versions()
    await transact(db.write, async (tx) =>
      refreshStatistics(
        tx,
        (await stored()).map(({ id }) => id),
      ),
    )
    assert.deepEqual(await versions(), before)
  })

  for (const column of ['missing', 'free', 'min_count', 'max_count'] as const)
    test(`with a wrong value of ${column} are found and repaired`, async () => {
      const asLoaded = await stored()
      assert.deepEqual(await findWrongStatistics(db.read, now), [])
      const [shift] = await coming()
      await db.write
        .updateTable('shift')
        .set({ [column]: 71 })
        .where('id', '=', shift!.id)
        .execute()
      const wrong = await findWrongStatistics(db.read, now)
      assert.deepEqual(wrong, [{ id: shift!.id, eventId: shift!.event_id }])
      await repairStatistics(db.write, wrong)
      assert.deepEqual(await stored(), asLoaded)
    })

  test('of stale shifts are recomputed', async () => {
    const asLoaded = await stored()
    await db.write.updateTable('shift').set({ missing: 55, stats_stale: true }).execute()
    let rounds = 0
    while ((await refreshStaleStatistics(db.write)) > 0) assert.ok(++rounds < 10)
    assert.deepEqual(await stored(), asLoaded)
  })

  test('count a qualification only if it is valid at the end of the shift', async () => {
    const [shift] = await coming()
    const person = await db.write
      .insertInto('user_profile')
      .values({ email: 'medic@example.org', display_name: 'Medic' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const qualification = await db.read.selectFrom('qualification').select('id').orderBy('id').executeTakeFirstOrThrow()
    const configuration = { qualification_requirements: [{ qualification: qualification.id, min_count: 1, max_count: 1 }] }
    const { id, end_time } = await db.write
      .insertInto('shift')
      .values({
        event_id: shift!.event_id,
        meeting_time: now,
        start_time: now,
        end_time: new Date(now.getTime() + 3_600_000),
        signup_flow_slug: 'manual',
        structure_slug: 'qualification_mix',
        structure_configuration: JSON.stringify(configuration),
      })
      .returning(['id', 'end_time'])
      .executeTakeFirstOrThrow()
    const place = { event_id: shift!.event_id, start_time: now, end_time }
    await db.write
      .insertInto('participation')
      .values({ shift_id: id, kind: 'local', user_id: person.id, state: 1, ...place })
      .execute()
    const missingWithGrantUntil = async (expires: Date | null) => {
      await db.write
        .insertInto('qualification_grant')
        .values({ user_id: person.id, qualification_id: qualification.id, expires_at: expires })
        .onConflict((conflict) => conflict.columns(['user_id', 'qualification_id']).doUpdateSet({ expires_at: expires }))
        .execute()
      await transact(db.write, (tx) => refreshStatistics(tx, [id]))
      return (await db.read.selectFrom('shift').select('missing').where('id', '=', id).executeTakeFirstOrThrow()).missing
    }
    assert.equal(await missingWithGrantUntil(new Date(end_time.getTime() - 1000)), 1)
    assert.equal(await missingWithGrantUntil(end_time), 0)
    assert.equal(await missingWithGrantUntil(null), 0)
  })
})
