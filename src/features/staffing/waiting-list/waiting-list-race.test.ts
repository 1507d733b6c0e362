import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { GUARD, type Guard } from '#features/staffing/participations/commands/locks.ts'
import { decline, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { findWrongStatistics } from '#features/staffing/staffing/queries/staffing.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { answerWaitingListOffer } from './commands/answer.ts'
import { joinWaitingList, leaveWaitingList } from './commands/join.ts'
import { offerDuePlaces } from './commands/offer.ts'

const CONNECTIONS = 12
const PLACES = 10
const HOUR_MS = 3_600_000

describe('the waiting list under load', async () => {
  const world = await openWorld()
  const { connectionString: url } = world.db.writePool.options as { connectionString: string }
  const db = openTestDatabase({ url, reads: 2, writes: CONNECTIONS })
  after(db.close)
  const crowd: Person[] = []
  for (let index = 0; index < 60; index++) crowd.push(await world.addPerson({ name: `Person ${index}` }))
  const group = await world.addGroup('Crowd', crowd)
  const as = (person: Person, later = 0): CommandContext => {
    const { actor, ...rest } = contextAs(world, person, db)
    return { ...rest, actor: { ...actor, groupIds: [group.id] } as typeof actor, now: new Date(world.now.getTime() + later) }
  }
  const job = (later = 0): CommandContext => ({ ...as(PAUL, later), actor: ANONYMOUS })
  const shiftOf = async (places: number) => {
    const { shifts } = await world.addEvent({
      seenBy: [group],
      responsible: [PAUL],
      shifts: [
        {
          start: '2031-06-02T08:00:00Z',
          flow: 'instant_confirmation',
          flowConfiguration: { user_can_decline_confirmed: true },
          configuration: { maximum_number_of_participants: places },
        },
      ],
    })
    await transact(db.write, (tx) => refreshStatistics(tx, shifts))
    return shifts[0]!
  }
  const entries = (shift: number) =>
    db.write.selectFrom('waiting_entry').select(['id', 'user_id', 'state']).where('shift_id', '=', shift).orderBy('id').execute()
  const taken = async (shift: number) => {
    const { rows } = await sql<{ confirmed: number; held: number }>`
      select (select count(*) from participation p where p.shift_id = ${shift} and p.state = 1)::int as confirmed,
        (select count(*) from waiting_entry w where w.shift_id = ${shift} and w.state = 'offered')::int as held`.execute(db.write)
    return rows[0]!
  }
  const offersOf = (shift: number) =>
    db.write
      .selectFrom('journal')
      .select('changes')
      .where('kind', '=', 'shift.place_offered')
      .where('subject_id', '=', shift)
      .orderBy('id')
      .execute()
  const answerOf = async (
    shift: number,
    entry: { id: number; user_id: number },
    answer: 'yes' | 'no',
    guard?: Guard,
    later = 0,
  ) =>
    answerWaitingListOffer(
      as(crowd.find(({ id }) => id === entry.user_id)!, later),
      { entryId: entry.id, shiftId: shift, answer },
      guard,
    )

  const clear = async () => {
    await db.write.deleteFrom('waiting_entry').execute()
    await db.write.deleteFrom('participation').execute()
  }

  test('more than 100 declines, sign-ups, answers and runs of the job at once keep the order and never overbook', async () => {
    const shift = await shiftOf(PLACES)
    const inside = crowd.slice(0, PLACES)
    const line = crowd.slice(PLACES, PLACES + 30)
    const outside = crowd.slice(PLACES + 30)
    for (const person of inside) assert.ok((await signUp(as(person), { shiftId: shift })).ok)
    for (const person of line) assert.ok((await joinWaitingList(as(person), shift)).ok)
    let acts = 0
    const answerAll = async () => {
      for (const entry of (await entries(shift)).filter(({ state }) => state === 'offered')) {
        acts++
        await answerOf(shift, entry, entry.id % 3 === 0 ? 'no' : 'yes')
      }
    }
    const isNotFull = async () => {
      const { confirmed, held } = await taken(shift)
      assert.ok(confirmed + held <= PLACES, `${confirmed} confirmed and ${held} held`)
    }
    const left: (() => Promise<unknown>)[] = [
      ...inside.map((person) => () => decline(as(person), { shiftId: shift })),
      ...outside.map((person) => () => signUp(as(person), { shiftId: shift })),
      ...Array.from({ length: 30 }, () => () => offerDuePlaces(job())),
      ...Array.from({ length: 30 }, () => answerAll),
      ...Array.from({ length: 20 }, () => isNotFull),
      () => leaveWaitingList(as(line[4]!), shift),
    ]
    // A fixed shuffle, so that a failure can be repeated.
    const shuffled = left.map((run, index) => ({ run, at: ((index * 7919) % 104_729) % left.length })).sort((a, b) => a.at - b.at)
    acts += shuffled.length
    const take = async () => {
      for (let next = shuffled.shift(); next; next = shuffled.shift()) await next.run()
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, take))
    assert.ok(acts > 100)
    await isNotFull()
    // Whatever was due is offered by the next run; then every place is taken or held, because people still wait.
    await offerDuePlaces(job())
    assert.ok((await entries(shift)).some(({ state }) => state === 'waiting'))
    const { confirmed, held } = await taken(shift)
    assert.equal(confirmed + held, PLACES)
    const order = (await offersOf(shift)).map(({ changes }) => (changes as { entry: number }).entry)
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
      'offered in the order of the waiting list',
    )
    assert.equal(new Set(order).size, order.length, 'each offered once')
    const outsiders = new Set(outside.map(({ id }) => id))
    const { rows } = await sql<{ user_id: number }>`
      select p.user_id from participation p where p.shift_id = ${shift} and p.state = 1 and p.user_id is not null`.execute(
      db.write,
    )
    assert.deepEqual(
      rows.filter(({ user_id }) => outsiders.has(user_id)),
      [],
      'people who did not wait got no place',
    )
    assert.deepEqual(
      (await findWrongStatistics(db.write, world.now)).filter(({ id }) => id === shift),
      [],
    )
  })

  test('without the mark of the waiting list, somebody who did not wait takes the place', async () => {
    await clear()
    const shift = await shiftOf(1)
    const [first, second, third] = crowd as [Person, Person, Person]
    await signUp(as(first), { shiftId: shift })
    await joinWaitingList(as(second), shift)
    await decline(as(first), { shiftId: shift })
    assert.ok(!(await signUp(as(third), { shiftId: shift })).ok)
    await db.write.updateTable('waiting_line').set({ is_due: false }).where('shift_id', '=', shift).execute()
    assert.ok((await signUp(as(third), { shiftId: shift })).ok)
  })

  const isSomebodyBlocked = async () => {
    const { rows } = await sql<{ blocked: number }>`
      select count(*)::int as blocked from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db.read,
    )
    return rows[0]!.blocked > 0
  }
  const waitFor = async (isThere: () => Promise<boolean>) => {
    while (!(await isThere()));
  }
  /** The person accepts in the moment in which the job gives the place to the next. */
  const acceptWhileExpiring = async (lockEvent: Guard['lockEvent']) => {
    await clear()
    const shift = await shiftOf(1)
    const [first, second, third] = crowd as [Person, Person, Person]
    await signUp(as(first), { shiftId: shift })
    for (const person of [second, third]) await joinWaitingList(as(person), shift)
    await decline(as(first), { shiftId: shift })
    await offerDuePlaces(job())
    const [offered] = await entries(shift)
    let expiring: Promise<unknown> = Promise.resolve()
    const checked = async () => {
      let isDone = false
      expiring = offerDuePlaces(job(21 * HOUR_MS)).finally(() => {
        isDone = true
      })
      await waitFor(async () => isDone || (await isSomebodyBlocked()))
    }
    const outcome = await answerOf(shift, offered!, 'yes', { ...GUARD, lockEvent, checked }, 11 * HOUR_MS)
    await expiring
    return { outcome: outcome.kind, ...(await taken(shift)) }
  }
  test('an offer is accepted or goes to the next, not both', async () => {
    assert.deepEqual(await acceptWhileExpiring(GUARD.lockEvent), { outcome: 'accepted', confirmed: 1, held: 0 })
  })
  test('without the lock on the event, the place is taken and offered', async () => {
    assert.deepEqual(await acceptWhileExpiring(async () => true), { outcome: 'accepted', confirmed: 1, held: 1 })
  })
})
