import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { addShift, type ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { GUARD, type Guard } from './locks.ts'
import { customize, type Details, decline, type MoveOutcome, signUp } from './sign-up.ts'

const day = (hour: number, date = 4) => `2031-05-0${date}T${String(hour).padStart(2, '0')}:00:00Z`
const LEAVES = { user_can_decline_confirmed: true }

describe('signing up', async () => {
  const world = await openWorld()
  const as = (person: Person) => contextAs(world, person)
  // Participations of other tests must not conflict.
  beforeEach(() => world.db.write.deleteFrom('participation').execute())

  async function addEventShift(
    wish: ShiftOptions & { draft?: boolean; cancelled?: boolean; type?: number } = {},
  ): Promise<number> {
    const { draft = false, cancelled = false, type = 1, ...shift } = wish
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], draft, cancelled, type, shifts: [shift] })
    return shifts[0]!
  }
  const codeOf = (outcome: MoveOutcome) => (outcome.ok ? outcome.to : outcome.reasons.map(({ code }) => code).join())
  const sign = async (person: Person, shiftId: number, details?: Details) =>
    codeOf(await signUp(as(person), { shiftId, details }))
  const leave = async (person: Person, shiftId: number) => codeOf(await decline(as(person), { shiftId }))
  const change = async (person: Person, shiftId: number, details: Details) =>
    codeOf(await customize(as(person), { shiftId, details }))
  const dispose = async (person: Person, shiftId: number, to: 0 | 1 | 2 | 3) =>
    moveOnBoard(as(PAUL), { shiftId, who: { kind: 'local', id: person.id }, to })
  const recordOf = (person: Person, shiftId: number) =>
    world.db.read
      .selectFrom('participation')
      .selectAll()
      .where('user_id', '=', person.id)
      .where('shift_id', '=', shiftId)
      .executeTakeFirst()
  const journal = async (eventId: number) =>
    (
      await world.db.read
        .selectFrom('journal')
        .select(['kind', 'changes'])
        .where('event_id', '=', eventId)
        .orderBy('id')
        .execute()
    ).map(({ kind, changes }) => [kind, (changes as { state?: unknown }).state])
  const statsOf = (id: number) =>
    world.db.read
      .selectFrom('shift')
      .select(['requested_count', 'confirmed_count', 'missing', 'free'])
      .where('id', '=', id)
      .executeTakeFirst()

  test('somebody who would be refused does not wait for others who sign up; everybody else does', async () => {
    const shiftId = await addEventShift({ flow: 'instant_confirmation', configuration: { maximum_number_of_participants: 1 } })
    const waits: (boolean | undefined)[] = []
    const busy: Guard = {
      ...GUARD,
      lockEvent: async (tx, eventId, options) => {
        waits.push(options?.waits)
        return options?.waits === false ? false : GUARD.lockEvent(tx, eventId)
      },
    }
    assert.equal(codeOf(await signUp(as(ANN), { shiftId }, busy)), 1)
    assert.deepEqual(waits.splice(0), [false, undefined])
    assert.equal(codeOf(await signUp(as(BEN), { shiftId }, busy)), 'full')
    assert.deepEqual(waits.splice(0), [false])
    await decline(as(ANN), { shiftId }, busy)
    assert.deepEqual(waits, [true], 'other moves wait')
  })

  test('request, confirmation, decline: confirmed people can decline only if the flow allows it', async () => {
    for (const [flowConfiguration, left] of [
      [LEAVES, 2],
      [{}, 'may_not_leave'],
    ] as const) {
      const shift = await addEventShift({ flowConfiguration, configuration: { minimum_number_of_participants: 2 } })
      assert.equal(await sign(ANN, shift), 0)
      assert.deepEqual(await statsOf(shift), { requested_count: 1, confirmed_count: 0, missing: 2, free: null })
      assert.ok((await dispose(ANN, shift, 1)).ok)
      assert.deepEqual(await statsOf(shift), { requested_count: 0, confirmed_count: 1, missing: 1, free: null })
      assert.equal(await leave(ANN, shift), left)
      const { event_id } = (await recordOf(ANN, shift))!
      assert.deepEqual(await journal(event_id), [
        ['participation.signed_up', [null, 0]],
        ['participation.moved', [0, 1]],
        ...(left === 2 ? [['participation.declined', [1, 2]]] : []),
      ])
    }
  })

  test('a repeated click changes nothing and writes no journal entry', async () => {
    const shift = await addEventShift()
    assert.equal(await sign(ANN, shift), 0)
    const before = await recordOf(ANN, shift)
    assert.equal(await sign(ANN, shift), 'already_in')
    assert.equal(await change(ANN, shift, { times: { start: null, end: null } }), 0)
    assert.deepEqual(await recordOf(ANN, shift), before)
    assert.equal((await journal(before!.event_id)).length, 1)
  })

  test('a rejected person can do nothing until a responsible moves them', async () => {
    const shift = await addEventShift()
    await sign(ANN, shift)
    await dispose(ANN, shift, 3)
    assert.deepEqual(
      [await sign(ANN, shift), await leave(ANN, shift), await change(ANN, shift, {})],
      ['rejected', 'rejected', 'rejected'],
    )
    await dispose(ANN, shift, 0)
    assert.equal(await leave(ANN, shift), 2)
  })

  test('a declined person can sign up again until the deadline, with times, wishes and comments as they were', async () => {
    const shift = await addEventShift({ start: day(8), end: day(12), flowConfiguration: { signup_until: 'P1D' } })
    const times = { start: new Date(day(9)), end: new Date(day(12)) }
    const comment = { text: 'only after nine', isPublic: false }
    assert.equal(codeOf(await signUp(as(ANN), { shiftId: shift, details: { times }, comment })), 0)
    assert.equal(await leave(ANN, shift), 2)
    assert.equal(await sign(ANN, shift), 0)
    const record = (await recordOf(ANN, shift))!
    assert.deepEqual([record.individual_start_time, record.individual_end_time], [new Date(day(9)), null])
    await leave(ANN, shift)
    const now = world.now
    world.now = new Date(day(9, 3))
    assert.equal(await sign(ANN, shift), 'closed')
    world.now = now
  })

  test('after the deadline only a responsible can change participations', async () => {
    const shift = await addEventShift({ flowConfiguration: { ...LEAVES, signup_until: day(0, 1) } })
    assert.deepEqual([await sign(ANN, shift), await leave(ANN, shift)], ['closed', 'closed'])
    const moved = await dispose(ANN, shift, 1)
    assert.ok(moved.ok && moved.from === undefined && moved.to === 1)
    assert.equal(await leave(ANN, shift), 'closed')
  })

  test('from 8 to 12 confirmed: 12 to 18 is allowed, 11 to 14 needs the form, 10 to 11 is refused', async () => {
    const ben = await world.addPerson({ name: 'Busy' })
    const { shifts } = await world.addEvent({
      seenBy: [ben],
      shifts: [
        { start: day(8), end: day(12), flow: 'instant_confirmation' },
        { start: day(12), end: day(18), flow: 'instant_confirmation' },
        { start: day(11, 4), end: day(14, 4) },
        { start: day(10), end: day(11) },
        { start: day(7), end: day(9), flowConfiguration: { user_can_customize_signup_times: false } },
      ],
    })
    const [morning, afternoon, noon, late, fixed] = shifts as [number, number, number, number, number]
    assert.equal(await sign(ben, morning), 1)
    assert.equal(await sign(ben, late), 'conflict')
    assert.equal(await sign(ben, fixed), 'conflict')
    const oneClick = await signUp(as(ben), { shiftId: noon })
    assert.ok(!oneClick.ok && oneClick.needsForm)
    assert.deepEqual(codeOf(oneClick), 'partial_conflict')
    assert.equal(await sign(ben, noon, { times: { start: null, end: null } }), 'conflict')
    assert.equal(await sign(ben, noon, { times: { start: new Date(day(12)), end: null } }), 0)
    assert.equal(await sign(ben, afternoon), 1)
    assert.equal(await change(ben, noon, { times: { start: new Date(day(11)), end: null } }), 'conflict,conflict')
  })

  test('a confirmed shift of a cancelled event is no conflict', async () => {
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS],
      cancelled: true,
      shifts: [{ start: day(8, 7), end: day(12, 7) }],
    })
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    assert.equal(await sign(ANN, await addEventShift({ start: day(8, 7), end: day(12, 7) })), 0)
  })

  test('drafts and hidden events are not found, cancelled ones refuse sign-up', async () => {
    for (const [who, shift] of [
      [ANN, await addEventShift({ draft: true })],
      [PAUL, await addEventShift({ draft: true })],
      [await world.addPerson({ name: 'Stranger' }), await addEventShift()],
    ] as const) {
      await assert.rejects(sign(who, shift), { code: 'not_found' })
      await assert.rejects(leave(who, shift), { code: 'not_found' })
      assert.equal(await recordOf(who, shift), undefined)
    }
    const cancelled = await addEventShift({ cancelled: true })
    assert.deepEqual([await sign(ANN, cancelled), await leave(ANN, cancelled)], ['event_cancelled', 'event_cancelled'])
  })

  test('a participant who has left the audience can still decline', async () => {
    const person = await world.addPerson({ name: 'Former' })
    const { shifts } = await world.addEvent({ shifts: [{}] })
    await world.addParticipation({ who: person, shift: shifts[0]!, state: 0 })
    assert.equal(await leave(person, shifts[0]!), 2)
  })

  const AGED: Record<string, object> = {
    uniform: {},
    named_teams: { teams: [{ uuid: 'a', title: 'A', min_count: 0, max_count: null }] },
    qualification_mix: { qualification_requirements: [{ qualification: null, min_count: 0, max_count: null }] },
  }
  test('the age limit holds in all structures, and a birthday on the day of the shift counts', async () => {
    const block = await world.db.write
      .insertInto('building_block')
      .values({ name: 'Anybody', block_type: 'atomic', allow_more: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    AGED.complex = { starting_blocks: [{ uuid: 'a', building_block: block.id }] }
    const sixteen = await world.addPerson({ name: 'Sixteen', dateOfBirth: '2015-05-04' })
    const younger = await world.addPerson({ name: 'Younger', dateOfBirth: '2015-05-05' })
    for (const [structure, configuration] of Object.entries(AGED)) {
      const { shifts } = await world.addEvent({
        seenBy: [sixteen, younger],
        shifts: [{ start: day(8), end: day(9), structure, configuration: { ...configuration, minimum_age: 16 } }],
      })
      assert.deepEqual([await sign(sixteen, shifts[0]!), await sign(younger, shifts[0]!)], [0, 'too_young'], structure)
    }
  })

  test('a qualification that expires before the person’s end is a reason or a warning, depending on the setting', async () => {
    const medic = await world.addQualification('Medic')
    const person = await world.addPerson({ name: 'Expiring' })
    await world.holds(person, medic, new Date(day(10, 8)))
    const { shifts } = await world.addEvent({
      seenBy: [person],
      shifts: [{ start: day(8, 8), end: day(12, 8), configuration: { required_qualification_ids: [medic.id] } }],
    })
    const shiftId = shifts[0]!
    assert.equal(await sign(person, shiftId), 'qualified_until')
    assert.equal(await sign(person, shiftId, { times: { start: null, end: null } }), 'not_qualified')
    assert.equal(await sign(person, shiftId, { times: { start: null, end: new Date(day(10, 8)) } }), 0)
    await leave(person, shiftId)
    await world.db.write
      .updateTable('participation')
      .set({ individual_end_time: null })
      .where('user_id', '=', person.id)
      .execute()
    await world.db.write.insertInto('setting').values({ name: 'expiring_qualification_warns', value: 'true' }).execute()
    const warned = await signUp(as(person), { shiftId })
    await world.db.write.deleteFrom('setting').where('name', '=', 'expiring_qualification_warns').execute()
    assert.deepEqual(warned.ok && warned.warnings, [{ code: 'qualification_expires' }])
  })

  test('qualifications of the event type are required of all participants', async () => {
    const medic = await world.addQualification('Lead', [await world.addQualification('Basic')])
    const basic = await world.db.read
      .selectFrom('qualification')
      .select('id')
      .where('title', '=', 'Basic')
      .executeTakeFirstOrThrow()
    const type = await world.addType({ title: 'Medics only' })
    await world.db.write
      .insertInto('event_type_required_qualification')
      .values({ event_type_id: type, qualification_id: basic.id })
      .execute()
    const shift = await addEventShift({ type, start: day(20), end: day(21) })
    assert.equal(await sign(BEN, shift), 'type_not_qualified')
    await world.holds(BEN, medic)
    assert.equal(await sign(BEN, shift), 0)
  })

  test('on a full instant shift a confirmed person changes their own times', async () => {
    const shift = await addEventShift({
      start: day(13),
      end: day(17),
      flow: 'instant_confirmation',
      flowConfiguration: LEAVES,
      configuration: { maximum_number_of_participants: 1 },
    })
    assert.deepEqual([await sign(ANN, shift), await sign(BEN, shift)], [1, 'full'])
    assert.equal(await change(ANN, shift, { times: { start: new Date(day(14)), end: null } }), 1)
    assert.deepEqual((await recordOf(ANN, shift))!.individual_start_time, new Date(day(14)))
    assert.equal(await change(BEN, shift, {}), 'not_in,full')
  })

  test('longer own times keep the limits that refuse, as the sign-up does', async () => {
    const shift = await addEventShift({ start: day(8), end: day(12), flow: 'instant_confirmation', flowConfiguration: LEAVES })
    await world.db.write.insertInto('work_limit').values({ kind: 'hours_per_week', value: 2, blocks: true }).execute()
    const until = (hour: number) => ({ times: { start: null, end: new Date(day(hour)) } })
    assert.equal(await sign(ANN, shift), 'limit_week')
    assert.equal(await sign(ANN, shift, until(9)), 1)
    assert.equal(await change(ANN, shift, until(10)), 1)
    assert.equal(await change(ANN, shift, { times: { start: null, end: null } }), 'limit_week')
    assert.deepEqual((await recordOf(ANN, shift))!.individual_end_time, new Date(day(10)))
    await world.db.write.deleteFrom('work_limit').execute()
    assert.equal(await change(ANN, shift, { times: { start: null, end: null } }), 1)
  })

  test('with instant confirmation each person gets a team, so maximums hold', async () => {
    const team = (uuid: string) => ({ uuid, title: uuid, qualification: null, min_count: 0, max_count: 1 })
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS, PAUL],
      shifts: [
        {
          start: day(18),
          end: day(19),
          flow: 'instant_confirmation',
          structure: 'named_teams',
          configuration: { teams: [team('a'), team('b')] },
        },
      ],
    })
    const shift = shifts[0]!
    assert.equal(await sign(ANN, shift, { times: { start: null, end: null }, wish: 'b' }), 1)
    assert.equal(await sign(BEN, shift), 1)
    assert.equal(await sign(PAUL, shift), 'full')
    assert.deepEqual((await recordOf(BEN, shift))!.structure_data, { dispatched_team_uuid: 'a' })
    assert.deepEqual(await statsOf(shift), { requested_count: 0, confirmed_count: 2, missing: 0, free: 0 })
  })

  test('comments are visible to responsibles and the participant, or to all if the participant chooses so', async () => {
    const shift = await addEventShift({ start: day(22), end: day(23) })
    await signUp(as(ANN), { shiftId: shift, comment: { text: 'quiet', isPublic: false } })
    await customize(as(ANN), { shiftId: shift, comment: { text: 'loud', isPublic: true } })
    const who = { kind: 'local', id: ANN.id } as const
    await moveOnBoard(as(PAUL), { shiftId: shift, who, to: 1, comment: { text: 'hidden', isHidden: true } })
    await moveOnBoard(as(PAUL), { shiftId: shift, who, to: 1, comment: { text: 'shown', isHidden: false } })
    const comments = await world.db.read
      .selectFrom('participation_comment')
      .select(['text', 'visible_for', 'author_kind', 'author_id'])
      .where('participation_id', '=', (await recordOf(ANN, shift))!.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      comments.map((row) => Object.values(row)),
      [
        ['quiet', 1, 'participant', ANN.id],
        ['loud', 2, 'participant', ANN.id],
        ['hidden', 0, 'responsible', PAUL.id],
        ['shown', 1, 'responsible', PAUL.id],
      ],
    )
  })

  test('manual and coupled shifts refuse sign-up; coupled ones follow their leader', async () => {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: day(8, 9), end: day(9, 9), flow: 'instant_confirmation', flowConfiguration: LEAVES }, { flow: 'manual' }],
    })
    const [leader, manual] = shifts as [number, number]
    const coupled = { flow: 'coupled', flowConfiguration: { leader_shift_id: leader } }
    const follower = await addShift(world.db.write, id, { start: day(8, 9), end: day(9, 9), ...coupled })
    assert.deepEqual([await sign(ANN, manual), await leave(ANN, manual)], ['no_self_service', 'no_self_service'])
    assert.deepEqual([await sign(ANN, follower), await leave(ANN, follower)], ['follows_other_shift', 'follows_other_shift'])
    assert.equal(await sign(ANN, leader), 1)
    assert.equal((await recordOf(ANN, follower))?.state, 1)
    assert.equal((await statsOf(follower))?.confirmed_count, 1)
    assert.equal(await change(ANN, leader, { times: { start: null, end: null } }), 1, 'what follows is no conflict')
    assert.equal(await leave(ANN, leader), 2)
    assert.equal((await recordOf(ANN, follower))?.state, 2)
    await dispose(ANN, leader, 3)
    assert.equal((await recordOf(ANN, follower))?.state, 3)
  })

  test('only responsibles move others, and never to the state of imported rows', async () => {
    const shift = await addEventShift({ start: day(20, 9), end: day(21, 9) })
    const move = (to: number, by = PAUL) =>
      moveOnBoard(as(by), { shiftId: shift, who: { kind: 'local', id: ANN.id }, to: to as 0 })
    await assert.rejects(move(1, BEN), { code: 'permission_denied' })
    await assert.rejects(move(4), { code: 'invalid_input' })
    assert.ok((await move(1)).ok)
    assert.deepEqual([(await move(1)).ok, (await recordOf(ANN, shift))!.version], [true, 1])
  })

  test('an imported participation in state 4 can be signed up and declined', async () => {
    const shift = await addEventShift({ start: day(20, 9), end: day(21, 9) })
    await world.addParticipation({ who: BEN, shift, state: 4 })
    assert.equal(await leave(BEN, shift), 2)
    assert.equal(await sign(BEN, shift), 0)
  })

  test('confirming in named teams requires a team', async () => {
    const configuration = { teams: [{ uuid: 'a', title: 'A', min_count: 0, max_count: 1 }] }
    const shift = await addEventShift({ structure: 'named_teams', configuration, start: day(1, 9), end: day(2, 9) })
    const move = (place?: string) => moveOnBoard(as(PAUL), { shiftId: shift, who: { kind: 'local', id: BEN.id }, to: 1, place })
    assert.deepEqual(await move(), { ok: false, reasons: [{ code: 'wish_needed' }] })
    assert.ok((await move('a')).ok)
    assert.deepEqual((await recordOf(BEN, shift))!.structure_data, { dispatched_team_uuid: 'a' })
  })

  test('a shift with an unknown flow or structure refuses sign-up and stays readable', async () => {
    for (const shift of [await addEventShift({ flow: 'lottery' }), await addEventShift({ structure: 'chess' })])
      assert.deepEqual([await sign(ANN, shift), await leave(ANN, shift)], ['configuration_broken', 'configuration_broken'])
  })
})
