import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findShiftsToJoin } from '#features/events/browse/queries/shifts.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findEligibility } from './eligibility.ts'

describe('eligibility for many shifts', async () => {
  const world = await openWorld()
  const medic = await world.addQualification('Medic')
  const helper = await world.addQualification('Helper')
  let statements = 0
  const watched = new WeakSet<object>()
  world.db.readPool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      statements++
      return query(...args)
    }) as typeof client.query
  })
  const askOf = (person: Person): RequestContext => {
    const { actor, now, site } = contextAs(world, person)
    return { db: world.db.read, actor, now, site, words: wordsFor('en', site.timeZone) }
  }
  const KINDS: ShiftOptions[] = [
    { flow: 'instant_confirmation', configuration: { maximum_number_of_participants: 2 } },
    {
      flow: 'instant_confirmation',
      structure: 'complex',
      configuration: { starting_blocks: [{ uuid: 'a', building_block: 1 }] },
    },
    {
      structure: 'qualification_mix',
      configuration: { qualification_requirements: [{ qualification: medic.id, min_count: 1 }] },
    },
    { flow: 'manual' },
  ]
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...KINDS[index % KINDS.length]!,
      start: new Date(Date.UTC(2031, 6, 1, index)).toISOString(),
    }))

  test('takes as many queries for forty shifts as for four', async () => {
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: many(40) })
    const count = async (ids: number[]) => {
      statements = 0
      const found = await findEligibility(askOf(ANN), ids)
      assert.equal(found.size, ids.length)
      return statements
    }
    await count(shifts)
    const few = await count(shifts.slice(0, 4))
    assert.ok(few > 0 && few <= 9, `${few} statements`)
    assert.equal(await count(shifts), few)
  })

  test('judges each shift separately', async () => {
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: many(4) })
    const found = await findEligibility(askOf(ANN), shifts)
    const results = shifts
      .map((id) => found.get(id)!)
      .map(({ canSignUp, isFit, reasons }) => [canSignUp, isFit, reasons['sign-up'][0]?.code])
    assert.deepEqual(results, [
      [true, true, undefined],
      [false, true, 'full'],
      [false, false, 'not_qualified'],
      [false, true, 'no_self_service'],
    ])
  })

  test('knows the units of a shift that is built of them', async () => {
    const add = world.db.write.insertInto('building_block').values({ name: 'Seat', block_type: 'atomic' }).returning('id')
    const { id: building_block } = await add.executeTakeFirstOrThrow()
    await world.db.write.insertInto('block_position').values({ block_id: building_block, label: 'Driver' }).execute()
    const complex = { ...KINDS[1]!, configuration: { starting_blocks: [{ uuid: 'a', building_block }] } }
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [complex] })
    const found = async () => (await findEligibility(askOf(ANN), shifts)).get(shifts[0]!)!
    const { canSignUp, reasons } = await found()
    assert.deepEqual([canSignUp, reasons['sign-up']], [true, []])
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 1 })
    assert.equal((await found()).reasons['sign-up'][0]?.code, 'full')
  })

  test('people who are confirmed and those to whom a place is offered hold places by what is valid until the end, or by what is valid now', async () => {
    const configuration = {
      qualification_requirements: [
        { qualification: medic.id, min_count: 0, max_count: 1 },
        { qualification: helper.id, min_count: 0, max_count: 1 },
      ],
    }
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS],
      shifts: [1, 2].map((day) => ({
        start: `2031-06-1${day}T08:00:00Z`,
        end: `2031-06-1${day}T12:00:00Z`,
        flow: 'instant_confirmation',
        structure: 'qualification_mix',
        configuration,
      })),
    })
    const [confirmed, offered] = shifts as [number, number]
    await world.holds(ANN, helper)
    await world.holds(BEN, helper)
    await world.holds(BEN, medic, new Date('2031-06-11T00:00:00Z'))
    await world.addParticipation({ who: BEN, shift: confirmed, state: 1 })
    await world.db.write
      .insertInto('waiting_entry')
      .values({
        shift_id: offered,
        user_id: BEN.id,
        since: world.now,
        state: 'offered',
        offered_at: world.now,
        offered_until: new Date('2031-05-10T08:00:00Z'),
      })
      .execute()
    const canSignUp = async () => {
      const found = await findEligibility(askOf(ANN), shifts)
      return shifts.map((id) => found.get(id)!.canSignUp)
    }
    assert.deepEqual(await canSignUp(), [false, false], 'Ben has the place of the helper')
    await world.db.write.insertInto('setting').values({ name: 'expiring_qualification_warns', value: 'true' }).execute()
    assert.deepEqual(await canSignUp(), [true, true], 'Ben has the place of the medic')
    await world.db.write.deleteFrom('setting').where('name', '=', 'expiring_qualification_warns').execute()
    await world.db.write.deleteFrom('qualification_grant').execute()
  })

  test('callers without a participant get no result', async () => {
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: many(1) })
    assert.equal(
      (await findEligibility({ ...askOf(ANN), actor: { kind: 'anonymous' } as RequestContext['actor'] }, shifts)).size,
      0,
    )
  })

  test('shifts that lack people are found for eligible people who have not answered, one-click shifts first', async () => {
    const lacking = { stats: { missing: 1 } }
    const day = (date: number) => `2031-05-${date}T08:00:00Z`
    const teams = ['a', 'b'].map((uuid) => ({ uuid, title: uuid, min_count: 1, max_count: 1 }))
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS],
      shifts: [
        { ...lacking, start: day(10), structure: 'named_teams', configuration: { choose_preferred_team: true, teams } },
        { ...lacking, start: day(12) },
        { ...lacking, start: day(11) },
        { ...lacking, start: day(13), configuration: { required_qualification_ids: [medic.id] } },
        { ...lacking, start: day(14) },
        { start: day(15) },
      ],
    })
    await world.addEvent({ shifts: [{ ...lacking, start: day(16) }] })
    const [choosing, second, first, medics, declined] = shifts as [number, number, number, number, number]
    await world.addParticipation({ who: BEN, shift: declined, state: 2 })
    const idsFor = async (person: Person, limit = 10) => (await findShiftsToJoin(askOf(person), limit)).toJoin.map(({ id }) => id)
    assert.deepEqual(await idsFor(BEN), [first, second, choosing])
    assert.deepEqual(await idsFor(BEN, 1), [first])
    await world.holds(BEN, medic)
    assert.deepEqual(await idsFor(BEN), [first, second, medics, choosing])
  })
})
