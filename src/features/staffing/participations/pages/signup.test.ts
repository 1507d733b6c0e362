import assert from 'node:assert/strict'
import { beforeEach, describe, mock, test } from 'node:test'
import pg from 'pg'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const unchecked = true
const day = (hour: number, date = 4) => `2031-05-0${date}T${String(hour).padStart(2, '0')}:00:00+02:00`
const INSTANT = { flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: true } }

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('signing up on pages', async () => {
  const world = await openWorld()
  beforeEach(() => world.db.write.deleteFrom('participation').execute())

  async function addShift(wish: ShiftOptions = {}) {
    const { id, shifts } = await world.addEvent({
      title: 'Run',
      seenBy: [HELPERS],
      shifts: [{ start: day(8), end: day(12), meeting: day(7), ...wish }],
    })
    return {
      page: `/events/${id}-run/`,
      shift: shifts[0]!,
      signup: `/shifts/${shifts[0]}/signup/`,
      decline: `/shifts/${shifts[0]}/decline/`,
      undo: `/shifts/${shifts[0]}/undo/`,
    }
  }
  async function read(who: Person, path: string): Promise<string> {
    const { status, text } = await world.withSession(who).get(path, { unchecked })
    assert.equal(status, 200, path)
    assert.deepEqual(checkMarkup(text), [])
    return text
  }
  /** Reads the start page for the token of forms. */
  async function preparePost(who: Person) {
    const session = await world.sessionCookie(who)
    const { headers, text } = await world.with({ cookie: session }).get('/', { unchecked })
    const device = headers['set-cookie']!.split(';')[0]!
    const token = /name="csrf_token" value="([^"]+)"/.exec(text)![1]!
    const caller = world.with({ cookie: `${session}; ${device}`, 'content-type': 'application/x-www-form-urlencoded' })
    return async (path: string, fields: Record<string, string> = {}) => {
      const body = new URLSearchParams({ csrf_token: token, ...fields }).toString()
      const answer = await caller.request('POST', path, { body, unchecked })
      const flash = /flash=([^;.]+)\./i.exec(answer.headers['set-cookie'] ?? '')?.[1]
      return { ...answer, flash: flash && JSON.parse(Buffer.from(flash, 'base64url').toString()) }
    }
  }
  const post = async (who: Person, path: string, fields?: Record<string, string>) => (await preparePost(who))(path, fields)
  const stateOf = async (who: Person, shift: number) =>
    (
      await world.db.read
        .selectFrom('participation')
        .selectAll()
        .where('user_id', '=', who.id)
        .where('shift_id', '=', shift)
        .executeTakeFirst()
    )?.state

  test('one click on a full shift is refused without waiting for anything that others have locked', async () => {
    const { shift, signup } = await addShift({ ...INSTANT, configuration: { maximum_number_of_participants: 1 } })
    await post(BEN, signup, { quick: '1' })
    const { status, text } = await world.db.write.transaction().execute(async (tx) => {
      await tx.selectFrom('user_profile').select('id').where('id', '=', ANN.id).forNoKeyUpdate().execute()
      return post(ANN, signup, { quick: '1' })
    })
    assert.deepEqual([status, await stateOf(ANN, shift)], [409, undefined])
    assert.match(plain(text), /All places that you qualify for are taken/)
  })

  test('one click on a full shift reads the participants once, also to show the form', async () => {
    const { signup } = await addShift({ ...INSTANT, configuration: { maximum_number_of_participants: 1 } })
    await post(BEN, signup, { quick: '1' })
    const postAsAnn = await preparePost(ANN)
    const query = mock.method(pg.Client.prototype, 'query')
    const { status } = await postAsAnn(signup, { quick: '1' })
    const texts = query.mock.calls.map(({ arguments: [first] }) => String((first as { text?: string }).text ?? first))
    query.mock.restore()
    assert.deepEqual([status, texts.filter((text) => text.includes('place_basis')).length], [409, 1])
  })

  // Wrong on purpose: statistics say which way comes first, never what is allowed.
  for (const [free, places, expected] of [
    [0, 2, 303],
    [5, 1, 409],
  ] as const)
    test(`one click on a shift with ${places - 1} free places is answered by ${expected}, though its statistics say ${free}`, async () => {
      const { shift, signup } = await addShift({ ...INSTANT, configuration: { maximum_number_of_participants: places } })
      await post(BEN, signup, { quick: '1' })
      await world.db.write.updateTable('shift').set({ free }).where('id', '=', shift).execute()
      const { status } = await post(ANN, signup, { quick: '1' })
      assert.deepEqual([status, await stateOf(ANN, shift)], [expected, expected === 303 ? 1 : undefined])
    })

  test('one click and a decline that was confirmed take 13 statements each at most', async () => {
    const { signup, decline } = await addShift({ ...INSTANT, configuration: { maximum_number_of_participants: 5 } })
    await post(BEN, signup, { quick: '1' })
    const postAsAnn = await preparePost(ANN)
    const steps = [() => postAsAnn(signup, { quick: '1' }), () => postAsAnn(decline, { sure: '1' })]
    // What a process keeps is loaded by the first requests.
    for (const step of steps) await step()
    for (const step of steps) {
      const query = mock.method(pg.Client.prototype, 'query')
      const { status } = await step()
      const texts = query.mock.calls.map(({ arguments: [first] }) => String((first as { text?: string }).text ?? first).trim())
      query.mock.restore()
      const counted = texts.filter((text) => !text.includes('rate_count'))
      const list = counted.map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 120)).join('\n')
      assert.equal(status, 303)
      assert.ok(counted.length > 5 && counted.length <= 13, `${counted.length} statements\n${list}`)
    }
  })

  test('one click signs up, shows a message and can be undone', async () => {
    const { page, shift, signup, undo } = await addShift(INSTANT)
    const before = await read(ANN, page)
    assert.match(
      plain(before),
      / Sign up .*Sign up with times….*Decline You can sign up and are confirmed at once\. Sign-up closes in 3 days\./,
    )
    assert.ok(before.includes('aria-label="Sign up: Sun 4 May 08:00–12:00"'))
    const signed = await post(ANN, signup, { quick: '1' })
    assert.deepEqual([signed.status, signed.headers.location, await stateOf(ANN, shift)], [303, page, 1])
    const { entry } = signed.flash.undo.fields
    assert.deepEqual(signed.flash, {
      kind: 'good',
      text: 'You are confirmed for Run.',
      short: 'You’re in',
      undo: { action: undo, fields: { entry, from: 'event' }, seconds: 60 },
    })
    assert.match(plain(await read(ANN, page)), /You’re in Can’t come More about .* Change times/)
    const undone = await post(ANN, undo, signed.flash.undo.fields)
    assert.deepEqual([undone.status, undone.headers.location, await stateOf(ANN, shift)], [303, page, undefined])
    assert.match(undone.flash.text, /^Undone\. Your answer for Run is as it was before/)
    assert.match(plain(await read(ANN, page)), / Sign up .*Sign up with times….*Decline/)
    const lost = await post(ANN, undo, { entry: '1000000' })
    assert.equal(lost.status, 404)
    await post(ANN, signup, { quick: '1' })
    const again = await post(ANN, signup, { quick: '1' })
    assert.deepEqual([again.status, again.flash.text], [303, 'You are already signed up.'])
  })

  test('signing up on the home page returns there, and the shift is no longer offered', async () => {
    const { shift, signup } = await addShift({ stats: { missing: 1, min: 1, free: 3, max: 3 } })
    const home = await read(ANN, '/')
    assert.match(plain(home), /You could help here .*Run Sun 4 May .*3 places left Sign up/)
    assert.ok(home.includes(`action="${signup}"`))
    const signed = await post(ANN, signup, { quick: '1', from: 'home' })
    assert.deepEqual([signed.headers.location, await stateOf(ANN, shift)], ['/', 0])
    assert.ok(!(await read(ANN, '/')).includes(`action="${signup}"`))
    const undone = await post(ANN, signed.flash.undo.action, signed.flash.undo.fields)
    assert.deepEqual([undone.headers.location, await stateOf(ANN, shift)], ['/', undefined])
  })

  for (const [flow, again] of [
    ['request_confirm', true],
    ['instant_confirmation', false],
  ] as const) {
    test(`giving up a confirmed place asks first, with an optional reason for planners, and can be undone: ${flow}`, async () => {
      const { page, shift, decline } = await addShift({ flow, flowConfiguration: { user_can_decline_confirmed: true } })
      await world.addParticipation({ who: ANN, shift, state: 1 })
      assert.ok((await read(ANN, page)).includes(`href="${decline}?from=event"`))
      const asked = plain(await read(ANN, decline))
      assert.match(
        asked,
        /Give up your place\? .*place becomes free for others.*planners .*are notified.* Reason .*Keep my place/,
      )
      assert.equal(/then decide again/.test(asked), again)
      // The button on a page that was opened before the confirmation.
      const unsure = await post(ANN, decline, { from: 'home' })
      assert.deepEqual([unsure.headers.location, await stateOf(ANN, shift)], [`${decline}?from=home`, 1])
      const long = await post(ANN, decline, { sure: '1', comment: 'x'.repeat(256) })
      assert.deepEqual([long.status, await stateOf(ANN, shift)], [422, 1])
      assert.match(long.text, /x{256}<\/textarea>/)
      const { flash } = await post(ANN, decline, { sure: '1', comment: 'I am ill' })
      assert.deepEqual([flash.text, await stateOf(ANN, shift)], ['You declined: Run.', 2])
      const comments = () => world.db.read.selectFrom('participation_comment').select(['text', 'visible_for']).execute()
      assert.deepEqual(await comments(), [{ text: 'I am ill', visible_for: 1 }])
      await post(ANN, flash.undo.action, flash.undo.fields)
      assert.deepEqual([await stateOf(ANN, shift), await comments()], [1, []])
    })
  }

  test('the form accepts times, a wish and a comment', async () => {
    const team = (title: string) => ({ uuid: title, title, min_count: 0, max_count: 2 })
    const { page, shift, signup } = await addShift({
      structure: 'named_teams',
      configuration: { teams: [team('North'), team('South')] },
    })
    const form = await read(ANN, signup)
    assert.match(form, /type="time" value="08:00"[^>]* min="07:00" max="12:00"/)
    assert.match(
      plain(form),
      /Your times .*Team No preference North South Comment .*Also visible to other participants Sign up Back to the event/,
    )
    const details = {
      doing: 'sign-up',
      start: '09:30',
      end: '12:00',
      wish: 'South',
      comment: ' later ',
      public: 'on',
    }
    assert.equal((await post(ANN, signup, details)).headers.location, page)
    const [row] = await world.db.read
      .selectFrom('participation as p')
      .innerJoin('participation_comment as c', 'c.participation_id', 'p.id')
      .select(['p.individual_start_time', 'p.individual_end_time', 'p.structure_data', 'c.text', 'c.visible_for'])
      .where('p.shift_id', '=', shift)
      .execute()
    assert.deepEqual(row, {
      individual_start_time: new Date(day(9).replace('09:00', '09:30')),
      individual_end_time: null,
      structure_data: { preferred_team_uuid: 'South' },
      text: 'later',
      visible_for: 2,
    })
    assert.match(plain(await read(ANN, page)), /For you: 09:30–12:00/)
    const change = await read(ANN, signup)
    assert.match(plain(change), /Your details .*Save changes/)
    assert.match(change, /type="time" value="09:30"/)
    const saved = await post(ANN, signup, { doing: 'customize', start: '2031-05-04T08:00', end: '2031-05-04T12:00', wish: '' })
    assert.equal(saved.flash.text, 'Your details are saved.')
  })

  test('the form shows earlier comments that the reader may see', async () => {
    const { shift, signup } = await addShift(INSTANT)
    const comments = [
      { text: 'Only for planners', level: 0 as const, by: PAUL },
      { text: 'Bring your <boots>', level: 1 as const, by: PAUL },
      { text: 'I come by train', level: 2 as const },
    ]
    await world.addParticipation({ who: ANN, shift, comments })
    await world.addParticipation({ who: BEN, shift, comments: [{ text: 'Of Ben', level: 2 }] })
    const text = plain(await read(ANN, signup))
    assert.match(text, /Comments so far Bring your &lt;boots&gt; Paul, .* I come by train You, .*visible to other participants/)
    assert.doesNotMatch(text, /Only for planners|Of Ben/)
    assert.doesNotMatch(plain(await read(BEN, signup)), /boots|train/)
  })

  test('the form warns before a late change that needs a new decision, and the message repeats it', async () => {
    const flowConfiguration = { user_can_decline_confirmed: true, late_change_asks_again: 'P9999D' }
    const { shift, signup } = await addShift({ flowConfiguration })
    await world.addParticipation({ who: ANN, shift })
    assert.match(await read(ANN, signup), /the planners decide again/)
    const { flash } = await post(ANN, signup, { doing: 'customize', start: '2031-05-04T09:00', end: '2031-05-04T12:00' })
    assert.match(JSON.stringify(flash), /Because it is late/)
    assert.equal(await stateOf(ANN, shift), 0)
    assert.doesNotMatch(await read(ANN, signup), /decide again/)
  })

  test('event page and form warn about own times that are outside of a moved shift', async () => {
    const { page, shift, signup } = await addShift({ flowConfiguration: { user_can_decline_confirmed: true } })
    await world.addParticipation({ who: ANN, shift, state: 1, start: day(9), end: day(11) })
    const outside = /your own times no longer fit/
    for (const path of [page, signup]) assert.doesNotMatch(plain(await read(ANN, path)), outside)
    const moved = { meeting_time: new Date(day(13)), start_time: new Date(day(13)), end_time: new Date(day(17)) }
    await world.db.write.updateTable('shift').set(moved).where('id', '=', shift).execute()
    for (const path of [page, signup]) assert.match(plain(await read(ANN, path)), outside)
  })

  test('invalid input comes back with messages beside the fields', async () => {
    const { shift, signup } = await addShift()
    const { status, text } = await post(ANN, signup, {
      start: '2031-05-04T11:00',
      end: '2031-05-04T10:00',
      comment: 'x'.repeat(256),
    })
    assert.equal(status, 422)
    assert.match(plain(text), /at most 255 characters/)
    const wrong = await post(ANN, signup, { start: '2031-05-04T11:00', end: '2031-05-04T10:00', comment: 'kept' })
    assert.deepEqual([wrong.status, checkMarkup(wrong.text)], [422, []])
    assert.match(plain(wrong.text), /The end must not be before the start\./)
    assert.match(wrong.text, /type="time" value="10:00".*kept/s)
    assert.equal(await stateOf(ANN, shift), undefined)
  })

  test('asks for days and times if the shift is not on one day', async () => {
    const { signup, shift } = await addShift({ start: day(22), end: day(2, 5), meeting: day(22) })
    const form = await read(ANN, signup)
    assert.match(form, /type="datetime-local" value="2031-05-04T22:00"[^>]* min="2031-05-04T22:00" max="2031-05-05T02:00"/)
    assert.doesNotMatch(form, /type="time"/)
    const { status } = await post(ANN, signup, { start: '2031-05-04T23:00', end: '2031-05-05T02:00' })
    assert.deepEqual([status, await stateOf(ANN, shift)], [303, 0])
  })

  for (const [name, times, field, text] of [
    ['a start before the meeting', { start: '06:00', end: '12:00' }, 'start', /between/],
    ['an end after the shift', { start: '08:00', end: '13:00' }, 'end', /between/],
    ['a time that is none', { start: '25:00', end: '12:00' }, 'start', /./],
    ['an end before the start', { start: '11:00', end: '10:00' }, 'end', /must not be before/],
  ] as const)
    test(`marks the field that is wrong: ${name}`, async () => {
      const { shift, signup } = await addShift()
      const answer = await post(ANN, signup, times)
      assert.deepEqual([answer.status, checkMarkup(answer.text)], [422, []])
      assert.deepEqual(
        [...answer.text.matchAll(/<input type="time"[^>]*name="(\w+)"[^>]*aria-invalid="true"/g)].map(([, wrong]) => wrong),
        [field],
      )
      const [input] = new RegExp(`<input type="time"[^>]*id="field-${field}"[^>]*>`).exec(answer.text)!
      const described = /aria-describedby="([^"]+)"/.exec(input)![1]!.split(' ').at(-1)!
      assert.match(answer.text.split(`id="${described}"`)[1]!.split('</p>')[0]!, text)
      assert.match(answer.text, new RegExp(`class="error-summary".*href="#field-${field}"`, 's'))
      for (const value of Object.values(times).filter((one) => one !== '25:00'))
        assert.ok(answer.text.includes(`value="${value}"`))
      assert.equal(await stateOf(ANN, shift), undefined)
    })

  for (const [name, busy, times, field] of [
    ['at the beginning', [6, 9], ['09:00', '12:00'], 'start'],
    ['at the end', [11, 14], ['08:00', '11:00'], 'end'],
  ] as const)
    test(`fills in the free part if another shift overlaps ${name}, and marks the field if it is changed back`, async () => {
      const other = await addShift({ ...INSTANT, start: day(busy[0]), end: day(busy[1]), meeting: day(busy[0]) })
      await world.addParticipation({ who: ANN, shift: other.shift, state: 1 })
      const { shift, signup } = await addShift(INSTANT)
      const form = await read(ANN, signup)
      assert.match(plain(form), /Confirmed at the same time: Run, Sun 4 May .*The free part is filled in below\./)
      assert.ok(form.includes(`href="${other.page}"`))
      const shownIn = (of: string) => new RegExp(`<input type="time" value="([^"]+)"[^>]*name="${of}"`).exec(form)![1]
      assert.deepEqual([shownIn('start'), shownIn('end')], times)
      const whole = await post(ANN, signup, { start: '08:00', end: '12:00' })
      assert.equal(whole.status, 422)
      assert.match(whole.text, new RegExp(`class="error-summary".*href="#field-${field}"`, 's'))
      const part = await post(ANN, signup, { start: times[0], end: times[1] })
      assert.deepEqual([part.status, await stateOf(ANN, shift)], [303, 1])
    })

  test('returns from the form to the page of the button', async () => {
    const { signup } = await addShift(INSTANT)
    const from = 'find?q=Run&all=1'
    const form = await read(ANN, `${signup}?from=${encodeURIComponent(from)}`)
    assert.match(form, /name="from" value="find\?q=Run&amp;all=1"/)
    assert.match(form, /href="\/shifts\/\?q=Run&amp;all=1"[^>]*>Back</)
    assert.match(await read(ANN, signup), /href="\/events\/\d+-run\/"[^>]*>Back to the event</)
    const { headers } = await post(ANN, signup, { start: '08:00', end: '12:00', from })
    assert.equal(headers.location, '/shifts/?q=Run&all=1')
  })

  test('a partial overlap opens the form and names the other shift', async () => {
    const other = await addShift({ ...INSTANT, start: day(6), end: day(9), meeting: day(6) })
    await world.addParticipation({ who: ANN, shift: other.shift, state: 1 })
    const { page, shift, signup } = await addShift()
    const text = await read(ANN, page)
    assert.match(
      plain(text),
      /Sign up… .*This overlaps with Run, Sun 4 May 06:00–09:00, where you are confirmed\. Choose times that don’t overlap\./,
    )
    const clicked = await post(ANN, signup, { quick: '1' })
    assert.equal(clicked.status, 409)
    assert.match(plain(clicked.text), /This overlaps.*Your times/)
    const withoutTimes = await post(ANN, signup, { doing: 'sign-up' })
    assert.deepEqual([withoutTimes.status, await stateOf(ANN, shift)], [422, undefined])
    assert.equal((await post(ANN, signup, { start: '2031-05-04T09:00', end: '2031-05-04T12:00' })).status, 303)
    assert.equal(await stateOf(ANN, shift), 0)
  })

  test('a conflict names the other shift and links to it', async () => {
    const other = await addShift({ start: day(6), end: day(14), meeting: day(6) })
    await world.addParticipation({ who: ANN, shift: other.shift, state: 1 })
    const { page, signup } = await addShift()
    const text = await read(ANN, page)
    assert.ok(!text.includes(`action="${signup}"`))
    assert.match(
      text,
      new RegExp(
        `You are confirmed for another shift at that time: Run, Sun 4 May 06:00–14:00\\. <a href="${other.page}">View that event</a>`,
      ),
    )
    assert.match(plain(await read(ANN, signup)), /Not possible .*You are confirmed for another shift/)
  })

  test('an ineligible person sees all reasons, and a post changes nothing', async () => {
    const medic = await world.addQualification('Medic')
    const driver = await world.addQualification('Driver')
    const { page, shift, signup, decline } = await addShift({
      flowConfiguration: { signup_until: '2031-04-01T00:00:00Z' },
      configuration: { required_qualification_ids: [medic.id, driver.id], minimum_age: 90 },
    })
    const text = plain(await read(BEN, page))
    assert.match(text, /Sign-up closed on Tue 1 Apr 2031, 02:00\. Ask the planners\./)
    assert.match(
      text,
      /You must be at least 90 years old on the day of the shift\. .*For this shift you need Medic and Driver, valid until the end\./,
    )
    for (const [path, fields] of [
      [signup, { quick: '1' }],
      [signup, { doing: 'sign-up' }],
      [signup, { doing: 'customize' }],
      [decline, {}],
    ] as const) {
      const answer = await post(BEN, path, fields)
      assert.ok([409, 422].includes(answer.status), `${path} ${answer.status}`)
      assert.deepEqual(checkMarkup(answer.text), [])
    }
    assert.equal(await stateOf(BEN, shift), undefined)
  })

  test('a rejected person sees no button, and a post is refused', async () => {
    const { page, shift, signup, decline } = await addShift()
    await world.addParticipation({ who: ANN, shift, state: 3 })
    const text = await read(ANN, page)
    assert.ok(!text.includes(signup) && !text.includes(decline))
    assert.match(plain(text), /You can’t sign up for this shift again yourself\. Ask the planners\./)
    assert.equal((await post(ANN, signup, { quick: '1' })).status, 409)
    assert.equal((await post(ANN, decline)).status, 409)
    assert.equal(await stateOf(ANN, shift), 3)
  })

  test('hidden shifts, shifts of drafts and invalid ids are not found', async () => {
    const { signup, decline } = await addShift()
    const draft = await world.addEvent({ draft: true, seenBy: [HELPERS], shifts: [{}] })
    for (const [who, path] of [
      [PAUL, signup],
      [PAUL, decline],
      [ANN, `/shifts/${draft.shifts[0]}/signup/`],
      [ANN, '/shifts/999999/signup/'],
      [ANN, '/shifts/x/signup/'],
    ] as const) {
      assert.equal((await world.withSession(who).get(path, { unchecked })).status, 404)
      assert.equal((await post(who, path, { quick: '1' })).status, 404)
    }
    assert.equal((await world.nobody.get(signup, { unchecked })).status, 303)
  })

  test('manual shifts show the configured explanation', async () => {
    const { page } = await addShift({ flow: 'manual', flowConfiguration: { no_selfservice_explanation: 'Ask <Paul>.' } })
    assert.ok((await read(ANN, page)).includes('Ask &lt;Paul&gt;.'))
  })

  test('ended shifts offer no action', async () => {
    const { page, signup } = await addShift({
      start: '2031-04-01T08:00:00Z',
      end: '2031-04-01T09:00:00Z',
      meeting: '2031-04-01T08:00:00Z',
    })
    assert.ok(!(await read(ANN, page)).includes(signup))
  })

  test('is available in German', async () => {
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', BEN.id).execute()
    const { page, signup, decline } = await addShift()
    assert.match(plain(await read(BEN, page)), /Anmelden .*Absagen Du kannst anfragen\./)
    assert.match(plain(await read(BEN, signup)), /Deine Zeiten .*Kommentar/)
    assert.match(plain(await read(BEN, decline)), /Absagen\?/)
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', BEN.id).execute()
  })
})
