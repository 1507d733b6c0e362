import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { addShift } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { copyFromLeaders, removeFromFollowers } from './coupling.ts'
import { decline, signUp } from './sign-up.ts'

const day = (hour: number, date: number) => `2031-06-0${date}T${String(hour).padStart(2, '0')}:00:00Z`

describe('a coupled shift', async () => {
  const world = await openWorld()
  const context = contextAs(world, PAUL)
  // Participations of other tests must not conflict.
  beforeEach(() => world.db.write.deleteFrom('participation').execute())
  const dispose = (person: Person, shiftId: number, to: 0 | 1 | 2 | 3) =>
    moveOnBoard(context, { shiftId, who: { kind: 'local', id: person.id }, to })
  const peopleOf = async (shiftId: number) => {
    const { rows } = await sql<{ who: string; state: number }>`
      select coalesce(u.display_name, p.placeholder_name) as who, p.state from participation p
      left join user_profile u on u.id = p.user_id where p.shift_id = ${shiftId} order by p.state, 1`.execute(world.db.read)
    return rows.map(({ who, state }) => `${who} ${state}`)
  }
  const countsOf = async (id: number) => {
    const query = world.db.read.selectFrom('shift').select(['requested_count', 'confirmed_count']).where('id', '=', id)
    const { requested_count, confirmed_count } = await query.executeTakeFirstOrThrow()
    return [requested_count, confirmed_count]
  }
  const follow = (shiftId: number) => transact(world.db.write, (tx) => copyFromLeaders(tx, context, [shiftId]))

  async function addPair() {
    const flowConfiguration = { user_can_decline_confirmed: true }
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: day(8, 1), end: day(9, 1), flow: 'instant_confirmation', flowConfiguration }],
    })
    const leader = shifts[0]!
    const addFollower = (leaderId: number | null = leader) =>
      addShift(world.db.write, id, {
        start: day(8, 2),
        end: day(9, 2),
        flow: 'coupled',
        flowConfiguration: { leader_shift_id: leaderId },
      })
    return { id, leader, addFollower }
  }

  test('copies all participations of its leader with their states when it is saved', async () => {
    const { leader, addFollower } = await addPair()
    await signUp(contextAs(world, ANN), { shiftId: leader })
    await dispose(BEN, leader, 0)
    await world.addParticipation({ shift: leader, who: { placeholder: 'Crew of the North' }, state: 1 })
    await world.addParticipation({ shift: leader, who: { placeholder: 'On the way' }, state: 4 })
    const follower = await addFollower()
    assert.deepEqual(await peopleOf(follower), [])
    await follow(follower)
    assert.deepEqual(await peopleOf(follower), ['Ben 0', 'Ann 1', 'Crew of the North 1'])
    assert.deepEqual(await countsOf(follower), [1, 2])
    await follow(follower)
    assert.deepEqual(await peopleOf(follower), ['Ben 0', 'Ann 1', 'Crew of the North 1'], 'saving again changes nothing')
  })

  test('follows every change of its leader; a decision of a responsible lasts until the next one', async () => {
    const { leader, addFollower } = await addPair()
    const follower = await addFollower()
    await signUp(contextAs(world, ANN), { shiftId: leader })
    await dispose(ANN, follower, 3)
    assert.deepEqual(await peopleOf(follower), ['Ann 3'])
    await decline(contextAs(world, ANN), { shiftId: leader })
    assert.deepEqual(await peopleOf(follower), ['Ann 2'])
    await signUp(contextAs(world, ANN), { shiftId: leader })
    assert.deepEqual(await peopleOf(follower), ['Ann 1'])
  })

  test('loses people who are deleted from the leader, and keeps people who take part only here', async () => {
    const { leader, addFollower } = await addPair()
    const follower = await addFollower()
    await signUp(contextAs(world, ANN), { shiftId: leader })
    await dispose(BEN, follower, 1)
    assert.deepEqual(await countsOf(follower), [0, 2])
    await transact(world.db.write, async (tx) => {
      await removeFromFollowers(tx, leader)
      await tx.deleteFrom('participation').where('shift_id', '=', leader).execute()
    })
    assert.deepEqual(await peopleOf(follower), ['Ben 1'])
    assert.deepEqual(await countsOf(follower), [0, 1])
  })

  test('has no leader if that is in another event, coupled itself, or missing', async () => {
    const { id, leader, addFollower } = await addPair()
    const other = await addPair()
    await signUp(contextAs(world, ANN), { shiftId: leader })
    await dispose(BEN, other.leader, 1)
    for (const leaderId of [other.leader, null, 999_999]) {
      const follower = await addFollower(leaderId)
      await follow(follower)
      assert.deepEqual(await peopleOf(follower), [], String(leaderId))
    }
    const first = await addFollower()
    const second = await addShift(world.db.write, id, {
      start: day(8, 3),
      end: day(9, 3),
      flow: 'coupled',
      flowConfiguration: { leader_shift_id: first },
    })
    await follow(first)
    await follow(second)
    assert.deepEqual(await peopleOf(second), [], 'a coupled shift cannot be a leader')
    await follow(leader)
    assert.deepEqual(await peopleOf(leader), ['Ann 1'])
  })
})
