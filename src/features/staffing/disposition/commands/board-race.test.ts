import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { decline } from '#features/staffing/participations/commands/sign-up.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { ANN, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { BOARD_GUARD, type BoardGuard, type CardOutcome, saveBoard } from './board.ts'

const ROUNDS = 8
const CROWD = 12
const local = ({ id }: Person) => ({ kind: 'local', id }) as const

/** Everybody who gets here waits for the others, so that all have looked before anybody writes. */
function meeting(size: number): () => Promise<void> {
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  let there = 0
  return async () => {
    if (++there === size) open()
    await opened
  }
}

describe('two dispatchers, a late decline and a capacity edit at once', async () => {
  const world = await openWorld()
  const db = openTestDatabase({ url: world.databaseUrl, reads: 2, writes: 6 })
  after(db.close)
  beforeEach(() => world.db.write.deleteFrom('participation').execute())
  const crowd: Person[] = []
  for (let index = 0; index < CROWD; index++) crowd.push(await world.addPerson({ name: `Helper ${index}` }))
  const group = await world.addGroup('All', [...crowd, ANN])
  const as = (person: Person) => contextAs(world, person, db)

  async function filled() {
    const { id, shifts } = await world.addEvent({
      seenBy: [group],
      responsible: [PAUL],
      shifts: [
        {
          start: '2031-06-01T08:00:00Z',
          flowConfiguration: { user_can_decline_confirmed: true },
          configuration: { minimum_number_of_participants: CROWD, maximum_number_of_participants: CROWD },
        },
      ],
    })
    const shift = shifts[0]!
    for (const person of crowd) await world.addParticipation({ who: person, shift, state: 0 })
    await world.addParticipation({ who: ANN, shift, state: 1 })
    return { eventId: id, shift }
  }
  const enlarge = (eventId: number, shift: number) =>
    transact(db.write, async (tx) => {
      await GUARD.lockEvent(tx, eventId)
      const configuration = { minimum_number_of_participants: CROWD + 2, maximum_number_of_participants: CROWD + 3 }
      await tx
        .updateTable('shift')
        .set({ structure_configuration: JSON.stringify(configuration) })
        .where('id', '=', shift)
        .execute()
      await refreshStatistics(tx, [shift])
    })
  const card = (who: Person, to: 0 | 1 | 3, version = 1) => ({ who: local(who), version, to })
  const declineOf = (shift: number) => {
    const context = as(ANN)
    const actor = { ...context.actor, groupIds: [group.id] } as typeof context.actor
    return decline({ ...context, actor }, { shiftId: shift })
  }

  /** Paul confirms everybody and keeps Ann; Olga rejects the second half and asks Ann again; Ann declines; the shift grows. */
  async function race(guard: BoardGuard) {
    const { eventId, shift } = await filled()
    const half = crowd.slice(CROWD / 2)
    const [paul, olga] = await Promise.all([
      saveBoard(as(PAUL), { shiftId: shift, cards: [...crowd.map((one) => card(one, 1)), card(ANN, 0)] }, guard),
      saveBoard(as(OLGA), { shiftId: shift, cards: [...half.map((one) => card(one, 3)), card(ANN, 3)] }, guard),
      declineOf(shift),
      enlarge(eventId, shift),
    ])
    const rows = await db.read.selectFrom('participation').selectAll().where('shift_id', '=', shift).execute()
    const stateOf = new Map(rows.map(({ user_id, state }) => [user_id!, state]))
    const stats = await db.read
      .selectFrom('shift')
      .select(['requested_count', 'confirmed_count', 'missing', 'free', 'max_count'])
      .where('id', '=', shift)
      .executeTakeFirstOrThrow()
    return { paul, olga, half, rows, stateOf, stats }
  }
  const savedBy = (outcomes: CardOutcome[], who: Person) =>
    outcomes.some((one) => one.kind === 'saved' && 'kind' in one.who && one.who.id === who.id)

  test(`no change is lost, nobody is reset, and the statistics are right, ${ROUNDS} times`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { paul, olga, half, rows, stateOf, stats } = await race(BOARD_GUARD)
      for (const person of half) {
        // Exactly one of the two was first, was told so, and is what counts; the other was told that it is stale.
        assert.equal(Number(savedBy(paul, person)) + Number(savedBy(olga, person)), 1)
        assert.equal(stateOf.get(person.id), savedBy(paul, person) ? 1 : 3)
      }
      for (const person of crowd.slice(0, CROWD / 2)) assert.ok(savedBy(paul, person) && stateOf.get(person.id) === 1)
      const moved = [savedBy(paul, ANN) && 'paul', savedBy(olga, ANN) && 'olga'].filter(Boolean)
      assert.ok(moved.length <= 1)
      // A decline that came first is never overwritten; one that came later found what a dispatcher had decided.
      const expected = moved[0] === 'olga' ? [3] : [2]
      assert.ok(expected.includes(stateOf.get(ANN.id)!), `Ann is ${stateOf.get(ANN.id)} after ${moved}`)
      assert.equal(rows.length, CROWD + 1)
      const confirmed = rows.filter(({ state }) => state === 1).length
      assert.deepEqual(stats, {
        requested_count: rows.filter(({ state }) => state === 0).length,
        confirmed_count: confirmed,
        missing: Math.max(CROWD + 2 - confirmed, 0),
        free: Math.max(CROWD + 3 - confirmed, 0),
        max_count: CROWD + 3,
      })
      await world.db.write.deleteFrom('participation').execute()
    }
  })

  test('without locks and versions one dispatcher silently overwrites the other', async () => {
    const both = meeting(2)
    const { shift } = await filled()
    const [person] = crowd as [Person]
    const withoutCard: BoardGuard = {
      ...BOARD_GUARD,
      lockPeople: async () => {},
      lockEvent: async () => true,
      checked: both,
      isStale: () => false,
    }
    const outcomes = await Promise.all([
      saveBoard(as(PAUL), { shiftId: shift, cards: [card(person, 1)] }, withoutCard),
      saveBoard(as(OLGA), { shiftId: shift, cards: [card(person, 3)] }, withoutCard),
    ])
    assert.deepEqual(
      outcomes.flat().map(({ kind }) => kind),
      ['saved', 'saved'],
      'both believe that theirs counts',
    )
  })

  test('without versions an earlier decline is reset by a board that was opened before it', async () => {
    const { shift } = await filled()
    await declineOf(shift)
    const late = (guard: BoardGuard) => saveBoard(as(PAUL), { shiftId: shift, cards: [card(ANN, 0)] }, guard)
    const stateOfAnn = async () =>
      (await db.read.selectFrom('participation').select('state').where('user_id', '=', ANN.id).executeTakeFirstOrThrow()).state
    assert.equal((await late(BOARD_GUARD))[0]!.kind, 'stale')
    assert.equal(await stateOfAnn(), 2)
    assert.equal((await late({ ...BOARD_GUARD, isStale: () => false }))[0]!.kind, 'saved')
    assert.equal(await stateOfAnn(), 0)
  })
})
