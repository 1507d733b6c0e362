import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { getPlannedShift } from '../queries/shifts.ts'
import { changeShift } from './shifts.ts'

const CROWD = 8
const FORMER = 5
const PLACES = 1

describe('reducing the places while people sign up', async () => {
  const world = await openWorld()
  const db = openTestDatabase({ url: world.databaseUrl, reads: 2, writes: CROWD + 2 })
  after(db.close)
  const crowd: Person[] = []
  for (let index = 0; index < CROWD; index++) crowd.push(await world.addPerson({ name: `Person ${index}` }))

  async function race(guard: Guard) {
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS, ...crowd],
      responsible: [PAUL],
      shifts: [{ flow: 'instant_confirmation', configuration: { maximum_number_of_participants: FORMER } }],
    })
    const shiftId = shifts[0]!
    const context = contextAs(world, PAUL, db)
    const shift = (await getPlannedShift(db.write, context.actor, shiftId))!
    const input = { ...shift, structureConfiguration: { maximum_number_of_participants: PLACES } }
    let signUps: Promise<PromiseSettledResult<unknown>[]> | undefined
    // The change is decided and not yet written when all sign-ups arrive; it continues when all of them wait for the event lock.
    const checked = async () => {
      let done = 0
      signUps = Promise.allSettled(
        crowd.map((person) => signUp(contextAs(world, person, db), { shiftId }, guard).finally(() => done++)),
      )
      const waiting = async () => {
        const { rows } = await sql<{ count: number }>`
          select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          db.read,
        )
        return rows[0]!.count
      }
      while ((await waiting()) + done < CROWD);
    }
    const outcome = await changeShift(context, { shiftId, input, version: {} }, { ...GUARD, checked })
    assert.deepEqual(outcome, { ok: true, hasChanged: true, outside: 0, confirmed: 0, notified: 0 })
    await signUps
    const row = await db.write
      .selectFrom('shift')
      .select(['confirmed_count', 'free'])
      .where('id', '=', shiftId)
      .executeTakeFirstOrThrow()
    return { confirmed: row.confirmed_count, free: row.free }
  }

  test('confirms no more people than places', async () => {
    assert.deepEqual(await race(GUARD), { confirmed: PLACES, free: 0 })
  })

  test('without the event lock, sign-ups get the former places', async () => {
    const { confirmed } = await race({ ...GUARD, lockEvent: async () => true })
    assert.ok(confirmed > PLACES, `${confirmed}`)
  })
})
