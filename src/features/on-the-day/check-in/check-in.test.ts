import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { findHours } from '#features/on-the-day/hours/queries.ts'
import { sumHours } from '#features/on-the-day/hours/rules.ts'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { applyRealTimes, undoRealTimes } from './commands/apply.ts'
import { MARK_GUARD, type MarkGuard, markPeople, type NewMark, resolveConflict } from './commands/marks.ts'
import { markSelf, undoSelf } from './commands/self.ts'
import { renewCheckInCode, saveCheckInSettings } from './commands/settings.ts'
import { findConflicts, getStoredSettings } from './queries/roster.ts'
import { makeCode } from './rules/codes.ts'
import { checkInPath, selfPath } from './rules/paths.ts'

describe('check-in', async () => {
  const world = await openWorld()
  const db = openTestDatabase({ url: world.databaseUrl, writes: 4 })
  world.others.push({ stop: () => db.close() })
  const { write } = db
  const start = new Date(world.now.getTime() + 30 * 60_000)
  const hours = (count: number, from = start) => new Date(from.getTime() + count * 3600_000)

  async function addShift(people: Person[] = [ANN, BEN]) {
    const { id, shifts } = await world.addEvent({
      title: 'Harbour run',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ label: 'First aid', start: start.toISOString(), end: hours(4).toISOString() }],
    })
    const places: number[] = []
    for (const who of people) places.push(await world.addParticipation({ who, shift: shifts[0]!, state: 1 }))
    return { event: id, shift: shifts[0]!, places }
  }
  let made: Awaited<ReturnType<typeof addShift>>
  beforeEach(async () => {
    made = await addShift()
  })

  const at = (now: Date, person: Person = PAUL) => ({ ...contextAs(world, person, db), now })
  const mark = (kind: 'arrived' | 'left' | 'no_show', more: Partial<NewMark> & { at?: Date } = {}): NewMark => ({
    id: randomUUID(),
    participationId: made.places[0]!,
    base: null,
    madeAt: more.at ?? start,
    mark: kind === 'no_show' ? { kind } : { kind, at: more.at ?? start },
    ...(({ at: _at, ...rest }) => rest)(more),
  })
  const send = (marks: NewMark[], person: Person = PAUL, guard: MarkGuard = MARK_GUARD) =>
    markPeople(at(start, person), made.event, marks, { source: 'planner', guard }).then((results) =>
      results.map((result) => (result.outcome === 'refused' ? result.reason : result.outcome)),
    )
  const stored = async (place = made.places[0]!) =>
    (
      await sql<{ arrived_at: Date | null; left_at: Date | null; no_show: boolean; mark_id: string | null }>`
        select arrived_at, left_at, no_show, mark_id from attendance where participation_id = ${place}`.execute(write)
    ).rows[0]
  const countMarks = async () =>
    (
      await sql<{
        count: number
      }>`select count(*)::int as count from attendance_mark m join participation p on p.id = m.participation_id
      where p.event_id = ${made.event}`.execute(write)
    ).rows[0]!.count

  test('marks arrival and departure, with one entry in the log each', async () => {
    const first = mark('arrived')
    assert.deepEqual(await send([first, mark('left', { base: first.id, at: hours(4) })]), ['applied', 'applied'])
    assert.deepEqual([(await stored())?.arrived_at, (await stored())?.left_at], [start, hours(4)])
    const { rows } = await sql<{
      kind: string
    }>`select kind from journal where event_id = ${made.event} and kind like '%attendance%'`.execute(write)
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['participation.attendance_marked', 'participation.attendance_marked'],
    )
  })

  test('counts a mark that is sent twice once', async () => {
    const first = mark('arrived')
    assert.deepEqual(await send([first]), ['applied'])
    assert.deepEqual(await send([mark('left', { base: first.id, at: hours(4) })]), ['applied'])
    // Sent again after the response was lost: it must not undo what came later.
    assert.deepEqual(await send([first]), ['applied'])
    assert.deepEqual((await stored())?.left_at, hours(4))
    assert.equal(await countMarks(), 2)
  })

  test('counts a mark that is sent twice at the same time once', async () => {
    const first = mark('arrived')
    assert.deepEqual((await Promise.all([send([first]), send([first])])).flat(), ['applied', 'applied'])
    assert.equal(await countMarks(), 1)
  })

  test('keeps both marks of two devices, and lets a planner choose', async () => {
    assert.deepEqual(await send([mark('arrived')]), ['applied'])
    assert.deepEqual(await send([mark('no_show')], OLGA), ['conflict'])
    assert.equal((await stored())?.no_show, false)
    const [conflict] = await findConflicts(write, made.places)
    assert.deepEqual([conflict?.noShow, conflict?.by], [true, 'Olga'])
    assert.ok(await resolveConflict(at(start), made.event, { markId: conflict!.id, takes: true }))
    assert.equal((await stored())?.no_show, true)
    assert.deepEqual(await findConflicts(write, made.places), [])
    assert.ok(!(await resolveConflict(at(start), made.event, { markId: conflict!.id, takes: false })))
  })

  test('keeps what is stored if the planner chooses that', async () => {
    await send([mark('arrived'), mark('no_show')])
    const [conflict] = await findConflicts(write, made.places)
    assert.ok(await resolveConflict(at(start), made.event, { markId: conflict!.id, takes: false }))
    assert.deepEqual((await stored())?.arrived_at, start)
    assert.equal(await countMarks(), 2)
  })

  /** Two planners who mark the same person differently; each waits until the other has read, unless the lock is on. */
  async function race(guard: Pick<MarkGuard, 'lock'>, waits: boolean) {
    const { promise, resolve } = Promise.withResolvers<void>()
    let here = 0
    const checked = async () => {
      if (++here === 2) resolve()
      if (waits) await promise
    }
    const outcomes = await Promise.all([
      send([mark('arrived')], PAUL, { ...guard, checked }),
      send([mark('no_show')], OLGA, { ...guard, checked }),
    ])
    return outcomes.flat().sort()
  }

  test('two planners at once: one mark is stored, the other one is a conflict', async () => {
    // The row exists, so that the insert before the lock does not make them take turns.
    await sql`insert into attendance (participation_id) values (${made.places[0]})`.execute(write)
    assert.deepEqual(await race(MARK_GUARD, false), ['applied', 'conflict'])
  })

  test('two planners at once, without the lock: one mark is lost', async () => {
    await sql`insert into attendance (participation_id) values (${made.places[0]})`.execute(write)
    assert.deepEqual(await race({ lock: async () => {} }, true), ['applied', 'applied'])
  })

  test('the lock is on the row of this person, and on no other', async () => {
    for (const place of made.places) await sql`insert into attendance (participation_id) values (${place})`.execute(write)
    const findFree = async () =>
      (
        await sql<{ id: number }>`
          select participation_id as id from attendance where participation_id = any(${made.places}) order by 1
          for update skip locked`.execute(world.db.write)
      ).rows.map(({ id }) => id)
    await transact(write, async (tx) => {
      await MARK_GUARD.lock(tx, made.places[0]!)
      assert.deepEqual(await findFree(), [made.places[1]])
    })
    assert.deepEqual(await findFree(), made.places)
  })

  test('refuses people of other events, people who are no longer confirmed, and times in the wrong order', async () => {
    const other = await addShift()
    const [place] = other.places
    assert.deepEqual(await send([mark('arrived', { participationId: place! })]), ['unknown'])
    const first = mark('arrived')
    await send([first])
    assert.deepEqual(await send([mark('left', { base: first.id, at: hours(-1) })]), ['order'])
    await write.updateTable('participation').set({ state: 3 }).where('id', '=', made.places[1]!).execute()
    assert.deepEqual(await send([mark('arrived', { participationId: made.places[1]! })]), ['not_confirmed'])
  })

  test('is for planners of the event', async () => {
    const status = (promise: Promise<unknown>) =>
      promise.then(
        () => 200,
        ({ status }: { status: number }) => status,
      )
    assert.equal(await status(send([mark('arrived')], ANN)), 403)
    assert.equal(await status(send([mark('arrived')], VERA)), 404)
    assert.equal(await stored(), undefined)
  })

  describe('by the person', () => {
    let token: string
    beforeEach(async () => {
      await saveCheckInSettings(at(start), made.event, { is_active: true, minutes_before: 60, is_changing: false })
      token = world.app.site.keyring.unseal((await getStoredSettings(write, made.event))!.tokenSealed)
    })
    const self = (kind: 'arrived' | 'left', { now = start, who = ANN, place = made.places[0]!, code = '' } = {}) =>
      markSelf(at(now, who), token, { id: randomUUID(), participationId: place, kind, code })

    test('arrives and leaves within the window', async () => {
      assert.deepEqual(await self('arrived'), { ok: true, outcome: 'applied' })
      assert.deepEqual(await self('left', { now: hours(4) }), { ok: true, outcome: 'applied' })
      assert.deepEqual([(await stored())?.arrived_at, (await stored())?.left_at], [start, hours(4)])
    })

    test('is too early or too late outside of it', async () => {
      assert.deepEqual(await self('arrived', { now: new Date(hours(-1).getTime() - 1) }), {
        ok: false,
        reason: 'too_early',
        from: hours(-1),
      })
      assert.deepEqual(await self('arrived', { now: new Date(hours(4).getTime() + 1) }), { ok: false, reason: 'too_late' })
      assert.deepEqual(await self('arrived', { now: hours(-1) }), { ok: true, outcome: 'applied' })
    })

    test('leaves until an hour after the end', async () => {
      await self('arrived')
      assert.deepEqual(await self('left', { now: new Date(hours(5).getTime() + 1) }), { ok: false, reason: 'too_late' })
      assert.deepEqual(await self('left', { now: hours(5) }), { ok: true, outcome: 'applied' })
    })

    test('cannot check in somebody else', async () => {
      assert.deepEqual(await self('arrived', { who: ANN, place: made.places[1]! }), { ok: false, reason: 'no_shift' })
      assert.equal(await stored(made.places[1]!), undefined)
    })

    test('needs the code of now', async () => {
      await renewCheckInCode(at(start), made.event)
      assert.deepEqual(await self('arrived'), { ok: false, reason: 'unknown' })
    })

    test('needs self check-in to be on', async () => {
      await saveCheckInSettings(at(start), made.event, { is_active: false, minutes_before: 60, is_changing: false })
      assert.deepEqual(await self('arrived'), { ok: false, reason: 'off' })
    })

    test('needs what the screen shows, if the code changes', async () => {
      await saveCheckInSettings(at(start), made.event, { is_active: true, minutes_before: 60, is_changing: true })
      const code = makeCode(world.app.site.keyring, token, start)
      assert.deepEqual(await self('arrived'), { ok: false, reason: 'old_code' })
      assert.deepEqual(await self('arrived', { code, now: hours(0.2) }), { ok: false, reason: 'old_code' })
      assert.deepEqual(await self('arrived', { code }), { ok: true, outcome: 'applied' })
    })

    test('does not replace what a planner marked', async () => {
      await send([mark('no_show')])
      assert.deepEqual(await self('arrived'), { ok: true, outcome: 'conflict' })
      assert.equal((await stored())?.no_show, true)
    })

    test('can be taken back until somebody marks something else', async () => {
      await self('arrived')
      const undo = async () =>
        undoSelf(at(start, ANN), token, { id: randomUUID(), participationId: made.places[0]!, markId, code: '' })
      const markId = (await stored())!.mark_id!
      const settings = { is_active: true, minutes_before: 60, is_changing: false }
      await saveCheckInSettings(at(start), made.event, { ...settings, is_active: false })
      assert.deepEqual(await undo(), { ok: false, reason: 'off' })
      await saveCheckInSettings(at(start), made.event, settings)
      assert.deepEqual(await undo(), { ok: true, outcome: 'applied' })
      assert.equal((await stored())?.arrived_at, null)
      assert.deepEqual(await undo(), { ok: false, reason: 'not_undoable' })
    })

    test('sees a page with one button, and a clear sentence otherwise', async () => {
      const ann = await browserOf(world, ANN)
      const page = await ann.get(selfPath(token))
      assert.match(page.body, /Harbour run/)
      assert.match(page.body, /I am here/)
      assert.deepEqual(checkMarkup(page.body), [])
      assert.equal((await ann.get(selfPath('unknown'))).statusCode, 404)
      const olga = await browserOf(world, OLGA)
      assert.match((await olga.get(selfPath(token))).body, /no confirmed shift/)
      const stranger = await world.with({}).get(selfPath(token), { unchecked: true })
      assert.deepEqual(
        [stranger.status, stranger.headers.location],
        [303, `/accounts/login/?next=${encodeURIComponent(selfPath(token))}`],
      )
    })
  })

  describe('after the event', () => {
    const after = hours(8)
    const hoursOf = async (who: Person) => {
      const context = { ...at(after, who), words: wordsFor('en', 'UTC') }
      const rows = await findHours(context as never, who.id, { from: undefined, to: undefined, typeId: undefined })
      return sumHours(rows.filter(({ eventId }) => eventId === made.event))
    }
    const times = async (place: number) =>
      write
        .selectFrom('participation')
        .select(['state', 'individual_start_time', 'individual_end_time'])
        .where('id', '=', place)
        .executeTakeFirstOrThrow()

    beforeEach(async () => {
      const first = mark('arrived', { at: hours(0.5) })
      await send([first, mark('left', { base: first.id, at: hours(3) }), mark('no_show', { participationId: made.places[1]! })])
    })

    test('real times count as hours, and no-shows get none', async () => {
      assert.deepEqual([await hoursOf(ANN), await hoursOf(BEN)], [4, 4])
      assert.equal((await applyRealTimes(at(after), made.event, 0))?.changed, 2)
      assert.deepEqual([await hoursOf(ANN), await hoursOf(BEN)], [2.5, 0])
      assert.deepEqual(await times(made.places[0]!), {
        state: 1,
        individual_start_time: hours(0.5),
        individual_end_time: hours(3),
      })
      // On the wire a no-show is a confirmed participation with the planned times, as before.
      assert.deepEqual(await times(made.places[1]!), { state: 1, individual_start_time: null, individual_end_time: null })
      assert.equal(await applyRealTimes(at(after), made.event, 0), undefined)
    })

    test('can be undone', async () => {
      const { runId } = (await applyRealTimes(at(after), made.event, 15))!
      assert.deepEqual(await undoRealTimes(at(after), made.event, runId), { restored: 2, kept: 0 })
      assert.deepEqual([await hoursOf(ANN), await hoursOf(BEN)], [4, 4])
      assert.equal(await undoRealTimes(at(after), made.event, runId), undefined)
    })

    test('undo leaves times that somebody has changed since', async () => {
      const { runId } = (await applyRealTimes(at(after), made.event, 0))!
      await write
        .updateTable('participation')
        .set({ individual_end_time: hours(3.5) })
        .where('id', '=', made.places[0]!)
        .execute()
      assert.deepEqual(await undoRealTimes(at(after), made.event, runId), { restored: 1, kept: 1 })
      assert.deepEqual([await hoursOf(ANN), await hoursOf(BEN)], [3, 4])
    })

    test('waits for the end of the shift', async () => {
      assert.equal(await applyRealTimes(at(hours(3.9)), made.event, 0), undefined)
      assert.equal((await applyRealTimes(at(hours(4)), made.event, 0))?.changed, 2)
    })
  })

  describe('on the page', () => {
    test('works without scripts: mark, undo, times, log', async () => {
      const paul = await browserOf(world, PAUL)
      const path = checkInPath(made.event)
      const page = await paul.get(path)
      assert.equal(page.statusCode, 200)
      assert.match(page.body, /0 of 2 here/)
      const fields = (more: Record<string, string>) => ({ id: randomUUID(), person: String(made.places[0]), base: '', ...more })
      await paul.post(`${path}mark/`, { form: fields({ kind: 'arrived' }) })
      assert.match((await paul.get(path)).body, /1 of 2 here[\s\S]*Here since 12:00/)
      const base = (await stored())!.mark_id!
      await paul.post(`${path}mark/`, { form: fields({ kind: 'set', arrived: '1.5.2031 11:45', left: '', base }) })
      assert.match((await paul.get(path)).body, /Here since 11:45/)
      const log = (await paul.get(`${path}log/`)).body
      assert.match(log, /Here since 12:00/)
      assert.match(log, /Here since 11:45/)
      const walkIn = { shift: String(made.shift), name: 'Jo Walker' }
      await paul.post(`${path}walk-in/`, { form: walkIn })
      assert.match((await paul.get(path)).body, /2 of 3 here[\s\S]*Jo Walker/)
      await paul.post(`${path}walk-in/`, { form: walkIn })
      assert.match((await paul.get(path)).body, /already on the list[\s\S]*2 of 3 here/)
    })

    test('takes marks of a device whose clock is wrong', async () => {
      const paul = await browserOf(world, PAUL)
      const sent = world.now.getTime() + 3600_000
      const made1 = { id: randomUUID(), person: made.places[0], kind: 'arrived', base: null, made: sent - 600_000 }
      const content = JSON.stringify({ sent, marks: [made1] })
      const response = await paul.post(`${checkInPath(made.event)}marks/`, { form: { content } })
      assert.deepEqual(JSON.parse(response.body), { marks: [{ id: made1.id, outcome: 'applied' }] })
      assert.deepEqual((await stored())?.arrived_at, new Date(world.now.getTime() - 600_000))
      const { rows } = await sql<{ source: string }>`select source from attendance_mark where id = ${made1.id}`.execute(write)
      assert.equal(rows[0]?.source, 'device')
    })
  })
})
