import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { changeShift } from '#features/planning/planning/commands/shifts.ts'
import { getPlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { changeCompanions } from '#features/staffing/companions/commands.ts'
import type { Database } from '#platform/db/pool.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { PAUL, type Person } from '#test/support/people.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { openWorld } from '#test/support/world.ts'
import { GUARD, type Guard } from './locks.ts'
import { decline, type MoveOutcome, signUp } from './sign-up.ts'

const CONNECTIONS = 16
const PLACES = 10
const WATCH_EVERY_MS = 2
/** `npm run check:race` sets higher numbers. Four rounds: one for each structure. */
const ROUNDS = Number(process.env.TURNOUT_RACE_ROUNDS ?? chooseSize({ usual: 4, full: 20 }))
const CROWD = Number(process.env.TURNOUT_RACE_CROWD ?? chooseSize({ usual: 60, full: 100 }))
const PROGRESS_ROUNDS = 50

/**
 * Delays writes until each concurrent command has either passed its checks or waits for a lock. With locks, one after the other writes;
 * without them, all that passed the checks write. Both outcomes are deterministic.
 */
function gather(db: Database, locks: Omit<Guard, 'checked'>) {
  let underWay = 0
  let checked = 0
  let watching: Promise<void> | undefined
  const areAllThere = async () => {
    const { rows } = await sql<{ blocked: number }>`
      select count(*)::int as blocked from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db.read,
    )
    return checked + rows[0]!.blocked >= underWay
  }
  const watch = async () => {
    // The commands need the processor for the way to the barrier.
    while (!(await areAllThere())) await sleep(WATCH_EVERY_MS)
  }
  /** Counts a command before it has a connection, so that the barrier waits for commands that have not started. */
  return async function attempt<T>(run: (guard: Guard) => Promise<T>): Promise<T> {
    let isChecked = false
    underWay++
    try {
      return await run({
        ...locks,
        checked: async () => {
          if (!isChecked) checked++
          isChecked = true
          watching ??= watch().finally(() => {
            watching = undefined
          })
          await watching
        },
      })
    } finally {
      underWay--
      if (isChecked) checked--
    }
  }
}

const WITHOUT = { lockPeople: async () => {}, lockEvent: async () => true, lockShare: async () => {} }

describe('concurrent sign-ups', async () => {
  const world = await openWorld()
  const { connectionString: url } = world.db.writePool.options as { connectionString: string }
  const db = openTestDatabase({ url, reads: 2, writes: CONNECTIONS })
  after(db.close)
  const crowd: Person[] = []
  for (let index = 0; index < CROWD; index++) crowd.push(await world.addPerson({ name: `Person ${index}` }))
  const group = await world.addGroup('Crowd', crowd)

  const contextOf = (person: Person) => {
    const { actor, ...rest } = contextAs(world, person, db)
    return { ...rest, actor: { ...actor, groupIds: [group.id] } as typeof actor }
  }

  const shiftOf = async (structure: string, configuration: object, start = '2031-06-01T08:00:00Z') => {
    const shifts = [{ start, flow: 'instant_confirmation', structure, configuration }]
    return (await world.addEvent({ seenBy: [group], shifts })).shifts[0]!
  }
  async function race(people: readonly Person[], shiftIds: readonly number[], locks: Omit<Guard, 'checked'>) {
    const attempt = gather(db, locks)
    const left = people.flatMap((person) => shiftIds.map((shiftId) => ({ person, shiftId })))
    const outcomes: PromiseSettledResult<MoveOutcome>[] = []
    // As many as there are connections; more would wait for a connection instead of a lock.
    const take = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const { person, shiftId } = next
        outcomes.push(...(await Promise.allSettled([attempt((guard) => signUp(contextOf(person), { shiftId }, guard))])))
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, take))
    return outcomes
  }
  const wonIn = (outcomes: PromiseSettledResult<MoveOutcome>[]) =>
    outcomes.filter((each) => each.status === 'fulfilled' && each.value.ok).length
  const confirmedIn = async (shiftId: number) =>
    (
      await db.read.selectFrom('participation').select('user_id').where('shift_id', '=', shiftId).where('state', '=', 1).execute()
    ).map(({ user_id }) => user_id)
  const empty = () => world.db.write.deleteFrom('participation').execute()

  const unit = await world.db.write
    .insertInto('building_block')
    .values({ name: 'Two', block_type: 'atomic' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const label of ['left', 'right'])
    await world.db.write.insertInto('block_position').values({ block_id: unit.id, label }).execute()
  const CONFIGURATIONS: Record<string, (places: number) => object> = {
    uniform: (places) => ({ maximum_number_of_participants: places }),
    named_teams: (places) => ({
      teams: [4, places - 4].map((max_count, team) => ({ uuid: `team ${team}`, title: '', min_count: 0, max_count })),
    }),
    qualification_mix: (places) => ({
      qualification_requirements: [{ qualification: null, min_count: 3, max_count: places }],
    }),
    complex: (places) => ({
      starting_blocks: Array.from({ length: places / 2 }, (_, index) => ({ uuid: `unit ${index}`, building_block: unit.id })),
    }),
  }
  const STRUCTURES = Object.entries(CONFIGURATIONS).map(([slug, of]) => [slug, of(PLACES)] as const)

  test(`${CROWD} people for ${PLACES} places, ${ROUNDS} times, in all structures: never more than there are places`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [structure, configuration] = STRUCTURES[round % STRUCTURES.length]!
      const shiftId = await shiftOf(structure, configuration)
      const outcomes = await race(crowd, [shiftId], GUARD)
      const confirmed = await confirmedIn(shiftId)
      assert.deepEqual([wonIn(outcomes), confirmed.length, new Set(confirmed).size], [PLACES, PLACES, PLACES], structure)
      assert.deepEqual(
        outcomes.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : [])),
        [],
      )
      const shift = await db.read
        .selectFrom('shift')
        .select(['confirmed_count', 'free'])
        .where('id', '=', shiftId)
        .executeTakeFirstOrThrow()
      assert.deepEqual(shift, { confirmed_count: PLACES, free: 0 }, structure)
      await empty()
      if ((round + 1) % PROGRESS_ROUNDS === 0) process.stderr.write(`${round + 1} of ${ROUNDS} rounds\n`)
    }
  })

  for (const [structure, configuration] of STRUCTURES)
    test(`without the lock on the event ${structure} is overbooked`, async () => {
      const shiftId = await shiftOf(structure, configuration)
      await race(crowd, [shiftId], { ...GUARD, lockEvent: WITHOUT.lockEvent })
      assert.ok((await confirmedIn(shiftId)).length > PLACES)
      await empty()
    })

  /** The last place is taken, and another transaction holds the event. */
  async function signUpWhileLocked(lockEvent: Guard['lockEvent']): Promise<'waits' | readonly string[]> {
    const shiftId = await shiftOf('uniform', { maximum_number_of_participants: 1 })
    assert.ok((await signUp(contextOf(crowd[0]!), { shiftId })).ok)
    let outcome: MoveOutcome | undefined
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const holding = world.db.write.transaction().execute(async (tx) => {
      await sql`select from event where id = (select event_id from shift where id = ${shiftId}) for no key update`.execute(tx)
      hold()
      await released
    })
    await held
    const signing = signUp(contextOf(crowd[1]!), { shiftId }, { ...GUARD, lockEvent }).then((value) => {
      outcome = value
    })
    const isBlocked = async () =>
      (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db.read))
        .rows.length > 0
    while (!outcome && !(await isBlocked())) await sleep(WATCH_EVERY_MS)
    const seen = outcome
    release()
    await Promise.all([holding, signing])
    await empty()
    return seen && !seen.ok ? seen.reasons.map(({ code }) => code) : 'waits'
  }
  test('a person who is refused anyway does not wait for other sign-ups of the event', async () =>
    assert.deepEqual(await signUpWhileLocked(GUARD.lockEvent), ['full']))
  test('twin: waits, if the first attempt to lock the event waits', async () =>
    assert.equal(await signUpWhileLocked((tx, eventId) => GUARD.lockEvent(tx, eventId)), 'waits'))

  for (const [structure, configurationOf] of Object.entries(CONFIGURATIONS))
    test(`sign-ups, declines and a larger shift at once never overbook ${structure}, and the statistics are right`, async () => {
      const flowConfiguration = { user_can_decline_confirmed: true }
      const { shifts } = await world.addEvent({
        seenBy: [group],
        responsible: [PAUL],
        shifts: [
          {
            start: '2031-06-02T08:00:00Z',
            flow: 'instant_confirmation',
            flowConfiguration,
            structure,
            configuration: configurationOf(PLACES),
          },
        ],
      })
      const shiftId = shifts[0]!
      const inside = crowd.slice(0, PLACES)
      for (const person of inside) assert.ok((await signUp(contextOf(person), { shiftId })).ok)
      const planner = contextAs(world, PAUL, db)
      const enlarge = async (places: number) => {
        const shift = (await getPlannedShift(db.write, planner.actor, shiftId))!
        const outcome = await changeShift(planner, {
          shiftId,
          version: {},
          input: { ...shift, structureConfiguration: configurationOf(places) as typeof shift.structureConfiguration },
        })
        assert.ok(outcome.ok)
      }
      const left: (() => Promise<unknown>)[] = crowd.slice(PLACES).map((person) => () => signUp(contextOf(person), { shiftId }))
      for (const [index, person] of inside.entries()) left.splice(3 * index, 0, () => decline(contextOf(person), { shiftId }))
      // A planner saves one change after the other; on a loaded machine the second one could overtake the first.
      const isEnlarged = Promise.withResolvers<void>()
      left.splice(20, 0, () => enlarge(PLACES + 2).then(isEnlarged.resolve, isEnlarged.reject))
      left.splice(50, 0, () => isEnlarged.promise.then(() => enlarge(PLACES + 4)))
      const take = async () => {
        for (let next = left.shift(); next; next = left.shift()) await next()
      }
      await Promise.all(Array.from({ length: CONNECTIONS }, take))
      const confirmed = await confirmedIn(shiftId)
      const shift = await db.read
        .selectFrom('shift')
        .select(['confirmed_count', 'free', 'max_count'])
        .where('id', '=', shiftId)
        .executeTakeFirstOrThrow()
      const places = PLACES + 4
      assert.deepEqual(shift, { confirmed_count: confirmed.length, free: places - confirmed.length, max_count: places })
      assert.ok(confirmed.length <= places && new Set(confirmed).size === confirmed.length)
      assert.ok(inside.every(({ id }) => !confirmed.includes(id)))
      await empty()
    })

  /** 20 people with a place each bring three others for the ten places that are left. Returns how many are confirmed then. */
  async function bringAtOnce(locks: Omit<Guard, 'checked'>) {
    const shifts = [
      {
        start: '2031-06-03T08:00:00Z',
        flow: 'instant_confirmation',
        flowConfiguration: { user_can_bring: 3 },
        structure: 'uniform',
        configuration: { maximum_number_of_participants: 30 },
      },
    ]
    const shiftId = (await world.addEvent({ seenBy: [group], shifts })).shifts[0]!
    const bringers = crowd.slice(0, 20)
    for (const person of bringers) assert.ok((await signUp(contextOf(person), { shiftId })).ok)
    const attempt = gather(db, locks)
    const left = [...bringers]
    const change = { names: new Map<number, string>(), leaving: new Set<number>(), added: ['', '', ''] }
    let won = 0
    const take = async () => {
      for (let person = left.shift(); person; person = left.shift()) {
        const context = contextOf(person)
        const outcome = await attempt((guard) => changeCompanions(context, { shiftId, seen: '', change }, guard))
        if (outcome.ok) won++
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, take))
    const confirmed = (await confirmedIn(shiftId)).length
    await empty()
    return { won, confirmed }
  }

  test('20 people who each bring three others at once never overbook 30 places', async () => {
    assert.deepEqual(await bringAtOnce(GUARD), { won: 3, confirmed: 29 })
  })

  test('without the lock on the event those whom people bring overbook it', async () => {
    const { confirmed } = await bringAtOnce({ ...GUARD, lockEvent: WITHOUT.lockEvent })
    assert.ok(confirmed > 30, String(confirmed))
  })

  const bounds = { maximum_number_of_participants: CROWD }
  const twoShifts = async () => [
    await shiftOf('uniform', bounds, '2031-07-01T08:00:00Z'),
    await shiftOf('uniform', bounds, '2031-07-01T08:30:00Z'),
  ]
  const [racer] = crowd as [Person]

  test('one person who signs up for two shifts at the same time gets exactly one', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      assert.equal(wonIn(await race([racer], await twoShifts(), GUARD)), 1)
      await empty()
    }
  })

  test('without the lock on the person they get both', async () => {
    assert.equal(wonIn(await race([racer], await twoShifts(), { ...GUARD, lockPeople: WITHOUT.lockPeople })), 2)
    await empty()
  })

  test('many clicks of one person create one participation', async () => {
    const shiftId = await shiftOf('uniform', bounds, '2031-08-01T08:00:00Z')
    const outcomes = await race(Array(CONNECTIONS).fill(racer), [shiftId], GUARD)
    assert.deepEqual([wonIn(outcomes), await confirmedIn(shiftId)], [1, [racer.id]])
    assert.ok(outcomes.every(({ status }) => status === 'fulfilled'))
  })
})
