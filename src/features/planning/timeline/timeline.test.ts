import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { moveShift } from '#features/planning/planning/commands/shifts.ts'
import { timesVersion } from '#features/planning/planning/commands/store-shifts.ts'
import { getPlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { createSeries } from '#features/planning/series/commands/link.ts'
import { contextAs } from '#test/support/command-context.ts'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { type Form, fieldsIn } from '#test/support/form-fields.ts'
import type { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const plain = (body: string) => body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const bar = (start: string, end: string, more: ShiftOptions = {}): ShiftOptions => ({
  label: 'Bar',
  start: `2031-05-04T${start}:00+02:00`,
  end: `2031-05-04T${end}:00+02:00`,
  configuration: { minimum_number_of_participants: 2, maximum_number_of_participants: 3 },
  stats: { missing: 2, free: 3, min: 2, max: 3 },
  ...more,
})

const MAY_6 = { start: '2031-05-06T10:00:00+02:00', end: '2031-05-06T14:00:00+02:00' }

describe('the timeline of an event', async () => {
  const world = await openWorld()
  const { write } = world.db
  const outbox = new NotificationOutbox(world)
  const paul = await browserOf(world, PAUL)
  const olga = await browserOf(world, OLGA)

  const addFestival = (shifts: ShiftOptions[] = [bar('10:00', '14:00'), bar('14:00', '18:00')]) =>
    world.addEvent({ title: 'Festival', seenBy: [HELPERS], responsible: [PAUL], shifts })
  const open = async (browser: Browser, path: string) => {
    const { statusCode, body } = await browser.get(path)
    assert.equal(statusCode, 200, path)
    assert.deepEqual(checkMarkup(body), [])
    return body
  }
  const formOf = async (browser: Browser, shift: number): Promise<Form> =>
    fieldsIn(await open(browser, `/shifts/${shift}/times/`), `times-${shift}`)
  const save = async (browser: Browser, shift: number, changes: Form) => {
    const form = await formOf(browser, shift)
    return browser.post(`/shifts/${shift}/times/`, { form: { ...form, ...changes } })
  }
  const stored = async (shift: number) => {
    const row = await write.selectFrom('shift').selectAll().where('id', '=', shift).executeTakeFirstOrThrow()
    return [row.meeting_time, row.start_time, row.end_time].map((at) => at.toISOString().slice(11, 16)).join(' ')
  }
  const flashIn = (body: string) => plain(/data-flash[\s\S]*?<p>([^<]*)</.exec(body)?.[1] ?? '')
  /** The button of the message, as a browser sends it. */
  const undo = async (browser: Browser, page: string) => {
    const body = (await browser.get(page)).body
    const [, id] = /<form[^>]* id="(undo-[^"]*)"/.exec(body)!
    const action = /action="([^"]*)"[^>]* id="undo-/.exec(body)![1]!
    return { said: flashIn(body), answer: await browser.post(action, { form: fieldsIn(body, id) }) }
  }

  test('has a row for each label, blocks as long as the shifts, and what is missing by hour', async () => {
    const { id, shifts } = await addFestival([
      bar('10:00', '14:00'),
      bar('14:00', '18:00', { stats: { missing: 0, free: 1, min: 2, max: 3 } }),
      { ...bar('12:00', '13:00'), label: 'Door' },
    ])
    const body = await open(paul, `/events/${id}/grid/`)
    const rows = [...body.matchAll(/<tr class="grid-row">[\s\S]*?<\/tr>/g)].map(([row]) => row)
    assert.deepEqual(
      rows.map((row) => /<th scope="row"[^>]*>([^<]*)/.exec(row)![1]),
      ['Bar', 'Door'],
    )
    // From 8 to 20: two hours of room, in steps of 15 minutes.
    assert.deepEqual(
      [...rows[0]!.matchAll(/<td colspan="(\d+)"/g)].map(([, steps]) => steps),
      ['8', '16', '16', '8'],
    )
    assert.match(plain(rows[0]!), /10:00–14:00 Bar 0 of 3 · 2 missing .*14:00–18:00 Bar .* · /)
    const missing = /<tr class="grid-missing">[\s\S]*?<\/tr>/.exec(body)![0]
    assert.deepEqual(
      [...missing.matchAll(/aria-hidden="true">([^<]*)</g)].map(([, text]) => text),
      ['–', '–', '2', '2', '4', '2', '–', '–', '–', '–', '–', '–'],
    )
    assert.match(missing, /<span class="sr-only">4 missing<\/span>/)
    assert.equal(body.match(/data-edge="start"/g)!.length, 3)
    assert.ok(body.includes(`href="/shifts/${shifts[0]}/times/"`))
  })

  test('counts a shift over midnight once: on the day on which it begins', async () => {
    const night = bar('22:00', '22:00', { label: 'Night', end: '2031-05-05T02:00:00+02:00' })
    const { id } = await addFestival([bar('10:00', '14:00'), night, bar('10:00', '14:00', MAY_6)])
    const tabs = (body: string) => plain(/<nav class="tabs.*?<\/nav>/s.exec(body)![0])
    const facts = (body: string) => plain(/<header class="page-head.*?<\/header>/s.exec(body)![0])
    const first = await open(paul, `/events/${id}/grid/?day=2031-05-04`)
    assert.match(tabs(first), /Sun 4 May · 4 missing Mon 5 May Tue 6 May · 2 missing All days/)
    assert.match(facts(first), /2 shifts · 4 missing/)
    const second = await open(paul, `/events/${id}/grid/?day=2031-05-05`)
    assert.match(second, /22:00 → Mon 02:00/)
    assert.doesNotMatch(facts(second), /shift|missing/)
    assert.doesNotMatch(second, /class="grid-lack"/)
    assert.match(facts(await open(paul, `/events/${id}/grid/?day=all`)), /3 shifts · 6 missing/)
  })

  test('says nothing is missing in shifts that are over, and in a cancelled event', async () => {
    const { id, shifts } = await addFestival([bar('10:00', '14:00'), { ...bar('16:00', '18:00'), label: 'Door' }])
    const missing = async () => {
      const row = /<tr class="grid-missing">[\s\S]*?<\/tr>/.exec(await open(paul, `/events/${id}/grid/`))?.[0] ?? ''
      return [...row.matchAll(/aria-hidden="true">([^<]*)</g)].map(([, text]) => text).filter((text) => text !== '–')
    }
    const before = world.now
    world.now = new Date('2031-05-04T14:00:00+02:00')
    assert.deepEqual(await missing(), ['2', '2', '2', '2', '2', '2'], 'it ends at this moment')
    world.now = new Date('2031-05-04T14:00:01+02:00')
    assert.deepEqual(await missing(), ['2', '2'])
    world.now = before
    await write.updateTable('event').set({ cancelled_at: world.now, cancellation_reason: 'Rain' }).where('id', '=', id).execute()
    assert.deepEqual(await missing(), [])
    assert.equal(shifts.length, 2)
  })

  test('is read-only for those who see the event, with their own shifts; hidden from others', async () => {
    const { id, shifts } = await addFestival()
    await world.addParticipation({ who: BEN, shift: shifts[1]!, state: 1 })
    const ben = await browserOf(world, BEN)
    const body = await open(ben, `/events/${id}/grid/`)
    assert.doesNotMatch(body, /data-edge|\/times\/|data-editable|data-grid-panel/)
    const blocks = [...body.matchAll(/<a class="grid-block[^>]*>[\s\S]*?<\/a>/g)].map(([block]) => block)
    assert.deepEqual(
      blocks.map((block) => /You: confirmed/.test(plain(block))),
      [false, true],
    )
    // Places that are left, and not who is missing.
    assert.match(plain(blocks[0]!), /3 places left/)
    assert.doesNotMatch(plain(/<main[\s\S]*<\/main>/.exec(body)![0]), /missing| of \d/)
    assert.match(plain(await open(paul, `/events/${id}/grid/`)), /missing/)
    assert.ok(blocks[1]!.includes(`href="/events/${id}-festival/#shift-${shifts[1]}"`))
    const vera = await browserOf(world, VERA)
    assert.equal((await vera.get(`/events/${id}/grid/`)).statusCode, 404)
    assert.equal((await vera.get(`/shifts/${shifts[0]}/times/`)).statusCode, 404)
    assert.equal((await ben.get(`/shifts/${shifts[0]}/times/`)).statusCode, 403)
    assert.equal((await ben.post(`/shifts/${shifts[0]}/times/`, { form: {} })).statusCode, 403)
  })

  test('is linked from the event with several shifts and from its board', async () => {
    const { id } = await addFestival()
    const single = await addFestival([bar('10:00', '14:00')])
    const isLinked = async (event: number, path: string) => (await paul.get(path)).body.includes(`href="/events/${event}/grid/"`)
    assert.deepEqual(
      [
        await isLinked(id, `/events/${id}-festival/`),
        await isLinked(id, `/events/${id}/board/`),
        await isLinked(single.id, `/events/${single.id}-festival/`),
      ],
      [true, true, false],
    )
  })

  test('shows one day or all, an hour that exists twice with its zone, and an event without shifts', async () => {
    const { id } = await addFestival([
      { label: 'Night', start: '2031-10-25T22:00:00+02:00', end: '2031-10-26T05:00:00+01:00' },
      { label: 'Morning', start: '2031-10-26T08:00:00+01:00', end: '2031-10-26T12:00:00+01:00' },
    ])
    const night = plain(await open(paul, `/events/${id}/grid/?day=2031-10-26`))
    assert.match(night, /01:00 02:00 CEST 02:00 CET 03:00/)
    assert.match(night, /22:00 → Sun 05:00 Night/)
    const all = await open(paul, `/events/${id}/grid/?day=all&zoom=wide`)
    assert.match(plain(all), /Sat 25 Oct Sun 26 Oct/)
    assert.equal(all.match(/class="grid-block/g)!.length, 2)
    const empty = await world.addEvent({ title: 'Empty', responsible: [PAUL], shifts: [] })
    assert.match(plain(await open(paul, `/events/${empty.id}/grid/`)), /no shifts yet/)
  })

  test('new times are saved by a form, with who is affected before, and can be undone', async () => {
    const { id, shifts } = await addFestival([
      bar('10:00', '14:00', { meeting: '2031-05-04T09:30:00+02:00' }),
      { ...bar('15:00', '18:00'), label: 'Door' },
    ])
    const [first, second] = shifts as [number, number]
    for (const [who, shift, state] of [
      [ANN, first, 1],
      [ANN, second, 1],
      [BEN, first, 0],
    ] as const)
      await world.addParticipation({ who, shift, state })
    await outbox.clear()
    const wish = { start: Date.parse('2031-05-04T12:00+02:00'), end: Date.parse('2031-05-04T16:00+02:00') }
    const preview = await open(paul, `/shifts/${first}/times/?start=${wish.start}&end=${wish.end}&day=2031-05-04`)
    const said = plain(preview)
    assert.match(said, /Sun 4 May 10:00–14:00 → Sun 4 May 12:00–16:00/)
    assert.match(said, /1 confirmed, 1 requested\. 2 people are notified of new times\. People then meet at 11:30\./)
    assert.match(said, /A confirmed person has another shift at that time: Ann: Festival, Door, Sun 4 May 15:00–18:00/)
    assert.equal(await stored(first), '07:30 08:00 12:00')
    const form = fieldsIn(preview, `times-${first}`)
    assert.deepEqual([form.start, form.end], ['2031-05-04T12:00', '2031-05-04T16:00'])
    const answer = await paul.post(`/shifts/${first}/times/?day=2031-05-04`, { form })
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, `/events/${id}/grid/?day=2031-05-04`])
    assert.equal(await stored(first), '09:30 10:00 14:00')
    await outbox.readJournal()
    const notified = async () => (await outbox.rows()).map(({ kind, user_id }) => `${kind} ${user_id}`)
    assert.deepEqual(await notified(), [`shift_moved ${ANN.id}`, `shift_moved ${BEN.id}`])
    const back = await undo(paul, `/events/${id}/grid/?day=2031-05-04`)
    assert.equal(back.said, 'Bar: now Sun 4 May 12:00–16:00. 2 people who are confirmed or requested a place are notified.')
    assert.equal(back.answer.statusCode, 303, back.answer.body)
    assert.equal(await stored(first), '07:30 08:00 12:00')
    await outbox.readJournal()
    // They have not been told that it moved, so they need not be told that it moved back.
    assert.deepEqual(await notified(), [])
    assert.match(flashIn((await paul.get(`/events/${id}/grid/?day=2031-05-04`)).body), /^Bar: again Sun 4 May 10:00–14:00\./)
    assert.equal((await save(paul, first, {})).statusCode, 303)
    assert.equal(flashIn((await paul.get(`/events/${id}/grid/`)).body), 'Nothing changed.')
  })

  test('times that are wrong are refused at their fields, and nothing typed is lost', async () => {
    const { shifts } = await addFestival()
    const [shift] = shifts as [number]
    for (const [changes, wanted] of [
      [{ end: '2031-05-04T09:00' }, /End: /],
      [{ start: '' }, /Start: /],
      [{ start: '2031-03-30T02:30' }, /Start: /],
    ] as const) {
      const answer = await save(paul, shift, changes)
      assert.equal(answer.statusCode, 422)
      assert.deepEqual(checkMarkup(answer.body), [])
      assert.match(plain(/error-summary[\s\S]*?<\/ul>/.exec(answer.body)![0]), wanted)
      const kept = fieldsIn(answer.body, `times-${shift}`)
      for (const [name, value] of Object.entries(changes)) assert.equal(kept[name], value)
    }
    const ambiguous = await save(paul, shift, { start: '2031-10-26T02:30', end: '2031-10-26T06:00' })
    assert.equal(ambiguous.statusCode, 422)
    const asked = fieldsIn(ambiguous.body, `times-${shift}`)
    const done = await paul.post(`/shifts/${shift}/times/`, { form: { ...asked, start_which: 'later' } })
    assert.equal(done.statusCode, 303, done.body)
    assert.equal(await stored(shift), '01:30 01:30 05:00')
  })

  test('a move of somebody else is not overwritten; other changes are kept', async () => {
    const { id, shifts } = await addFestival()
    const [shift] = shifts as [number]
    const mine = await formOf(paul, shift)
    assert.equal((await save(olga, shift, { start: '2031-05-04T11:00' })).statusCode, 303)
    await write.updateTable('shift').set({ label: 'Big bar' }).where('id', '=', shift).execute()
    const late = { ...mine, end: '2031-05-04T15:00' }
    const refused = await paul.post(`/shifts/${shift}/times/`, { form: late })
    assert.equal(refused.statusCode, 409)
    assert.match(plain(refused.body), /Not saved\. Olga has moved Big bar meanwhile: Sun 4 May 11:00–14:00\./)
    assert.equal(fieldsIn(refused.body, `times-${shift}`).end, '2031-05-04T15:00')
    const inTimeline = await paul.post(`/shifts/${shift}/times/`, { form: { ...late, in: 'grid' } })
    assert.deepEqual([inTimeline.statusCode, inTimeline.headers.location], [303, `/events/${id}/grid/`])
    assert.match(flashIn((await paul.get(`/events/${id}/grid/`)).body), /^Not saved\. Olga has moved/)
    assert.equal(await stored(shift), '09:00 09:00 12:00')
    const again = fieldsIn(refused.body, `times-${shift}`)
    assert.equal((await paul.post(`/shifts/${shift}/times/`, { form: again })).statusCode, 303)
    const { label } = await write.selectFrom('shift').select('label').where('id', '=', shift).executeTakeFirstOrThrow()
    assert.deepEqual([await stored(shift), label], ['08:00 08:00 13:00', 'Big bar'])
  })

  test('without the version, the later move overwrites the earlier one', async () => {
    const { shifts } = await addFestival()
    const [shift] = shifts as [number]
    const move = (who: Person, start: string, version: Parameters<typeof moveShift>[1]['version']) =>
      moveShift(contextAs(world, who), {
        shiftId: shift,
        to: { start: new Date(`2031-05-04T${start}+02:00`), end: new Date('2031-05-04T18:00+02:00') },
        version,
      })
    const seen = timesVersion((await getPlannedShift(write, contextAs(world, PAUL).actor, shift))!.times)
    assert.ok((await move(OLGA, '11:00', seen)).ok)
    const outcome = await move(PAUL, '12:00', seen)
    assert.ok(!outcome.ok && outcome.reason === 'stale')
    assert.ok((await move(PAUL, '12:00', {})).ok)
    assert.equal(await stored(shift), '10:00 10:00 16:00')
  })

  test('undo after a further move is refused', async () => {
    const { id, shifts } = await addFestival()
    const [shift] = shifts as [number]
    await save(paul, shift, { start: '2031-05-04T11:00' })
    await save(olga, shift, { start: '2031-05-04T12:00' })
    const { answer } = await undo(paul, `/events/${id}/grid/`)
    assert.equal(answer.statusCode, 303)
    assert.match(flashIn((await paul.get(`/events/${id}/grid/`)).body), /^Not saved\. Olga has moved/)
    assert.equal(await stored(shift), '10:00 10:00 12:00')
  })

  test('an event of a series asks about the other events', async () => {
    const { id, shifts } = await addFestival()
    const dates = ['2031-05-11', '2031-05-18']
    await world.grants(PAUL, 'add_event')
    await createSeries(contextAs(world, OLGA), {
      eventId: id,
      chosen: { dates, faults: [], rule: undefined, singles: dates, skipped: [] },
    })
    const shift = shifts[0]!
    assert.match(plain(await open(olga, `/shifts/${shift}/times/`)), /belongs to a series/)
    const answer = await save(olga, shift, { start: '2031-05-04T11:00' })
    assert.match(String(answer.headers.location), new RegExp(`^/events/${id}/series/apply/`))
  })
})
