import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { decline, signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, NORD, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type CardChange, type CardOutcome, saveBoard, saveCards } from './board.ts'

const local = ({ id }: Person) => ({ kind: 'local', id }) as const
const hour = (of: number) => new Date(`2031-05-04T${String(of).padStart(2, '0')}:00:00+02:00`)
const TEAMS = { teams: ['north', 'south'].map((uuid) => ({ uuid, title: uuid, min_count: 1, max_count: 2 })) }

describe('one Save of the board', async () => {
  const world = await openWorld()
  beforeEach(async () => {
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write.deleteFrom('journal').execute()
  })
  const as = (person: Person) => ({ ...contextAs(world, person), requestId: 'one-save' })
  const addShifts = (...shifts: ShiftOptions[]) => world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts })
  const addShift = async (wish: ShiftOptions = {}) =>
    (await addShifts({ start: '2031-05-04T08:00:00+02:00', end: '2031-05-04T12:00:00+02:00', ...wish })).shifts[0]!
  const save = (shiftId: number, ...cards: Omit<CardChange, 'shiftId'>[]) => saveBoard(as(PAUL), { shiftId, cards })
  const recordsOf = (shiftId: number) =>
    world.db.read.selectFrom('participation').selectAll().where('shift_id', '=', shiftId).orderBy('id').execute()
  const statsOf = (shiftId: number) =>
    world.db.read
      .selectFrom('shift')
      .select(['requested_count', 'confirmed_count', 'missing'])
      .where('id', '=', shiftId)
      .executeTakeFirstOrThrow()
  const kinds = (outcomes: CardOutcome[]) => outcomes.map(({ kind }) => kind)
  const journal = () => world.db.read.selectFrom('journal').select(['kind', 'subject_id', 'request_id']).orderBy('id').execute()

  test('a board saved with a stale version: that card comes back, nothing of it is overwritten, the others are saved', async () => {
    const shift = await addShift({ flowConfiguration: { user_can_decline_confirmed: true } })
    await signUp(as(ANN), { shiftId: shift })
    await signUp(as(BEN), { shiftId: shift })
    await decline(as(ANN), { shiftId: shift })
    const [ann, ben] = await recordsOf(shift)
    const outcomes = await save(
      shift,
      { who: local(ANN), version: 1, to: 1, comment: { text: 'please come', isHidden: false } },
      { who: local(BEN), version: 1, to: 1 },
      { who: { placeholder: 'Somebody' }, version: null, to: 1 },
    )
    assert.deepEqual(kinds(outcomes), ['stale', 'saved', 'saved'])
    const [stale] = outcomes
    assert.ok(stale?.kind === 'stale')
    assert.deepEqual([stale.now?.state, stale.now?.version, stale.now?.id], [2, 2, ann!.id])
    assert.deepEqual(stale.last, { at: world.now, by: 'Ann', isOwn: true })
    const after = await recordsOf(shift)
    assert.deepEqual(after[0], ann)
    assert.deepEqual([after[1]!.state, after[1]!.version, after[1]!.id], [1, 2, ben!.id])
    assert.deepEqual([after[2]!.placeholder_name, after[2]!.state], ['Somebody', 1])
    assert.equal((await world.db.read.selectFrom('participation_comment').selectAll().execute()).length, 0)
    assert.deepEqual(await statsOf(shift), { requested_count: 0, confirmed_count: 2, missing: 0 })
  })

  test('a new card is stale if the person has signed up in the meantime, and so is a card whose record was deleted', async () => {
    const shift = await addShift()
    await signUp(as(ANN), { shiftId: shift, comment: { text: 'until ten', isPublic: false } })
    const outcomes = await save(shift, { who: local(ANN), version: null, to: 3 }, { who: local(BEN), version: 4, to: 1 })
    assert.deepEqual(
      outcomes.map((one) => one.kind === 'stale' && (one.now?.state ?? 'none')),
      [0, 'none'],
    )
    assert.deepEqual(
      (await recordsOf(shift)).map(({ state, user_id }) => [user_id, state]),
      [[ANN.id, 0]],
    )
  })

  test('each changed card adds one journal entry with the request id of the Save; unchanged cards add none', async () => {
    const shift = await addShift()
    const ids = [
      await world.addParticipation({ who: ANN, shift, state: 0 }),
      await world.addParticipation({ who: BEN, shift, state: 1 }),
      await world.addParticipation({ who: VERA, shift, state: 1 }),
    ]
    const outcomes = await save(
      shift,
      { who: local(ANN), version: 1, to: 1 },
      { who: local(BEN), version: 1, to: 1 },
      { who: local(VERA), version: 1, to: 3 },
    )
    assert.deepEqual(
      outcomes.map((one) => one.kind === 'saved' && one.hasChanged),
      [true, false, true],
    )
    assert.deepEqual(await journal(), [
      { kind: 'participation.moved', subject_id: ids[0], request_id: 'one-save' },
      { kind: 'participation.moved', subject_id: ids[2], request_id: 'one-save' },
    ])
  })

  for (const from of [undefined, 0, 1, 2, 3, 4] as const)
    for (const to of [0, 1, 2, 3] as const)
      test(`puts a record from ${from ?? 'nothing'} to ${to}, also after the shift`, async () => {
        const shift = await addShift({ start: '2030-01-01T08:00:00Z', end: '2030-01-01T09:00:00Z' })
        if (from !== undefined) await world.addParticipation({ who: ANN, shift, state: from })
        assert.deepEqual(kinds(await save(shift, { who: local(ANN), version: from === undefined ? null : 1, to })), ['saved'])
        assert.deepEqual(
          (await recordsOf(shift)).map(({ state }) => state),
          [to],
        )
      })

  test('nobody is moved to the state of imported records; a comment alone keeps it', async () => {
    const shift = await addShift()
    await world.addParticipation({ who: ANN, shift, state: 4 })
    await assert.rejects(save(shift, { who: local(ANN), version: 1, to: 4 as 0 }), { code: 'invalid_input' })
    assert.deepEqual(kinds(await save(shift, { who: local(ANN), version: 1, comment: { text: 'old', isHidden: true } })), [
      'saved',
    ])
    assert.deepEqual(
      (await recordsOf(shift)).map(({ state, version }) => [state, version]),
      [[4, 1]],
    )
  })

  test('sign-up checks become hints and are not enforced', async () => {
    const medic = await world.addQualification('Medic')
    const shift = await addShift({
      configuration: { required_qualification_ids: [medic.id], maximum_number_of_participants: 1, minimum_age: 99 },
    })
    const other = await addShift({ start: '2031-05-04T10:00:00+02:00', end: '2031-05-04T11:00:00+02:00' })
    await world.addParticipation({ who: ANN, shift: other, state: 1 })
    await world.addParticipation({ who: BEN, shift, state: 1 })
    const [outcome] = await save(shift, { who: local(ANN), version: null, to: 1 })
    assert.ok(outcome?.kind === 'saved')
    assert.deepEqual(outcome.hints.map(({ code }) => code).sort(), ['conflict', 'not_qualified', 'too_young'])
    assert.equal((await statsOf(shift)).confirmed_count, 2)
  })

  test('confirming in named teams needs a team; the other cards are saved all the same', async () => {
    const shift = await addShift({ structure: 'named_teams', configuration: TEAMS })
    const outcomes = await save(
      shift,
      { who: local(ANN), version: null, to: 1 },
      { who: local(BEN), version: null, to: 1, place: 'south' },
      { who: local(VERA), version: null, to: 0 },
    )
    assert.deepEqual(kinds(outcomes), ['refused', 'saved', 'saved'])
    assert.deepEqual(outcomes[0]?.kind === 'refused' && outcomes[0].reasons, [{ code: 'wish_needed' }])
    assert.deepEqual(
      (await recordsOf(shift)).map(({ user_id, structure_data }) => [user_id, structure_data]),
      [
        [BEN.id, { dispatched_team_uuid: 'south' }],
        [VERA.id, {}],
      ],
    )
    assert.equal((await statsOf(shift)).missing, 1)
  })

  test('start and end change independently, times of the shift are not stored, and the end is not before the start', async () => {
    const shift = await addShift()
    await world.addParticipation({ who: ANN, shift, state: 1, start: '2031-05-04T09:00:00.5+02:00' })
    const timesOf = async () =>
      (await recordsOf(shift)).map(({ individual_start_time, individual_end_time }) => [
        individual_start_time,
        individual_end_time,
      ])
    assert.deepEqual(kinds(await save(shift, { who: local(ANN), version: 1, times: { end: hour(11) } })), ['saved'])
    assert.deepEqual(await timesOf(), [[new Date('2031-05-04T07:00:00.5Z'), hour(11)]])
    assert.deepEqual(kinds(await save(shift, { who: local(ANN), version: 2, times: { start: hour(8), end: null } })), ['saved'])
    assert.deepEqual(await timesOf(), [[null, null]])
    const [refused] = await save(shift, { who: local(ANN), version: 3, times: { start: hour(13) } })
    assert.deepEqual(refused?.kind === 'refused' && refused.reasons, [{ code: 'times_in_wrong_order' }])
  })

  test('comments of responsibles are for the participant, or hidden', async () => {
    const shift = await addShift()
    const comment = (isHidden: boolean) => ({ text: isHidden ? 'hidden' : 'shown', isHidden })
    await save(
      shift,
      { who: local(ANN), version: null, to: 0, comment: comment(true) },
      { who: local(BEN), version: null, to: 0, comment: comment(false) },
    )
    const rows = await world.db.read
      .selectFrom('participation_comment')
      .select(['text', 'visible_for', 'author_kind', 'author_id'])
      .orderBy('text')
      .execute()
    assert.deepEqual(rows, [
      { text: 'hidden', visible_for: 0, author_kind: 'responsible', author_id: PAUL.id },
      { text: 'shown', visible_for: 1, author_kind: 'responsible', author_id: PAUL.id },
    ])
    const [refused] = await save(shift, { who: local(ANN), version: 1, comment: { text: 'x'.repeat(256), isHidden: false } })
    assert.deepEqual(refused?.kind === 'refused' && refused.reasons, [{ code: 'comment_long' }])
  })

  test('adds people who cannot see the event; not people who are hidden, inactive, unknown or guests of another event', async () => {
    const shift = await addShift()
    const elsewhere = await addShift()
    const hidden = await world.addPerson({ name: 'Service', isVisible: false })
    const gone = await world.addPerson({ name: 'Gone', isActive: false })
    await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift: elsewhere })
    await world.addParticipation({ who: { visitor: { name: 'Nora' }, of: NORD }, shift: elsewhere })
    const [guest, visitor] = await recordsOf(elsewhere)
    const fresh = (who: CardChange['who']) => ({ who, version: null, to: 1 }) as const
    const outcomes = await save(
      shift,
      fresh(local(VERA)),
      fresh(local(hidden)),
      fresh(local(gone)),
      fresh({ kind: 'local', id: 99_999 }),
      fresh({ kind: 'guest', id: guest!.guest_id! }),
      fresh({ kind: 'visitor', id: visitor!.visitor_id! }),
      fresh({ placeholder: '  ' }),
      fresh({ placeholder: 'x'.repeat(255) }),
    )
    assert.deepEqual(
      outcomes.map((one) => (one.kind === 'refused' ? one.reasons.map(({ code }) => code).join() : one.kind)),
      ['saved', ...Array(5).fill('person_unknown'), 'name_empty', 'name_long'],
    )
    const again = await saveBoard(as(PAUL), {
      shiftId: elsewhere,
      cards: [
        { who: { kind: 'guest', id: guest!.guest_id! }, version: 1, to: 3 },
        { who: { kind: 'visitor', id: visitor!.visitor_id! }, version: 1, to: 0 },
      ],
    })
    assert.deepEqual(kinds(again), ['saved', 'saved'])
  })

  test('the name of a placeholder is unique in a shift', async () => {
    const shift = await addShift()
    const card = { who: { placeholder: 'Driver of the club' }, version: null, to: 1 } as const
    assert.deepEqual(kinds(await save(shift, card)), ['saved'])
    assert.deepEqual(kinds(await save(shift, card)), ['stale'])
    await assert.rejects(save(shift, card, card), { code: 'invalid_input' })
    assert.equal((await recordsOf(shift)).length, 1)
  })

  test('requires the right to change the event, and shifts of one event', async () => {
    const shift = await addShift()
    const elsewhere = await addShift()
    const card = { who: local(ANN), version: null, to: 1 } as const
    await assert.rejects(saveBoard(as(BEN), { shiftId: shift, cards: [card] }), { code: 'permission_denied' })
    await assert.rejects(
      saveCards(as(PAUL), [
        { ...card, shiftId: shift },
        { ...card, shiftId: elsewhere },
      ]),
      { code: 'not_found' },
    )
    assert.equal((await recordsOf(shift)).length, 0)
  })

  test('across an event: a coupled shift follows its leader, unless the same Save moves it elsewhere', async () => {
    const { id, shifts } = await addShifts({ label: 'leads' }, { label: 'follows' })
    const [leader, follower] = shifts as [number, number]
    await world.db.write
      .updateTable('shift')
      .set({ signup_flow_slug: 'coupled', signup_flow_configuration: JSON.stringify({ leader_shift_id: leader }) })
      .where('id', '=', follower)
      .execute()
    const outcomes = await saveCards(as(PAUL), [
      { shiftId: follower, who: local(BEN), version: null, to: 3 },
      { shiftId: leader, who: local(BEN), version: null, to: 1 },
      { shiftId: leader, who: local(ANN), version: null, to: 1 },
    ])
    assert.deepEqual(kinds(outcomes), ['saved', 'saved', 'saved'])
    const rows = await world.db.read
      .selectFrom('participation')
      .select(['shift_id', 'user_id', 'state'])
      .where('event_id', '=', id)
      .orderBy('shift_id')
      .orderBy('user_id')
      .execute()
    assert.deepEqual(
      rows.map(({ shift_id, user_id, state }) => [shift_id === leader, user_id, state]),
      [
        [true, ANN.id, 1],
        [true, BEN.id, 1],
        [false, ANN.id, 1],
        [false, BEN.id, 3],
      ],
    )
  })
})
