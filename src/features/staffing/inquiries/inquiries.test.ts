import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type AnswerGuard, answerInquiry } from './commands/answer.ts'
import { askPeople, sendWave } from './commands/ask.ts'
import { sendDueWaves, stopInquiry } from './commands/end.ts'
import { makeAnswerToken } from './queries/answers.ts'
import { findCandidates } from './queries/candidates.ts'

const HOUR_MS = 3_600_000
const START = '2031-05-20T08:00:00Z'
const END = '2031-05-20T14:00:00Z'

async function addShift(world: World, { places = 3, flow = 'instant_confirmation', more = {} } = {}) {
  const { id: eventId, shifts } = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [
      {
        start: START,
        end: END,
        flow,
        flowConfiguration: { user_can_decline_confirmed: true, ...more },
        configuration: { minimum_number_of_participants: places, maximum_number_of_participants: places },
      },
    ],
  })
  await transact(world.db.write, (tx) => refreshStatistics(tx, shifts))
  return { eventId, shift: shifts[0]! }
}

async function addHelpers(world: World, count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let n = 0; n < count; n++) {
    const person = await world.addPerson({ name: `Helper ${String(n).padStart(2, '0')}` })
    await world.db.write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: person.id }).execute()
    people.push(person)
  }
  return people
}

const anonymous = (world: World): CommandContext => ({ ...contextAs(world, PAUL), actor: ANONYMOUS })
const ask = (world: World, shift: number, people: readonly Person[], more: object = {}) =>
  askPeople(contextAs(world, PAUL), {
    shiftId: shift,
    who: people.map(({ id }) => id),
    wanted: 3,
    waves: undefined,
    message: '',
    ...more,
  })

async function tokenOf(world: World, person: Person, shift: number): Promise<string> {
  const row = await world.db.write
    .selectFrom('inquiry_person')
    .innerJoin('inquiry', 'inquiry.id', 'inquiry_person.inquiry_id')
    .select(['inquiry_person.id', 'inquiry_person.expires_at'])
    .where('inquiry_person.user_id', '=', person.id)
    .where('inquiry.shift_id', '=', shift)
    .orderBy('inquiry_person.id', 'desc')
    .executeTakeFirstOrThrow()
  return makeAnswerToken(world.app.site.keyring, { id: row.id, userId: person.id, shiftId: shift, expiresAt: row.expires_at! })
}
const answer = (world: World, token: string, what: 'can' | 'cannot' = 'can', reason = '', guard?: AnswerGuard) =>
  answerInquiry(anonymous(world), { token, answer: what, reason }, guard)
const stateOf = async (world: World, person: Person, shift: number) =>
  (
    await world.db.write
      .selectFrom('participation')
      .select('state')
      .where('shift_id', '=', shift)
      .where('user_id', '=', person.id)
      .executeTakeFirst()
  )?.state

describe('asking people', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const [cem, dora, eve] = (await addHelpers(world, 3)) as [Person, Person, Person]
  beforeEach(async () => {
    await world.db.write.deleteFrom('inquiry').execute()
    await world.db.write.deleteFrom('participation').execute()
    await world.db.write.deleteFrom('setting').where('name', '=', 'inquiries_per_day').execute()
  })
  const namesOf = async (shift: number, perDay = 3) =>
    (await findCandidates(anonymous(world), shift, { perDay })).people.map(({ name }) => name)

  test('offers people who fit, are free, have not answered and want to be asked, those who were asked least first', async () => {
    const { shift } = await addShift(world)
    const all = await namesOf(shift)
    assert.ok(all.includes(ANN.name) && all.includes(cem.name))
    const busy = await addShift(world)
    await world.addParticipation({ who: cem, shift: busy.shift, state: 1 })
    await world.addParticipation({ who: dora, shift, state: 2 })
    const choose = (value: string) =>
      world.db.write.updateTable('user_profile').set({ disabled_notifications: value }).where('id', '=', eve.id).execute()
    await choose('[["mail", "inquiry"], ["push", "inquiry"]]')
    const rest = await namesOf(shift)
    assert.deepEqual(all.filter((name) => !rest.includes(name)).toSorted(), [cem.name, dora.name, eve.name].toSorted())
    await choose('[]')
    const other = await addShift(world)
    assert.ok((await ask(world, other.shift, [ANN])).ok)
    const ranked = await namesOf(shift)
    assert.equal(ranked.at(-1), ANN.name)
  })

  test('does not offer those who ask to themselves, and does not ask them', async () => {
    const { shift } = await addShift(world)
    assert.ok((await namesOf(shift)).includes(PAUL.name))
    const offered = (await findCandidates(contextAs(world, PAUL), shift, { perDay: 3 })).people.map(({ name }) => name)
    assert.deepEqual([offered.includes(PAUL.name), offered.includes(ANN.name)], [false, true])
    assert.deepEqual(await ask(world, shift, [PAUL]), { ok: false, reason: 'nobody' })
  })

  test('waits on the home page until the person answers', async () => {
    const { shift } = await addShift(world)
    const home = async () => (await world.withSession(ANN).get('/', { unchecked: true })).text
    assert.ok(!(await home()).includes('/asked/'))
    assert.ok((await ask(world, shift, [ANN])).ok)
    const token = await tokenOf(world, ANN, shift)
    assert.match(
      await home(),
      new RegExp(`Waiting for your answer[\\s\\S]*/asked/${token.replace('.', '\\.')}/[\\s\\S]*asks whether you can`),
    )
    await answer(world, token, 'cannot')
    assert.ok(!(await home()).includes('/asked/'))
  })

  test('is open on the home page and for the planner as long as people can sign up, whatever it was when they were asked', async () => {
    const { shift } = await addShift(world)
    await ask(world, shift, [ANN])
    const shown = async () => {
      const [home, page] = [
        await world.withSession(ANN).get('/', { unchecked: true }),
        await world.withSession(PAUL).get(`/shifts/${shift}/ask/`, { unchecked: true }),
      ]
      return [home.text.includes('/asked/'), /no answer(?! yet)/.test(page.text)]
    }
    const closeAt = (at: number) =>
      world.db.write
        .updateTable('shift')
        .set({ signup_flow_configuration: JSON.stringify({ signup_until: new Date(at) }) })
        .where('id', '=', shift)
        .execute()
    assert.deepEqual(await shown(), [true, false])
    await closeAt(world.now.getTime() - 1)
    assert.deepEqual(await shown(), [false, true])
    await closeAt(world.now.getTime())
    await world.db.write
      .updateTable('inquiry_person')
      .set({ expires_at: new Date(world.now.getTime() - HOUR_MS) })
      .execute()
    assert.deepEqual(await shown(), [true, false])
  })

  test('is for planners of the event, and only while people can sign up', async () => {
    const { shift } = await addShift(world)
    await assert.rejects(
      askPeople(contextAs(world, ANN), { shiftId: shift, who: [BEN.id], wanted: 1, waves: undefined, message: '' }),
      {
        code: 'not_found',
      },
    )
    const manual = await addShift(world, { flow: 'manual' })
    assert.deepEqual(await ask(world, manual.shift, [ANN]), { ok: false, reason: 'not_open' })
    assert.deepEqual(await ask(world, shift, [{ ...ANN, id: 999_999 }]), { ok: false, reason: 'nobody' })
  })

  test('sends a mail with two links that work without signing in; opening them changes nothing', async () => {
    await outbox.clear()
    const { shift } = await addShift(world, { places: 1 })
    const asked = await ask(world, shift, [ANN, BEN], { message: 'Please!' })
    assert.ok(asked.ok)
    const mails = await outbox.deliver()
    const mail = mails.find(({ to }) => to === ANN.email)!
    assert.match(mail.subject, /Can you help\? Harbour run/)
    assert.match(mail.text, /Paul asks whether you can help: .*“Please!”/s)
    const [yes, no] = [...mail.text.matchAll(/https:\/\/a\.example(\/asked\/[^\s]+)/g)].map((found) => found[1]!)
    assert.equal(no, `${yes}?answer=no`)
    for (const path of [yes!, no!]) {
      const { status, text, headers } = await world.nobody.get(path, { unchecked: true })
      assert.equal(status, 200)
      assert.deepEqual(checkMarkup(text), [])
      assert.match(text, /Harbour run/)
      assert.ok(!String(headers['set-cookie'] ?? '').includes('session='))
    }
    assert.equal(await stateOf(world, ANN, shift), undefined)
    const done = await world.nobody.request('POST', yes!, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://a.example' },
      body: 'answer=can',
      unchecked: true,
    })
    assert.deepEqual([done.status, done.headers.location], [303, yes])
    const page0 = await world.nobody.get(yes!, { unchecked: true })
    assert.deepEqual(checkMarkup(page0.text), [])
    assert.match(page0.text, /You are confirmed/)
    assert.equal(await stateOf(world, ANN, shift), 1)
    // Ben is too late, and says so.
    const token = await tokenOf(world, BEN, shift)
    assert.deepEqual(await answer(world, token), { kind: 'too_late' })
    assert.match((await world.nobody.get(`/asked/${token}/`, { unchecked: true })).text, /The shift is full/)
    const page = (await world.withSession(PAUL).get(`/shifts/${shift}/ask/`, { unchecked: true })).text
    assert.match(page, /can, but the shift was full/)
  })

  test('the page stays after the answer: shift, place, map, calendar, contact, and the other answer', async () => {
    const { shift } = await addShift(world)
    assert.ok((await ask(world, shift, [ANN, BEN], { message: 'Bring boots' })).ok)
    const path = `/asked/${await tokenOf(world, ANN, shift)}/`
    const read = async () => (await world.nobody.get(path, { unchecked: true })).text
    const say = (what: string) =>
      world.nobody.request('POST', path, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://a.example' },
        body: `answer=${what}`,
        unchecked: true,
      })
    assert.match(await read(), /With “I can” you are signed up and have the place/)
    await say('can')
    for (const text of [
      /You are confirmed/,
      /Pier 3/,
      /openstreetmap/,
      /Paul asks you/,
      /Bring boots/,
      /Questions\?/,
      /I can’t after all/,
    ])
      assert.match(await read(), text)
    const calendar = await world.nobody.get(`${path}calendar.ics`, { unchecked: true })
    assert.deepEqual([calendar.status, calendar.text.match(/BEGIN:VEVENT/g)?.length], [200, 1])
    assert.equal(await stateOf(world, ANN, shift), 1, 'opening changes nothing')
    await world.nobody.request('HEAD', path, { unchecked: true })
    assert.equal(await stateOf(world, ANN, shift), 1)
    await say('cannot')
    assert.equal(await stateOf(world, ANN, shift), 2)
    assert.match(await read(), /You can’t this time[\s\S]*I can after all/)
    await say('can')
    assert.equal(await stateOf(world, ANN, shift), 1)
    assert.equal((await say('can')).status, 303, 'the same answer again changes nothing')
    assert.equal(await stateOf(world, ANN, shift), 1)
    const rows = await world.db.write
      .selectFrom('journal')
      .select('id')
      .where('kind', '=', 'shift.answered')
      .where('subject_id', '=', shift)
      .execute()
    assert.equal(rows.length, 3)
  })

  test('a place that the person may not leave any more cannot be given back by the link', async () => {
    const { shift } = await addShift(world, { more: { user_can_decline_confirmed: false } })
    assert.ok((await ask(world, shift, [ANN])).ok)
    const token = await tokenOf(world, ANN, shift)
    await answer(world, token)
    assert.doesNotMatch((await world.nobody.get(`/asked/${token}/`, { unchecked: true })).text, /after all/)
    assert.equal((await answer(world, token, 'cannot'))?.kind, 'refused')
    assert.equal(await stateOf(world, ANN, shift), 1)
  })

  test('ends at once when enough people can, whatever the way, and the other links say so', async () => {
    const endOf = async (inquiryId: number) => {
      const rows = world.db.write.selectFrom('inquiry').select(['end_reason', 'next_wave_at']).where('id', '=', inquiryId)
      return rows.executeTakeFirstOrThrow()
    }
    const { shift } = await addShift(world, { places: 3 })
    const asked = await ask(world, shift, [ANN, BEN, cem], { wanted: 1, waves: { size: 2, hours: 2 } })
    assert.ok(asked.ok)
    const order = await world.db.write
      .selectFrom('inquiry_person')
      .select('user_id')
      .where('inquiry_id', '=', asked.inquiryId)
      .where('asked_at', 'is not', null)
      .execute()
    const [first, second] = order.map(({ user_id }) => [ANN, BEN, cem].find(({ id }) => id === user_id)!) as [Person, Person]
    assert.equal((await answer(world, await tokenOf(world, first, shift)))?.kind, 'done')
    assert.deepEqual(await endOf(asked.inquiryId), { end_reason: 'enough', next_wave_at: null })
    const other = await tokenOf(world, second, shift)
    const { text } = await world.nobody.get(`/asked/${other}/`, { unchecked: true })
    assert.match(text, /Enough people can/)
    assert.doesNotMatch(text, /name="answer"/)
    assert.deepEqual(await answer(world, other), { kind: 'enough' })
    const page = (await world.withSession(PAUL).get(`/shifts/${shift}/ask/`, { unchecked: true })).text
    assert.doesNotMatch(page, /people are asked in|person is asked in/)
    // Somebody drops out: the link works again.
    await answer(world, await tokenOf(world, first, shift), 'cannot')
    assert.equal((await answer(world, other))?.kind, 'done')

    const elsewhere = await addShift(world, { places: 1 })
    const later = await ask(world, elsewhere.shift, [dora, eve], { wanted: 1, waves: { size: 1, hours: 5 } })
    assert.ok(later.ok)
    await world.grantsEvent(dora, elsewhere.eventId, 'view')
    await signUp(contextAs(world, dora), { shiftId: elsewhere.shift })
    await sendDueWaves(anonymous(world))
    assert.equal((await endOf(later.inquiryId)).end_reason, 'enough', 'before the next wave is due')
  })

  test('who waits for a later wave is not asked in between, and only open questions can be withdrawn', async () => {
    const { shift } = await addShift(world, { places: 3 })
    const asked = await ask(world, shift, [ANN, BEN, cem], { waves: { size: 2, hours: 2 } })
    assert.ok(asked.ok)
    const waiting = await world.db.write
      .selectFrom('inquiry_person')
      .select('user_id as id')
      .where('inquiry_id', '=', asked.inquiryId)
      .where('asked_at', 'is', null)
      .executeTakeFirstOrThrow()
    const page = async () => (await world.withSession(PAUL).get(`/shifts/${shift}/ask/`, { unchecked: true })).text
    assert.match(await page(), /Withdraw 2 open questions/)
    const again = askPeople(contextAs(world, PAUL), {
      shiftId: shift,
      who: [waiting.id],
      wanted: 1,
      waves: undefined,
      message: '',
    })
    assert.deepEqual(await again, { ok: false, reason: 'nobody' })
    for (const person of [ANN, BEN, cem].filter(({ id }) => id !== waiting.id))
      await answer(world, await tokenOf(world, person, shift), 'cannot')
    assert.match(await page(), /Ask nobody else/)
    assert.ok(await stopInquiry(contextAs(world, PAUL), { shiftId: shift, inquiryId: asked.inquiryId }))
    assert.ok(
      (
        await ask(
          world,
          shift,
          [ANN, BEN, cem].filter(({ id }) => id === waiting.id),
        )
      ).ok,
      'nobody asks them any more',
    )
  })

  test('links: of another person, withdrawn, made up', async () => {
    const { shift } = await addShift(world)
    const asked = await ask(world, shift, [ANN, BEN, cem])
    assert.ok(asked.ok)
    const token = await tokenOf(world, ANN, shift)
    assert.deepEqual(await answer(world, token, 'cannot', 'on holiday'), { kind: 'done', answer: 'cannot', isConfirmed: false })
    assert.deepEqual(await answer(world, token, 'cannot'), { kind: 'answered' })
    assert.equal(await stateOf(world, ANN, shift), 2)
    const page = (await world.withSession(PAUL).get(`/shifts/${shift}/ask/`, { unchecked: true })).text
    assert.match(page, /on holiday/)
    // The signature of Ann with the question to Ben.
    const ben = await tokenOf(world, BEN, shift)
    assert.equal(await answer(world, `${ben.split('.')[0]}.${token.split('.')[1]}`), undefined)
    assert.equal((await world.nobody.get(`/asked/${ben.slice(0, -1)}x/`, { unchecked: true })).status, 404)
    assert.ok(await stopInquiry(contextAs(world, PAUL), { shiftId: shift, inquiryId: asked.inquiryId }))
    assert.deepEqual(await answer(world, ben), { kind: 'withdrawn' })
    assert.match((await world.nobody.get(`/asked/${ben}/`, { unchecked: true })).text, /No longer needed/)
    assert.equal(await stateOf(world, BEN, shift), undefined)
  })

  describe('an answer is judged by the end of sign-up at that time, as every sign-up', () => {
    const LAST = Date.parse(END)
    const NEW_LAST = LAST + 2 * HOUR_MS
    const move = (shift: number, end: number) =>
      world.db.write
        .updateTable('shift')
        .set({ end_time: new Date(end) })
        .where('id', '=', shift)
        .execute()

    for (const [what, end, at, isOpen] of [
      ['at the last moment', LAST, LAST, true],
      ['a moment later', LAST, LAST + 1, false],
      ['at the last moment of a shift that became longer', NEW_LAST, NEW_LAST, true],
      ['a moment after a shift that became longer', NEW_LAST, NEW_LAST + 1, false],
      ['at the last moment of a shift that became shorter', LAST - HOUR_MS, LAST - HOUR_MS, true],
      ['a moment after a shift that became shorter', LAST - HOUR_MS, LAST - HOUR_MS + 1, false],
    ] as const)
      test(`${what}: ${isOpen ? 'counts' : 'is refused'}`, async () => {
        const { shift, eventId } = await addShift(world)
        await world.grantsEvent(cem, eventId, 'view')
        await ask(world, shift, [ANN, BEN])
        const [ann, ben] = [await tokenOf(world, ANN, shift), await tokenOf(world, BEN, shift)]
        await move(shift, end)
        const before = world.now
        world.now = new Date(at)
        try {
          const own = await signUp(contextAs(world, cem), { shiftId: shift })
          assert.equal(own.ok, isOpen, 'the sign-up of somebody else')
          const { status, text } = await world.nobody.get(`/asked/${ann}/`, { unchecked: true })
          assert.equal(status, isOpen ? 200 : 410)
          if (!isOpen) {
            assert.match(text, /This link is no longer valid/)
            assert.match(text, /Sign-up closed on .*20 May/, 'the reason of sign-ups')
          }
          assert.equal((await answer(world, ann))?.kind, isOpen ? 'done' : 'expired')
          assert.equal((await answer(world, ben, 'cannot'))?.kind, isOpen ? 'done' : 'expired')
          assert.equal(await stateOf(world, ANN, shift), isOpen ? 1 : undefined)
          assert.equal(await stateOf(world, BEN, shift), isOpen ? 2 : undefined)
        } finally {
          world.now = before
        }
      })
  })

  test('a longer time than the link was signed for is not accepted', async () => {
    const { shift } = await addShift(world)
    await ask(world, shift, [BEN])
    const token = await tokenOf(world, BEN, shift)
    await world.db.write
      .updateTable('inquiry_person')
      .set({ expires_at: new Date('2032-01-01T00:00:00Z') })
      .execute()
    assert.equal(await answer(world, token), undefined)
  })

  test('people whose account was closed cannot answer', async () => {
    const { shift } = await addShift(world)
    await ask(world, shift, [dora])
    const token = await tokenOf(world, dora, shift)
    const setActive = (is_active: boolean) =>
      world.db.write.updateTable('user_profile').set({ is_active }).where('id', '=', dora.id).execute()
    await setActive(false)
    assert.equal(await answer(world, token), undefined)
    await setActive(true)
    assert.equal((await answer(world, token))?.kind, 'done')
  })

  test('not more often than allowed per day, also if two planners ask at the same time', async () => {
    await world.db.write.insertInto('setting').values({ name: 'inquiries_per_day', value: '1' }).execute()
    const [first, second] = [await addShift(world), await addShift(world)]
    const both = await Promise.all([ask(world, first.shift, [ANN]), ask(world, second.shift, [ANN])])
    assert.deepEqual(both.map(({ ok }) => ok).sort(), [false, true])
    assert.deepEqual(
      both.find(({ ok }) => !ok),
      { ok: false, reason: 'nobody' },
    )
  })

  test('again once a day has passed, and not a moment earlier', async () => {
    await world.db.write.insertInto('setting').values({ name: 'inquiries_per_day', value: '2' }).execute()
    const askAnother = async (people: Person[], atMs: number) => {
      const { shift } = await addShift(world)
      const context = { ...contextAs(world, PAUL), now: new Date(world.now.getTime() + atMs) }
      const who = people.map(({ id }) => id)
      const outcome = await askPeople(context, { shiftId: shift, who, wanted: 1, waves: undefined, message: '' })
      return outcome.ok ? outcome.asked : outcome.reason
    }
    assert.equal(await askAnother([ANN], 0), 1)
    assert.equal(await askAnother([ANN], HOUR_MS), 1, 'the second of two')
    assert.equal(await askAnother([ANN], HOUR_MS), 'nobody')
    assert.equal(await askAnother([ANN, BEN], HOUR_MS), 1, 'others are asked all the same')
    assert.equal(await askAnother([ANN], 24 * HOUR_MS - 1), 'nobody')
    assert.equal(await askAnother([ANN], 24 * HOUR_MS), 1, 'the first one is a day old')
    assert.equal(await askAnother([ANN], 25 * HOUR_MS - 1), 'nobody')
    assert.equal(await askAnother([ANN], 25 * HOUR_MS), 1)
  })

  test('the same without the lock on the person: both are sent', async () => {
    await world.db.write.insertInto('setting').values({ name: 'inquiries_per_day', value: '1' }).execute()
    const shifts = [(await addShift(world)).shift, (await addShift(world)).shift]
    let arrived = 0
    let release = () => {}
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    const guard = {
      ...GUARD,
      lockPeople: async () => {},
      checked: async () => {
        if (++arrived === 2) release()
        await all
      },
    }
    const input = { who: [ANN.id], wanted: 1, waves: undefined, message: '' }
    const outcomes = await Promise.all(shifts.map((shiftId) => askPeople(contextAs(world, PAUL), { shiftId, ...input }, guard)))
    assert.ok(outcomes.every(({ ok }) => ok))
  })

  describe('two waves at the same time', () => {
    /** Inquiries for two shifts, each with Ben asked and Ann to be asked next. */
    const addInquiries = async () => {
      const inquiries: number[] = []
      for (const first of [BEN, cem]) {
        const { shift } = await addShift(world)
        const asked = await ask(world, shift, [first], { waves: { size: 1, hours: 1 } })
        assert.ok(asked.ok)
        const next = { inquiry_id: asked.inquiryId, user_id: ANN.id, position: 1 }
        await world.db.write.insertInto('inquiry_person').values(next).execute()
        inquiries.push(asked.inquiryId)
      }
      await world.db.write.insertInto('setting').values({ name: 'inquiries_per_day', value: '1' }).execute()
      return inquiries
    }
    const send = (inquiry: number, guard?: Parameters<typeof sendWave>[4]) =>
      transact(world.db.write, (tx) =>
        sendWave(tx, contextAs(world, PAUL), inquiry, new Date(world.now.getTime() + HOUR_MS), guard),
      )

    test('ask a person not more often than allowed per day', async () => {
      const inquiries = await addInquiries()
      let sent: Promise<number[]> | undefined
      // Both have begun before either gets the lock.
      await transact(world.db.write, async (tx) => {
        await GUARD.lockPeople(tx, [{ kind: 'local', id: ANN.id }])
        sent = Promise.all(inquiries.map((inquiry) => send(inquiry)))
        for (let waiting = 0; waiting < 2; ) {
          const { rows } = await world.db.readPool.query(
            `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
          waiting = rows[0].n
        }
      })
      assert.deepEqual((await sent!).sort(), [0, 1])
    })

    test('without the lock, both ask', async () => {
      const inquiries = await addInquiries()
      let arrived = 0
      let release = () => {}
      const all = new Promise<void>((resolve) => {
        release = resolve
      })
      const checked = async () => {
        if (++arrived === 2) release()
        await all
      }
      assert.deepEqual(
        await Promise.all(inquiries.map((inquiry) => send(inquiry, { lockPeople: async () => {}, checked }))),
        [1, 1],
      )
    })
  })

  test('in waves: the next people are asked until enough can, and then no more', async () => {
    const { shift } = await addShift(world, { places: 2 })
    const asked = await ask(world, shift, [ANN, BEN, cem, dora, eve], { wanted: 2, waves: { size: 2, hours: 2 } })
    assert.ok(asked.ok)
    assert.deepEqual([asked.asked, asked.waiting], [2, 3])
    const state = async () => {
      const rows = await world.db.write
        .selectFrom('inquiry_person')
        .select(['user_id', 'wave', 'answer'])
        .where('inquiry_id', '=', asked.inquiryId)
        .orderBy('position')
        .execute()
      const { end_reason } = await world.db.write
        .selectFrom('inquiry')
        .select('end_reason')
        .where('id', '=', asked.inquiryId)
        .executeTakeFirstOrThrow()
      return { waves: rows.map(({ wave }) => wave), first: rows.map(({ user_id }) => user_id), end_reason }
    }
    const people = (await state()).first.map((id) => [ANN, BEN, cem, dora, eve].find((one) => one.id === id)!)
    await sendDueWaves(anonymous(world))
    assert.deepEqual((await state()).waves, [1, 1, null, null, null])
    assert.equal((await answer(world, await tokenOf(world, people[0]!, shift)))?.kind, 'done')
    assert.equal((await answer(world, await tokenOf(world, people[1]!, shift), 'cannot'))?.kind, 'done')
    world.now = new Date(world.now.getTime() + 2 * HOUR_MS)
    await outbox.clear()
    await sendDueWaves(anonymous(world))
    assert.deepEqual((await state()).waves, [1, 1, 2, 2, null])
    assert.equal((await outbox.deliver()).filter(({ subject }) => subject.startsWith('Can you help')).length, 2)
    assert.equal((await answer(world, await tokenOf(world, people[2]!, shift)))?.kind, 'done')
    assert.deepEqual(await answer(world, await tokenOf(world, people[3]!, shift)), { kind: 'too_late' })
    world.now = new Date(world.now.getTime() + 2 * HOUR_MS)
    await sendDueWaves(anonymous(world))
    assert.deepEqual(await state(), { waves: [1, 1, 2, 2, null], first: people.map(({ id }) => id), end_reason: 'enough' })
  })

  test('the log of the event says who asked and who answered', async () => {
    const { text } = await world.withSession(OLGA).get('/manage/log/', { unchecked: true })
    assert.match(text, /asked people for/)
    assert.match(text, /answered a question about/)
  })
})

describe('many answers at once', async () => {
  const world = await openWorld()
  const people = await addHelpers(world, 40)

  test('40 people can, for 3 places: 3 are confirmed, the others are too late', async () => {
    const { shift } = await addShift(world, { places: 3 })
    assert.ok((await ask(world, shift, people)).ok)
    const tokens: string[] = []
    for (const person of people) tokens.push(await tokenOf(world, person, shift))
    const outcomes = await Promise.all(tokens.map((token) => answer(world, token)))
    const kinds = Map.groupBy(outcomes, (outcome) => outcome!.kind)
    assert.deepEqual([kinds.get('done')?.length, kinds.get('too_late')?.length], [3, 37])
    const { confirmed_count } = await world.db.write
      .selectFrom('shift')
      .select('confirmed_count')
      .where('id', '=', shift)
      .executeTakeFirstOrThrow()
    assert.equal(confirmed_count, 3)
  })

  /** A person gives the same answer twice at the same moment. */
  const race = async (guard?: AnswerGuard) => {
    const { shift } = await addShift(world, { places: 3 })
    const person = (await addHelpers(world, 1))[0]!
    assert.ok((await ask(world, shift, [person])).ok)
    const token = await tokenOf(world, person, shift)
    const outcomes = await Promise.all([answer(world, token, 'cannot', '', guard), answer(world, token, 'cannot', '', guard)])
    return outcomes.filter((outcome) => outcome?.kind === 'done').length
  }
  test('a link that is used twice at the same time counts once', async () => assert.equal(await race(), 1))
  test('without the lock, both answers count', async () => {
    let arrived = 0
    let release = () => {}
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    // Both have read the open question before either of them writes.
    const lock: AnswerGuard['lock'] = async () => {}
    const afterCheck = async () => {
      if (++arrived === 2) release()
      await all
    }
    assert.equal(await race({ lock, checked: afterCheck }), 2)
  })
})
