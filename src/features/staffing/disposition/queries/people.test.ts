import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { signUpRule } from '#features/staffing/eligibility/points.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { siteWith } from '#test/support/added.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type CardPerson, cardKey } from '../rules/cards.ts'
import { describePerson, findBoardComments, findBoardParticipants } from './card-drafts.ts'
import { getCardOf } from './card-of.ts'
import { findAddablePeople, findLastChanges, findRecords, loadPeopleFacts } from './people.ts'
import { findPeopleToAdd, findPeopleToAddToEvent } from './people-search.ts'
import { getBoardShift, getBoardState } from './shift-board.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const at = (time: string, day = '20') => `2031-05-${day}T${time}:00Z`
const local = ({ id }: Person) => ({ kind: 'local' as const, id })

describe('people of a board', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person): RequestContext => ({
    ...contextAs(world, person),
    words: wordsFor('en', world.app.site.timeZone),
  })
  const paul = as(PAUL)
  const medic = await world.addQualification('Medic')
  const doctor = await world.addQualification('Doctor', [medic])
  let event: number
  let shift: number
  let other: number
  beforeEach(async () => {
    for (const table of ['participation', 'event', 'qualification_grant'] as const) await write.deleteFrom(table).execute()
    const made = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        { start: at('10:00'), end: at('12:00') },
        { start: at('14:00'), end: at('15:00') },
      ],
    })
    ;({ id: event } = made)
    ;[shift, other] = made.shifts as [number, number]
  })
  const personOf = async (participation: number) => {
    const found = (await getCardOf(write, participation))!.who
    if ('placeholder' in found) return assert.fail('a placeholder')
    return found
  }
  const addGuest = async (name: string, where = shift) =>
    personOf(await world.addParticipation({ who: { guest: { name, dateOfBirth: '2001-02-03' } }, shift: where, state: 0 }))
  const addVisitor = async (name: string, where = shift) =>
    personOf(
      await world.addParticipation({ who: { visitor: { name, dateOfBirth: '2002-03-04' }, of: NORD }, shift: where, state: 0 }),
    )

  test('have their own facts, by kind: age, phone, groups, qualifications that were confirmed', async () => {
    const [gus, vic] = [await addGuest('Gus'), await addVisitor('Vic')]
    const [gina, victor] = [await addGuest('Gina'), await addVisitor('Victor')]
    await write.updateTable('guest').set({ phone: '1' }).where('id', '=', gus.id).execute()
    await write.updateTable('visitor').set({ phone: '2' }).where('id', '=', vic.id).execute()
    const until = new Date(at('11:00'))
    await world.holds(ANN, medic, until)
    await world.holds(BEN, doctor)
    const ofGuest = (id: number, qualification: number, verified: Date | null) =>
      write
        .insertInto('guest_qualification')
        .values({ guest_id: id, qualification_id: qualification, verified_at: verified })
        .execute()
    await ofGuest(gus.id, medic.id, world.now)
    await ofGuest(gus.id, doctor.id, null)
    await ofGuest(gina.id, doctor.id, world.now)
    for (const [id, qualification] of [
      [vic.id, doctor.id],
      [victor.id, medic.id],
    ] as const)
      await write.insertInto('visitor_qualification').values({ visitor_id: id, qualification_id: qualification }).execute()
    const closed = await world.addPerson({ name: 'Cleo', isActive: false, isVisible: false })
    const facts = await loadPeopleFacts(paul, [local(ANN), gus, vic, local(closed), { placeholder: 'Driver' }], [shift])
    const basic = { isActive: true, isVisible: true, availability: null }
    assert.deepEqual(facts.person(local(ANN)), {
      ...basic,
      key: `local-${ANN.id}`,
      name: 'Ann',
      dateOfBirth: ANN.dateOfBirth,
      phone: ANN.phone,
      groupIds: [HELPERS.id],
      grants: [{ id: medic.id, until }],
    })
    const outside = { ...basic, groupIds: [] }
    assert.deepEqual(facts.person(gus), {
      ...outside,
      key: cardKey(gus),
      name: 'Gus',
      dateOfBirth: '2001-02-03',
      phone: '1',
      grants: [{ id: medic.id, until: null }],
    })
    assert.deepEqual(facts.person(vic), {
      ...outside,
      key: cardKey(vic),
      name: 'Vic',
      dateOfBirth: '2002-03-04',
      phone: '2',
      grants: [{ id: doctor.id, until: null }],
    })
    const cleo = facts.person(local(closed))
    assert.deepEqual([cleo?.isActive, cleo?.isVisible, cleo?.grants], [false, false, []])
    for (const who of [local(BEN), gina, victor, { placeholder: 'Driver' }])
      assert.equal(facts.person(who), undefined, cardKey(who))
    const { who, person, answers, own, engagements } = facts.of({ placeholder: 'Driver' })
    assert.deepEqual([who.id, person.exists, person.isActive, answers.size, own.size, engagements], [0, true, true, 0, 0, []])
    assert.deepEqual([facts.of(local(BEN)).person.exists, facts.of(gus).person.exists], [false, true])
    assert.deepEqual(facts.of(local(ANN)).person, {
      exists: true,
      isActive: true,
      isProvisional: false,
      dateOfBirth: ANN.dateOfBirth,
      groupIds: [HELPERS.id],
      availability: null,
      grants: [{ id: medic.id, until }],
      savedAnswers: {},
    })
  })

  test('are judged by rules of extensions if they have an account; names without a person are not judged at all', async () => {
    const asked: number[] = []
    const verdict = { message: 'added', values: {}, isWarning: false }
    const rule = async ({ userIds, shiftIds }: { userIds: readonly number[]; shiftIds: readonly number[] }) => {
      asked.push(...userIds)
      return userIds.flatMap((userId) => shiftIds.map((shiftId) => ({ ...verdict, userId, shiftId })))
    }
    const context = { ...paul, site: siteWith(paul.site, signUpRule, [rule]) }
    const gus = await addGuest('Gus')
    await write
      .updateTable('shift')
      .set({ structure_configuration: { required_qualification_ids: [medic.id] } })
      .where('id', '=', shift)
      .execute()
    const driver = { placeholder: 'Driver' }
    const facts = await loadPeopleFacts(context, [local(ANN), gus, driver], [shift])
    assert.deepEqual(asked, [ANN.id])
    const codesOf = (who: CardPerson) =>
      describePerson(context, who, {
        shiftId: shift,
        facts,
        span: { start: new Date(at('10:00')), end: new Date(at('12:00')) },
      }).hints.map(({ code }) => code)
    const found = [local(ANN), gus, driver].map((who) => ({
      verdicts: facts.of(who).verdicts?.get(shift)?.length,
      codes: codesOf(who),
    }))
    assert.deepEqual(found, [
      { verdicts: 1, codes: ['not_qualified', 'added_rule'] },
      { verdicts: undefined, codes: ['not_qualified'] },
      { verdicts: undefined, codes: [] },
    ])
  })

  test('have their own records, with what is remembered of their place until the shift is over', async () => {
    const gus = await addGuest('Gus')
    const ann = await world.addParticipation({ who: ANN, shift, state: 1, data: { a: 1 }, start: at('10:30'), end: at('11:30') })
    const late = await world.addParticipation({ who: ANN, shift: other, state: 2 })
    await world.addParticipation({ who: BEN, shift, state: 1 })
    const driver = await world.addParticipation({ who: { placeholder: 'Driver' }, shift, state: 1 })
    await world.addParticipation({ who: { placeholder: 'Cook' }, shift, state: 1 })
    const remember = (id: number, was_qualified: boolean, has_left_group: boolean) =>
      write.insertInto('place_basis').values({ participation_id: id, was_qualified, has_left_group }).execute()
    await remember(ann, true, false)
    await remember(driver, false, true)
    const people = [local(ANN), gus, { placeholder: 'Driver' }]
    const found = await findRecords(write, people, [shift])
    const byKey = new Map(found.map((one) => [one.key, one]))
    assert.deepEqual([...byKey.keys()].sort(), people.map(cardKey).sort())
    assert.deepEqual(byKey.get(`local-${ANN.id}`), {
      id: ann,
      shiftId: shift,
      state: 1,
      individualStart: new Date(at('10:30')),
      individualEnd: new Date(at('11:30')),
      start: new Date(at('10:30')),
      end: new Date(at('11:30')),
      structureData: { a: 1 },
      version: 1,
      basis: { wasQualified: true, hasLeftGroup: false },
      kind: 'local',
      person_id: ANN.id,
      placeholder_name: null,
      key: `local-${ANN.id}`,
    })
    assert.deepEqual(byKey.get(cardKey({ placeholder: 'Driver' }))?.basis, { wasQualified: false, hasLeftGroup: true })
    assert.equal(byKey.get(cardKey(gus))?.basis, undefined)
    await write.updateTable('participation').set({ finished: true }).where('id', '=', ann).execute()
    const [over] = await findRecords(write, [local(ANN)], [shift])
    assert.equal(over?.basis, undefined)
    const facts = await loadPeopleFacts(paul, [local(ANN), local(BEN)], [shift, other])
    assert.deepEqual([facts.own(local(ANN), other)?.id, facts.own(local(BEN), other)], [late, undefined])
    assert.deepEqual([...facts.recordsOf(local(ANN)).keys()].sort(), [shift, other].sort())
  })

  test('have their confirmed shifts from a day before to a day after, with titles that the planner may see', async () => {
    const gus = await addGuest('Gus')
    const put = async (who: Person, start: number, end: number, more: object = {}, state: 0 | 1 = 1) => {
      const [from, until] = [start, end].map((ms) => new Date(ms).toISOString())
      const made = await world.addEvent({ title: 'Fair', shifts: [{ start: from!, end: until! }], ...more })
      await world.addParticipation({ who, shift: made.shifts[0]!, state })
      return made.shifts[0]!
    }
    const [from, until] = [Date.parse(at('10:00')) - DAY_MS, Date.parse(at('12:00')) + DAY_MS]
    await put(ANN, from - HOUR_MS, from)
    const before = await put(ANN, from - HOUR_MS, from + 1, { responsible: [PAUL] })
    const after = await put(ANN, until - 1, until + HOUR_MS, { seenBy: [PAUL] })
    await put(ANN, until, until + HOUR_MS)
    const hidden = await put(ANN, Date.parse(at('06:00')), Date.parse(at('07:00')))
    await put(ANN, Date.parse(at('06:00')), Date.parse(at('07:00')), {}, 0)
    await put(ANN, Date.parse(at('06:00')), Date.parse(at('07:00')), { cancelled: true })
    await put(BEN, Date.parse(at('06:00')), Date.parse(at('07:00')))
    const draft = await put(ANN, Date.parse(at('07:00')), Date.parse(at('08:00')), { draft: true, responsible: [PAUL] })
    const facts = await loadPeopleFacts(paul, [local(ANN), gus], [shift])
    const found = facts
      .of(local(ANN))
      .engagements.map(({ shiftId, eventTitle, leaderShiftId }) => [shiftId, eventTitle, leaderShiftId])
    assert.deepEqual(found, [
      [before, 'Fair', null],
      [hidden, null, null],
      [after, 'Fair', null],
    ])
    assert.ok(draft)
    assert.deepEqual(facts.of(gus).engagements, [])
  })

  test('can be added if they are listed, or take part in the event without an account', async () => {
    const [gus, vic] = [await addGuest('Gus'), await addVisitor('Vic')]
    const elsewhere = await world.addEvent({ shifts: [{}] })
    const [gina, victor] = [await addGuest('Gina', elsewhere.shifts[0]!), await addVisitor('Victor', elsewhere.shifts[0]!)]
    await addGuest('Greg')
    await addVisitor('Valid')
    const closed = await world.addPerson({ name: 'Cleo', isActive: false })
    const hidden = await world.addPerson({ name: 'Hidden', isVisible: false })
    const asked = [local(ANN), local(closed), local(hidden), gus, gina, vic, victor, { placeholder: 'Driver' }]
    assert.deepEqual([...(await findAddablePeople(write, event, asked))].sort(), [local(ANN), gus, vic].map(cardKey).sort())
    assert.deepEqual(await findAddablePeople(write, event, []), new Set())
  })

  test('were changed last by the planner or by themselves', async () => {
    const [ann, ben, vera] = [
      await world.addParticipation({ who: ANN, shift, state: 1 }),
      await world.addParticipation({ who: BEN, shift, state: 1 }),
      await world.addParticipation({ who: VERA, shift, state: 1 }),
    ]
    const log = (id: number, kind: string, actor: Person | undefined, ms: number, subject = 'participation') =>
      write
        .insertInto('journal')
        .values({
          kind,
          subject_kind: subject,
          subject_id: id,
          event_id: event,
          changes: '{}',
          at: new Date(world.now.getTime() + ms),
          actor_kind: actor ? 'user' : 'guest',
          actor_id: actor?.id ?? ANN.id,
        })
        .execute()
    await log(ann, 'participation.signed_up', ANN, 1)
    await log(ann, 'participation.moved', PAUL, 2)
    await log(ann, 'shift.changed', OLGA, 3, 'shift')
    await log(ben, 'participation.moved', PAUL, 1)
    await log(ben, 'participation.signed_up', undefined, 2)
    assert.deepEqual(
      await findLastChanges(write, [ann, ben, vera]),
      new Map([
        [ann, { at: new Date(world.now.getTime() + 2), by: 'Paul', isOwn: false }],
        [ben, { at: new Date(world.now.getTime() + 2), by: null, isOwn: true }],
      ]),
    )
    await log(vera, 'participation.given_up', OLGA, 5)
    assert.deepEqual((await findLastChanges(write, [vera])).get(vera), {
      at: new Date(world.now.getTime() + 5),
      by: 'Olga',
      isOwn: false,
    })
    assert.deepEqual(await findLastChanges(write, []), new Map())
  })

  test('are listed by name whatever their kind, with who brought them and their comments', async () => {
    const ann = await world.addParticipation({
      who: ANN,
      shift,
      state: 3,
      comments: [
        { text: 'later', level: 1, at: at('09:00') },
        { text: 'first', level: 0, by: PAUL, at: at('08:00') },
        { text: 'gone', level: 2, by: 'a deleted user', at: at('10:00') },
      ],
    })
    const driver = await world.addParticipation({ who: { placeholder: 'aDriver' }, shift, state: 1 })
    await write.updateTable('participation').set({ brought_by_id: ann }).where('id', '=', driver).execute()
    const [gus, vic] = [await addGuest('Gus'), await addVisitor('Vic')]
    const elsewhere = await world.addParticipation({ who: BEN, shift: other, state: 1, comments: [{ text: 'x', level: 0 }] })
    const rows = await findBoardParticipants(paul, [shift])
    assert.deepEqual(
      rows.map(({ who, name, broughtBy, state, shiftId }) => [cardKey(who), name, broughtBy, state, shiftId]),
      [
        [cardKey({ placeholder: 'aDriver' }), 'aDriver', 'Ann', 1, shift],
        [`local-${ANN.id}`, 'Ann', undefined, 3, shift],
        [cardKey(gus), 'Gus', undefined, 0, shift],
        [cardKey(vic), 'Vic', undefined, 0, shift],
      ],
    )
    const comments = await findBoardComments(paul, [ann, driver])
    assert.deepEqual([...comments.keys()], [ann])
    assert.deepEqual(
      comments.get(ann)!.map(({ text, level, author }) => [text, level, author]),
      [
        ['first', 0, 'Paul'],
        ['later', 1, 'Ann'],
        ['gone', 2, paul.words.t('participation.former_responsible')],
      ],
    )
    assert.deepEqual(await getCardOf(write, elsewhere), { shiftId: other, who: local(BEN) })
    assert.deepEqual(await getCardOf(write, driver), { shiftId: shift, who: { placeholder: 'aDriver' } })
    assert.equal(await getCardOf(write, 0), undefined)
  })

  describe('who can be added', () => {
    const search = async (wish: object = {}, context = paul, taken: string[] = []) => {
      const found = (await getBoardShift(paul, shift))!.shift
      const all = { terms: [], fits: false, free: false, skillId: undefined, page: 0, ...wish }
      const { people, hasMore } = await findPeopleToAdd(context, found, all, new Set(taken))
      return [people.map(({ name }) => name).filter((name) => !name.startsWith('Extra')), hasMore]
    }
    const forEvent = async (wish: object = {}, taken: string[] = []) => {
      const shifts = [
        { id: shift, start: new Date(at('10:00')), end: new Date(at('12:00')) },
        { id: other, start: new Date(at('14:00')), end: new Date(at('15:00')) },
      ]
      return findPeopleToAddToEvent(paul, { id: event, shifts }, { terms: [], page: 0, ...wish }, new Set(taken))
    }

    test('are those who are not on the board, by name', async () => {
      await world.addParticipation({ who: ANN, shift, state: 2 })
      await addGuest('Gus', other)
      await addVisitor('vic', other)
      await addGuest('Gina')
      const elsewhere = await world.addEvent({ shifts: [{}] })
      await addGuest('Greg', elsewhere.shifts[0]!)
      await addVisitor('Victor', elsewhere.shifts[0]!)
      assert.deepEqual(await search(), [['Ben', 'Gus', 'Olga', 'Paul', 'Vera', 'vic'], false])
      assert.deepEqual(await search({}, paul, [`local-${BEN.id}`]), [['Gus', 'Olga', 'Paul', 'Vera', 'vic'], false])
      assert.deepEqual(await search({ terms: ['ve'] }), [['Vera'], false])
      assert.deepEqual(await search({ terms: ['vera@a'] }), [[], false], 'addresses only for those who may see them')
      assert.deepEqual(await search({ terms: ['vera@a'] }, as(OLGA)), [['Vera'], false])
      const { people, hasMore } = await forEvent({}, [`local-${OLGA.id}`])
      assert.deepEqual([people.map(({ name }) => name), hasMore], [['Ann', 'Ben', 'Gina', 'Gus', 'Paul', 'Vera', 'vic'], false])
      assert.deepEqual(
        (await forEvent({ terms: ['be'] })).people.map(({ name, fits, free, shifts, key, who }) => [
          name,
          fits,
          free,
          shifts,
          key,
          who,
        ]),
        [['Ben', 2, 2, 2, `local-${BEN.id}`, local(BEN)]],
      )
    })

    test('are free at the time of the shift, whatever they are', async () => {
      const [gus] = [await addGuest('Gus', other), await addVisitor('Vic', other)]
      const put = async (who: Person, from: string, until: string, more: object = {}, state: 0 | 1 = 1) => {
        const made = await world.addEvent({ shifts: [{ start: at(from), end: at(until) }], ...more })
        await world.addParticipation({ who, shift: made.shifts[0]!, state })
      }
      await put(ANN, '09:00', '10:00')
      await put(BEN, '09:00', '10:01')
      await put(OLGA, '12:00', '13:00')
      await put(VERA, '11:59', '13:00')
      await put(PAUL, '10:00', '12:00', {}, 0)
      assert.deepEqual(await search({ free: true }), [['Ann', 'Gus', 'Olga', 'Paul', 'Vic'], false])
      const moved = { start_time: new Date(at('10:00')), end_time: new Date(at('12:00')), meeting_time: new Date(at('10:00')) }
      await write.updateTable('shift').set(moved).where('id', '=', other).execute()
      await write.updateTable('participation').set({ state: 1 }).where('guest_id', '=', gus.id).execute()
      assert.deepEqual(await search({ free: true }), [['Ann', 'Olga', 'Paul', 'Vic'], false])
      await write.updateTable('participation').set({ state: 1 }).where('kind', '=', 'visitor').execute()
      assert.deepEqual(await search({ free: true }), [['Ann', 'Olga', 'Paul'], false])
      await write.deleteFrom('participation').execute()
      await put(ANN, '10:00', '12:00', { cancelled: true })
      assert.deepEqual(await search({ free: true, terms: ['ann'] }), [['Ann'], false])
    })

    test('hold a qualification until the end, or one that includes it', async () => {
      const [gus, vic] = [await addGuest('Gus', other), await addVisitor('Vic', other)]
      const held = async () => [(await search({ skillId: medic.id }))[0], (await search({ skillId: doctor.id }))[0]]
      await world.holds(ANN, medic, new Date(at('12:00')))
      await world.holds(BEN, medic, new Date(Date.parse(at('12:00')) - 1))
      await world.holds(OLGA, doctor)
      await write
        .insertInto('guest_qualification')
        .values({ guest_id: gus.id, qualification_id: medic.id, verified_at: null })
        .execute()
      assert.deepEqual(await held(), [['Ann', 'Olga'], ['Olga']])
      await write.updateTable('guest_qualification').set({ verified_at: world.now }).where('guest_id', '=', gus.id).execute()
      await write.insertInto('visitor_qualification').values({ visitor_id: vic.id, qualification_id: doctor.id }).execute()
      assert.deepEqual(await held(), [
        ['Ann', 'Gus', 'Olga', 'Vic'],
        ['Olga', 'Vic'],
      ])
    })

    test('fit, and come in pages of twelve', async () => {
      await write
        .updateTable('shift')
        .set({ structure_configuration: JSON.stringify({ required_qualification_ids: [medic.id] }) })
        .where('id', '=', shift)
        .execute()
      await world.holds(ANN, medic)
      await world.holds(VERA, medic)
      assert.deepEqual(await search({ fits: true }), [['Ann', 'Vera'], false])
      const busy = await world.addEvent({ shifts: [{ start: at('10:00'), end: at('12:00') }] })
      await world.addParticipation({ who: VERA, shift: busy.shifts[0]!, state: 1 })
      assert.deepEqual(await search({ fits: true }), [['Ann', 'Vera'], false], 'a conflict is told apart')
      const extra: Person[] = []
      const add = async () => {
        const person = await world.addPerson({ name: `Extra ${String(extra.length).padStart(2, '0')}` })
        await world.holds(person, medic)
        extra.push(person)
      }
      while (extra.length < 10) await add()
      assert.deepEqual(await search({ fits: true }), [['Ann', 'Vera'], false], 'exactly a page')
      assert.deepEqual(await search({ terms: ['Extra'] }), [[], false])
      await add()
      assert.deepEqual(await search({ fits: true }), [['Ann'], true])
      assert.deepEqual(await search({ fits: true, page: 1 }), [['Vera'], false])
      assert.deepEqual(await search(), [['Ann', 'Ben'], true])
      assert.deepEqual(await search({ page: 1 }), [['Olga', 'Paul', 'Vera'], false])
      const { people, hasMore } = await forEvent()
      assert.deepEqual([people.length, hasMore], [12, true])
      assert.deepEqual([(await forEvent({ page: 1 })).people.length, (await forEvent({ page: 1 })).hasMore], [16, false])
      await write.deleteFrom('user_profile').where('display_name', 'like', 'Extra%').execute()
    })
  })

  test('the state of a board changes with what it shows of its shifts, and not with others', async () => {
    const ann = await world.addParticipation({ who: ANN, shift, state: 0 })
    const ben = await world.addParticipation({ who: BEN, shift: other, state: 0 })
    const { id: question } = await write
      .insertInto('question')
      .values({ name: 'Q', text: 'Lunch?', kind: 'text' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const answer = (id: number, value: string) =>
      write
        .insertInto('answer')
        .values({ participation_id: id, question_id: question, value: JSON.stringify(value) })
        .execute()
    const comment = (id: number) =>
      write
        .insertInto('participation_comment')
        .values({ participation_id: id, text: 'x', visible_for: 0, author_kind: 'participant', created_at: world.now })
        .execute()
    const STEPS: [what: string, change: () => Promise<unknown>, isSeen: boolean][] = [
      ['an answer of another shift', () => answer(ben, 'yes'), false],
      ['an answer', () => answer(ann, 'yes'), true],
      [
        'another answer',
        () => write.updateTable('answer').set({ value: '"no"' }).where('participation_id', '=', ann).execute(),
        true,
      ],
      ['a comment of another shift', () => comment(ben), false],
      ['a comment', () => comment(ann), true],
      ['a new person elsewhere', () => world.addParticipation({ who: VERA, shift: other, state: 0 }), false],
      ['a new person', () => world.addParticipation({ who: VERA, shift, state: 0 }), true],
      ['the shift', () => write.updateTable('shift').set({ label: 'New' }).where('id', '=', shift).execute(), true],
    ]
    let { state } = await getBoardState(paul, [shift])
    for (const [what, change, isSeen] of STEPS) {
      const before = await write.selectFrom('event').select('version').where('id', '=', event).executeTakeFirstOrThrow()
      await change()
      const after = await write.selectFrom('event').select('version').where('id', '=', event).executeTakeFirstOrThrow()
      const { state: now } = await getBoardState(paul, [shift])
      if (isSeen || before.version === after.version) assert.equal(now !== state, isSeen, what)
      state = now
    }
  })
})
