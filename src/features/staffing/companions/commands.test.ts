import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { giveUpPlaces } from '#features/staffing/participations/commands/departures.ts'
import { decline, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { undo } from '#features/staffing/participations/commands/undo.ts'
import { findCompanions } from '#features/staffing/participations/queries/companions.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs, contextOf, VISITOR } from '#test/support/command-context.ts'
import { findPlaceholders } from '#test/support/companions.ts'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { changeCompanions, forgetCompanionNames } from './commands.ts'
import type { CompanionsChange } from './rules.ts'
import { listVersion } from './rules.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const BRINGS = { user_can_bring: 3, user_can_decline_confirmed: true }
const INSTANT = { flow: 'instant_confirmation', flowConfiguration: BRINGS, configuration: { maximum_number_of_participants: 4 } }
const REQUEST = { flow: 'request_confirm', flowConfiguration: BRINGS }

describe('bringing others', async () => {
  const world = await openWorld()
  const as = (person: Person) => contextAs(world, person)
  beforeEach(async () => {
    world.now = NOW
    await world.db.write.deleteFrom('participation').execute()
  })
  async function addEvent(...shifts: ShiftOptions[]) {
    const times = { start: '2031-05-04T08:00:00Z', end: '2031-05-04T12:00:00Z' }
    return world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: shifts.map((shift) => ({ ...times, ...shift })) })
  }
  const addShift = async (shift: ShiftOptions) => (await addEvent(shift)).shifts[0]!
  const listOf = (shiftId: number) => findPlaceholders(world.db, shiftId)
  const namesOf = async (shiftId: number) => (await listOf(shiftId)).map(({ name, state }) => `${name}: ${state}`)
  const statsOf = (id: number) =>
    world.db.read
      .selectFrom('shift')
      .select(['requested_count', 'confirmed_count', 'free'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  const seenBy = async (person: Person, shiftId: number) => {
    const own = await world.db.read
      .selectFrom('participation')
      .select('id')
      .where('shift_id', '=', shiftId)
      .where('user_id', '=', person.id)
      .executeTakeFirst()
    return listVersion(own ? await findCompanions(world.db.read, own.id) : [])
  }
  const bring = async (person: Person, shiftId: number, given: Partial<CompanionsChange>, seen?: string) =>
    changeCompanions(as(person), {
      shiftId,
      seen: seen ?? (await seenBy(person, shiftId)),
      change: { names: new Map(), leaving: new Set(), added: [], ...given },
    })
  const joinWith = async (shiftId: number, added: string[]) => {
    const joined = await signUp(as(ANN), { shiftId })
    assert.ok(joined.ok)
    assert.deepEqual(await bring(ANN, shiftId, { added }), { ok: true, added: added.length, removed: 0, renamed: 0 })
  }

  test('confirms them at once where people are confirmed at once, and they take places', async () => {
    const shiftId = await addShift(INSTANT)
    await joinWith(shiftId, ['Eva', ''])
    assert.deepEqual(await namesOf(shiftId), ['Eva: 1', `Companion of ${ANN.name} (1): 1`])
    assert.deepEqual(await statsOf(shiftId), { requested_count: 0, confirmed_count: 3, free: 1 })
    const refused = await bring(ANN, shiftId, { leaving: new Set(), added: ['Mia'] })
    assert.ok(refused.ok)
    const full = await signUp(as(BEN), { shiftId })
    assert.ok(!full.ok && full.reasons.some(({ code }) => code === 'full'))
  })

  test('refuses all if there are not enough places, and says how many are possible', async () => {
    const shiftId = await addShift({ ...INSTANT, configuration: { maximum_number_of_participants: 3 } })
    await signUp(as(ANN), { shiftId })
    const outcome = await bring(ANN, shiftId, { added: ['', '', ''] })
    assert.deepEqual(outcome, { ok: false, code: 'refused', reasons: [{ code: 'full' }], possible: 2 })
    assert.deepEqual(await namesOf(shiftId), [])
  })

  test('makes requests where planners decide, and planners decide about each', async () => {
    const shiftId = await addShift(REQUEST)
    await joinWith(shiftId, ['Eva', 'Max'])
    assert.deepEqual(await namesOf(shiftId), ['Eva: 0', 'Max: 0'])
    await moveOnBoard(as(PAUL), { shiftId, who: { placeholder: 'Eva' }, to: 1 })
    await moveOnBoard(as(PAUL), { shiftId, who: { placeholder: 'Max' }, to: 3 })
    assert.deepEqual(await namesOf(shiftId), ['Eva: 1', 'Max: 3'])
  })

  test('finds a place only where no qualification is needed', async () => {
    const medic = await world.addQualification('Medic')
    await world.holds(ANN, medic)
    const configuration = {
      qualification_requirements: [
        { qualification: medic.id, min_count: 1, max_count: 2 },
        { qualification: null, min_count: 0, max_count: 1 },
      ],
    }
    const shiftId = await addShift({ ...INSTANT, structure: 'qualification_mix', configuration })
    await signUp(as(ANN), { shiftId })
    const outcome = await bring(ANN, shiftId, { added: ['', ''] })
    assert.ok(!outcome.ok && outcome.code === 'refused' && outcome.possible === 1)
    assert.ok((await bring(ANN, shiftId, { added: [''] })).ok)
    const later = { start: '2031-05-05T08:00:00Z', end: '2031-05-05T12:00:00Z' }
    const all = await addShift({ ...REQUEST, ...later, configuration: { required_qualification_ids: [medic.id] } })
    await signUp(as(ANN), { shiftId: all })
    const none = await bring(ANN, all, { added: [''] })
    assert.ok(!none.ok && none.code === 'refused')
    assert.deepEqual(
      none.reasons.map(({ code }) => code),
      ['not_qualified'],
    )
  })

  test('puts them into the team of the person', async () => {
    const teams = ['a', 'b'].map((uuid) => ({ uuid, title: uuid, min_count: 0, max_count: 3 }))
    const shiftId = await addShift({
      ...INSTANT,
      structure: 'named_teams',
      configuration: { teams, choose_team_on_signup: true },
    })
    assert.ok((await signUp(as(ANN), { shiftId, details: { wish: 'b' } })).ok)
    assert.ok((await bring(ANN, shiftId, { added: [''] })).ok)
    const places = await world.db.read
      .selectFrom('participation')
      .select('structure_data')
      .where('shift_id', '=', shiftId)
      .execute()
    assert.deepEqual(places[1], places[0])
  })

  for (const [text, shift, prepare, expected] of [
    ['without a sign-up', INSTANT, async () => {}, { ok: false, code: 'not_in' }],
    ['after the end of sign-up', { ...INSTANT, flowConfiguration: { ...BRINGS, signup_until: 'P2D' } }, 'closed', 'closed'],
    ['in a cancelled event', INSTANT, 'cancelled', 'event_cancelled'],
    ['if it is off', { ...INSTANT, flowConfiguration: {} }, 'signed up', 'too_many'],
  ] as const)
    test(`is refused ${text}`, async () => {
      const { id, shifts } = await addEvent(shift as ShiftOptions)
      const shiftId = shifts[0]!
      if (typeof prepare === 'string') assert.ok((await signUp(as(ANN), { shiftId })).ok)
      if (prepare === 'closed') world.now = new Date('2031-05-03T08:00:00Z')
      if (prepare === 'cancelled')
        await world.db.write
          .updateTable('event')
          .set({ cancelled_at: NOW, cancellation_reason: 'Storm' })
          .where('id', '=', id)
          .execute()
      const outcome = await bring(ANN, shiftId, { added: [''] })
      if (typeof expected === 'object') return assert.deepEqual(outcome, expected)
      assert.ok(!outcome.ok)
      const codes = 'reasons' in outcome ? outcome.reasons : 'faults' in outcome ? outcome.faults : []
      assert.ok(
        codes.some(({ code }) => code === expected),
        JSON.stringify(outcome),
      )
      assert.deepEqual(await namesOf(shiftId), [])
    })

  test('renames and removes single people', async () => {
    const shiftId = await addShift(INSTANT)
    await joinWith(shiftId, ['', 'Max'])
    const [unnamed, max] = await listOf(shiftId)
    const outcome = await bring(ANN, shiftId, { names: new Map([[unnamed!.id, 'Eva']]), leaving: new Set([max!.id]) })
    assert.deepEqual(outcome, { ok: true, added: 0, removed: 1, renamed: 1 })
    assert.deepEqual(await namesOf(shiftId), ['Eva: 1', 'Max: 2'])
    assert.deepEqual(await statsOf(shiftId), { requested_count: 0, confirmed_count: 2, free: 2 })
    const journal = await world.db.read.selectFrom('journal').select(['kind', 'changes']).orderBy('id', 'desc').limit(2).execute()
    assert.deepEqual(
      journal.map(({ kind }) => kind),
      ['participation.companion_named', 'participation.companion_removed'],
    )
    assert.doesNotMatch(JSON.stringify(journal), /Eva|Max/)
  })

  test('does not remove confirmed people where confirmed people may not decline', async () => {
    const shiftId = await addShift({ ...INSTANT, flowConfiguration: { user_can_bring: 1 } })
    await joinWith(shiftId, ['Max'])
    const [max] = await listOf(shiftId)
    const outcome = await bring(ANN, shiftId, { leaving: new Set([max!.id]) })
    assert.deepEqual(outcome, { ok: false, code: 'refused', reasons: [{ code: 'may_not_leave' }], possible: 0 })
  })

  test('a second click adds nobody', async () => {
    const shiftId = await addShift(INSTANT)
    await signUp(as(ANN), { shiftId })
    const seen = await seenBy(ANN, shiftId)
    assert.ok((await bring(ANN, shiftId, { added: [''] }, seen)).ok)
    assert.deepEqual(await bring(ANN, shiftId, { added: [''] }, seen), { ok: false, code: 'changed' })
    assert.equal((await listOf(shiftId)).length, 1)
  })

  test('nobody changes the companions of others', async () => {
    const shiftId = await addShift(INSTANT)
    await joinWith(shiftId, ['Max'])
    await signUp(as(BEN), { shiftId })
    const [max] = await listOf(shiftId)
    const outcome = await bring(BEN, shiftId, { leaving: new Set([max!.id]), names: new Map([[max!.id, 'Moritz']]) })
    assert.deepEqual(outcome, { ok: true, added: 0, removed: 0, renamed: 0 })
    assert.deepEqual(await namesOf(shiftId), ['Max: 1'])
  })

  test('they leave with a person who declines, and return when that is undone', async () => {
    const shiftId = await addShift(INSTANT)
    await joinWith(shiftId, ['Eva', 'Max'])
    const [eva] = await listOf(shiftId)
    await bring(ANN, shiftId, { leaving: new Set([eva!.id]) })
    const declined = await decline(as(ANN), { shiftId })
    assert.ok(declined.ok)
    assert.deepEqual(await namesOf(shiftId), ['Eva: 2', 'Max: 2'])
    assert.deepEqual(await statsOf(shiftId), { requested_count: 0, confirmed_count: 0, free: 4 })
    assert.deepEqual(await undo(as(ANN), { shiftId, entryId: declined.entryId! }), { ok: true, hasChanged: true })
    assert.deepEqual(await namesOf(shiftId), ['Eva: 2', 'Max: 1'])
    assert.deepEqual(await statsOf(shiftId), { requested_count: 0, confirmed_count: 2, free: 2 })
  })

  test('a decline is not undone if there are not enough places for all of them', async () => {
    const shiftId = await addShift({ ...INSTANT, configuration: { maximum_number_of_participants: 3 } })
    await joinWith(shiftId, ['Eva', 'Max'])
    const declined = await decline(as(ANN), { shiftId })
    assert.ok(declined.ok && (await signUp(as(BEN), { shiftId })).ok)
    const outcome = await undo(as(ANN), { shiftId, entryId: declined.entryId! })
    assert.deepEqual(outcome, { ok: false, code: 'refused', reasons: [{ code: 'full' }] })
    assert.deepEqual(await namesOf(shiftId), ['Eva: 2', 'Max: 2'])
  })

  test('a sign-up is not undone while others come along', async () => {
    const shiftId = await addShift(INSTANT)
    const joined = await signUp(as(ANN), { shiftId })
    assert.ok(joined.ok && (await bring(ANN, shiftId, { added: [''] })).ok)
    assert.deepEqual(await undo(as(ANN), { shiftId, entryId: joined.entryId! }), { ok: false, code: 'changed' })
  })

  test('they are rejected with a person whom a planner rejects', async () => {
    const shiftId = await addShift(REQUEST)
    await joinWith(shiftId, ['Eva', 'Max'])
    await moveOnBoard(as(PAUL), { shiftId, who: { kind: 'local', id: ANN.id }, to: 3 })
    assert.deepEqual(await namesOf(shiftId), ['Eva: 3', 'Max: 3'])
  })

  test('they leave when the account is closed', async () => {
    const shiftId = await addShift(INSTANT)
    await joinWith(shiftId, ['Eva'])
    await world.db.write
      .transaction()
      .execute((tx) => giveUpPlaces(tx, as(PAUL), { who: { kind: 'local', id: ANN.id }, cause: 'account_deactivated' }))
    assert.deepEqual(await namesOf(shiftId), ['Eva: 2'])
  })

  test('shifts that are coupled follow, with names', async () => {
    const { id, shifts } = await addEvent(INSTANT)
    const { shifts: followers } = await addCoupled(id, shifts[0]!)
    await joinWith(shifts[0]!, ['Eva', ''])
    const [, unnamed] = await listOf(shifts[0]!)
    await bring(ANN, shifts[0]!, { names: new Map([[unnamed!.id, 'Max']]) })
    assert.deepEqual(await namesOf(followers[0]!), ['Eva: 1', 'Max: 1'])
    await decline(as(ANN), { shiftId: shifts[0]! })
    assert.deepEqual(await namesOf(followers[0]!), ['Eva: 2', 'Max: 2'])
  })
  async function addCoupled(eventId: number, leader: number) {
    const { id } = await world.db.write
      .insertInto('shift')
      .columns([
        'event_id',
        'label',
        'meeting_time',
        'start_time',
        'end_time',
        'signup_flow_slug',
        'signup_flow_configuration',
        'structure_slug',
        'structure_configuration',
        'listed_audience_id',
      ])
      .expression((eb) =>
        eb
          .selectFrom('shift')
          .select([
            'event_id',
            'label',
            'meeting_time',
            'start_time',
            'end_time',
            eb.val('coupled').as('flow'),
            eb.cast<object>(eb.val(JSON.stringify({ leader_shift_id: leader })), 'jsonb').as('configuration'),
            'structure_slug',
            'structure_configuration',
            'listed_audience_id',
          ])
          .where('id', '=', leader),
      )
      .returning('id')
      .executeTakeFirstOrThrow()
    return { eventId, shifts: [id] }
  }

  test('an erasure leaves neutral names', async () => {
    const shiftId = await addShift(INSTANT)
    await joinWith(shiftId, ['Eva', ''])
    await world.addParticipation({ who: { placeholder: 'Companion (1)' }, shift: shiftId, state: 0 })
    await world.db.write.transaction().execute((tx) => forgetCompanionNames(tx, as(PAUL), ANN.id))
    assert.deepEqual((await namesOf(shiftId)).sort(), ['Companion (1): 0', 'Companion (2): 1', 'Companion (3): 1'])
  })

  const rowsOf = async (shiftId: number) =>
    (
      await world.db.write
        .selectFrom('participation')
        .select([
          'id',
          'placeholder_name',
          'state',
          'individual_start_time',
          'individual_end_time',
          'brought_by_id',
          'structure_data',
        ])
        .where('shift_id', '=', shiftId)
        .where('kind', '=', 'placeholder')
        .orderBy('id')
        .execute()
    ).map((row) => ({ ...row, start: row.individual_start_time, end: row.individual_end_time }))
  const ownId = async (person: Person, shiftId: number) =>
    (
      await world.db.write
        .selectFrom('participation')
        .select('id')
        .where('shift_id', '=', shiftId)
        .where('user_id', '=', person.id)
        .executeTakeFirstOrThrow()
    ).id
  const setOwn = async (person: Person, shiftId: number, values: object) =>
    world.db.write
      .updateTable('participation')
      .set(values)
      .where('id', '=', await ownId(person, shiftId))
      .execute()

  test('they come and leave at the times of the person, and those who leave keep theirs', async () => {
    const shiftId = await addShift(INSTANT)
    assert.ok((await signUp(as(ANN), { shiftId })).ok)
    const [start, end] = [new Date('2031-05-04T09:00:00Z'), new Date('2031-05-04T11:00:00Z')]
    await setOwn(ANN, shiftId, { individual_start_time: start, individual_end_time: end })
    assert.ok((await bring(ANN, shiftId, { added: ['Eva'] })).ok)
    const [eva] = await rowsOf(shiftId)
    assert.deepEqual([eva!.start, eva!.end, eva!.brought_by_id], [start, end, await ownId(ANN, shiftId)])
    await setOwn(ANN, shiftId, { individual_start_time: null, individual_end_time: null })
    const data = { dispatched_team_uuid: 'x' }
    await world.db.write
      .updateTable('participation')
      .set({ structure_data: JSON.stringify(data) })
      .where('id', '=', eva!.id)
      .execute()
    assert.ok((await bring(ANN, shiftId, { leaving: new Set([eva!.id]) })).ok)
    const [left] = await rowsOf(shiftId)
    assert.deepEqual([left!.state, left!.start, left!.end, left!.structure_data], [2, start, end, data])
    const journal = await world.db.write
      .selectFrom('journal')
      .select(['kind', 'subject_id'])
      .where('kind', 'like', 'participation.companion%')
      .where('subject_id', '=', eva!.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      journal.map(({ kind }) => kind),
      ['participation.companion_added', 'participation.companion_removed'],
    )
  })

  test('somebody who was removed returns under the same name, without a second record', async () => {
    const shiftId = await addShift(INSTANT)
    await joinWith(shiftId, ['Eva', ''])
    const before = await rowsOf(shiftId)
    await bring(ANN, shiftId, { leaving: new Set(before.map(({ id }) => id)) })
    assert.deepEqual(await statsOf(shiftId), { requested_count: 0, confirmed_count: 1, free: 3 })
    assert.deepEqual(await bring(ANN, shiftId, { added: ['Eva', ''] }), { ok: true, added: 2, removed: 0, renamed: 0 })
    assert.deepEqual(
      (await rowsOf(shiftId)).map(({ id, placeholder_name, state }) => [id, placeholder_name, state]),
      before.map(({ id, placeholder_name }) => [id, placeholder_name, 1]),
    )
    assert.deepEqual(await statsOf(shiftId), { requested_count: 0, confirmed_count: 3, free: 1 })
  })

  test('the place of somebody who leaves is for another one, in the same step', async () => {
    const shiftId = await addShift({ ...INSTANT, configuration: { maximum_number_of_participants: 2 } })
    await joinWith(shiftId, ['Eva'])
    const [eva] = await listOf(shiftId)
    assert.deepEqual(await bring(ANN, shiftId, { added: ['Max'], leaving: new Set([eva!.id]) }), {
      ok: true,
      added: 1,
      removed: 1,
      renamed: 0,
    })
    assert.deepEqual(await namesOf(shiftId), ['Eva: 2', 'Max: 1'])
    assert.deepEqual(await statsOf(shiftId), { requested_count: 0, confirmed_count: 2, free: 0 })
  })

  test('as many as allowed, and one more is too many', async () => {
    const shiftId = await addShift({ ...INSTANT, configuration: { maximum_number_of_participants: 9 } })
    await joinWith(shiftId, ['', '', ''])
    assert.deepEqual(await bring(ANN, shiftId, { added: [''] }), {
      ok: false,
      code: 'faults',
      faults: [{ code: 'too_many', left: 0 }],
    })
    assert.equal((await listOf(shiftId)).length, 3)
  })

  test('a name is taken by the companions of others in the event, not by those in other events', async () => {
    const { shifts } = await addEvent(INSTANT, { ...INSTANT, start: '2031-05-05T08:00:00Z', end: '2031-05-05T12:00:00Z' })
    const [first, second] = shifts as [number, number]
    const other = await addShift({ ...INSTANT, start: '2031-05-06T08:00:00Z', end: '2031-05-06T12:00:00Z' })
    await joinWith(first, ['Eva'])
    for (const shiftId of [first, second, other]) assert.ok((await signUp(as(BEN), { shiftId })).ok)
    for (const shiftId of [first, second]) {
      const outcome = await bring(BEN, shiftId, { added: ['Eva'] })
      assert.deepEqual(!outcome.ok && outcome.code === 'faults' && outcome.faults, [{ code: 'name_taken', name: 'Eva' }])
    }
    assert.ok((await bring(BEN, other, { added: ['Eva'] })).ok)
  })

  for (const [state, expected] of [
    [0, 'ok'],
    [1, 'ok'],
    [2, 'not_in'],
    [3, 'not_in'],
  ] as const)
    test(`a participant in state ${state} who brings somebody: ${expected}`, async () => {
      const shiftId = await addShift({ ...INSTANT, configuration: {} })
      assert.ok((await signUp(as(ANN), { shiftId })).ok)
      await setOwn(ANN, shiftId, { state })
      const outcome = await bring(ANN, shiftId, { added: ['Eva'] })
      assert.equal(outcome.ok ? 'ok' : outcome.code, expected)
      // Never confirmed before the person who brings them.
      assert.deepEqual(await namesOf(shiftId), expected === 'ok' ? [`Eva: ${state}`] : [])
    })

  test('only people with an active account bring others', async () => {
    const shiftId = await addShift(INSTANT)
    assert.ok((await signUp(as(ANN), { shiftId })).ok)
    const setActive = (is_active: boolean) =>
      world.db.write.updateTable('user_profile').set({ is_active }).where('id', '=', ANN.id).execute()
    await setActive(false)
    assert.deepEqual(await bring(ANN, shiftId, { added: ['Eva'] }), { ok: false, code: 'not_in' })
    await setActive(true)
    assert.deepEqual(await namesOf(shiftId), [])
    const change = { names: new Map(), leaving: new Set<number>(), added: ['Eva'] }
    await assert.rejects(async () => changeCompanions(contextOf(world, VISITOR), { shiftId, seen: '', change }), {
      code: 'permission_denied',
    })
  })

  test('nobody is renamed in a cancelled event', async () => {
    const { id, shifts } = await addEvent(INSTANT)
    const shiftId = shifts[0]!
    await joinWith(shiftId, ['Eva'])
    const [eva] = await listOf(shiftId)
    await world.db.write
      .updateTable('event')
      .set({ cancelled_at: NOW, cancellation_reason: 'Storm' })
      .where('id', '=', id)
      .execute()
    assert.deepEqual(await bring(ANN, shiftId, { names: new Map([[eva!.id, 'Mia']]) }), {
      ok: false,
      code: 'refused',
      reasons: [{ code: 'event_cancelled' }],
      possible: 0,
    })
    assert.deepEqual(await namesOf(shiftId), ['Eva: 1'])
  })

  test('an erasure leaves the names of those whom others brought', async () => {
    const { shifts } = await addEvent(INSTANT, { ...INSTANT, start: '2031-05-05T08:00:00Z', end: '2031-05-05T12:00:00Z' })
    const [first, second] = shifts as [number, number]
    await joinWith(first, ['Eva'])
    assert.ok((await signUp(as(BEN), { shiftId: first })).ok)
    assert.ok((await bring(BEN, first, { added: ['Otto'] })).ok)
    assert.ok((await signUp(as(ANN), { shiftId: second })).ok)
    assert.ok((await bring(ANN, second, { added: ['Mia'] })).ok)
    await world.db.write.transaction().execute((tx) => forgetCompanionNames(tx, as(PAUL), ANN.id))
    assert.deepEqual([await namesOf(first), await namesOf(second)], [['Companion (1): 1', 'Otto: 1'], ['Companion (2): 1']])
  })
})
