import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { cancelShift, restoreShift } from './removals.ts'

const WITHOUT_LOCK: Guard = { ...GUARD, lockPeople: async () => {}, lockEvent: async () => true }

describe('removing a shift at the same time as something else', async () => {
  const world = await openWorld()
  const db = openTestDatabase({ url: world.databaseUrl, reads: 2, writes: 6 })
  after(db.close)
  const paul = contextAs(world, PAUL, db)

  async function addShift(): Promise<{ eventId: number; shiftId: number }> {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ flow: 'instant_confirmation' }, { flow: 'instant_confirmation' }],
    })
    return { eventId: id, shiftId: shifts[0]! }
  }

  /** Until a transaction waits for a lock, or the work is done. */
  async function waitsOrEnds(work: Promise<unknown>): Promise<void> {
    let isDone = false
    void work.then(() => {
      isDone = true
    })
    for (;;) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db.read,
      )
      if (isDone || rows[0]!.count > 0) return
    }
  }

  /** Somebody signs up after the shift was stored and before it is deleted. Returns how many are on it after it is restored. */
  async function signUpDuringCancel(guard: Guard): Promise<{ signedUp: boolean; restored: number }> {
    const { shiftId } = await addShift()
    let sign: Promise<boolean> | undefined
    const checked = async () => {
      sign = signUp(contextAs(world, ANN, db), { shiftId }, guard).then(
        ({ ok }) => ok,
        () => false,
      )
      await waitsOrEnds(sign)
    }
    await cancelShift(paul, { shiftId, reason: 'Storm' }, { ...guard, checked })
    const signedUp = await sign!
    await restoreShift(paul, { shiftId })
    const { rows } = await sql`select from participation where shift_id = ${shiftId}`.execute(db.write)
    return { signedUp, restored: rows.length }
  }

  test('nobody signs up for a shift that is being cancelled', async () => {
    assert.deepEqual(await signUpDuringCancel(GUARD), { signedUp: false, restored: 0 })
  })

  test('without the locks, a sign-up is confirmed and lost', async () => {
    assert.deepEqual(await signUpDuringCancel(WITHOUT_LOCK), { signedUp: true, restored: 0 })
  })

  /** Two planners restore the shift. Returns how often its people are told. */
  async function restoreTwice(guard: Guard): Promise<{ outcomes: (boolean | undefined)[]; entries: number }> {
    const { shiftId } = await addShift()
    await cancelShift(paul, { shiftId, reason: 'Storm' })
    let second: Promise<boolean | undefined> | undefined
    const checked = async () => {
      second = restoreShift(paul, { shiftId }, guard).then((outcome) => (outcome.ok ? outcome.isRestored : undefined))
      await waitsOrEnds(second)
    }
    const first = await restoreShift(paul, { shiftId }, { ...guard, checked })
    const outcomes = [first.ok ? first.isRestored : undefined, await second!]
    const { rows } = await sql`select from journal where kind = 'shift.reopened' and subject_id = ${shiftId}`.execute(db.write)
    return { outcomes, entries: rows.length }
  }

  test('a shift is restored once', async () => {
    assert.deepEqual(await restoreTwice(GUARD), { outcomes: [true, false], entries: 1 })
  })

  test('without the locks, it is restored twice', async () => {
    assert.deepEqual(await restoreTwice(WITHOUT_LOCK), { outcomes: [true, true], entries: 2 })
  })
})
