import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { poster } from '#test/support/board-form.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { boardPath } from '../rules/paths.ts'

const TEAMS = { teams: ['North', 'South'].map((title) => ({ uuid: title, title, min_count: 1, max_count: 2 })) }
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the board across an event', async () => {
  const world = await openWorld()
  const post = poster(world)
  let event: number
  let shifts: number[]
  let board: string
  beforeEach(async () => {
    await world.db.write.deleteFrom('participation').execute()
    const made = await world.addEvent({
      title: 'Fair',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        { label: 'Set up', start: '2031-05-04T08:00:00+02:00' },
        { label: 'Stalls', start: '2031-05-04T12:00:00+02:00', structure: 'named_teams', configuration: TEAMS },
      ],
    })
    ;({ id: event, shifts } = made)
    board = `/events/${event}/board/`
  })
  const read = async (path = board) => {
    const { status, text } = await world.withSession(PAUL).get(path, { unchecked: true })
    assert.equal(status, 200)
    assert.deepEqual(checkMarkup(text), [])
    return text
  }
  const cell = (shift: number, who: Person) => `card.${shifts[shift]}.local-${who.id}.to`
  const states = async () =>
    (await world.db.read.selectFrom('participation').selectAll().where('event_id', '=', event).orderBy('id').execute())
      .map(({ shift_id, user_id, state }) => [shifts.indexOf(shift_id), user_id, state])
      .sort()
  const rowOf = (text: string, name: string) =>
    plain(new RegExp(`<tr><th scope="row"[^>]*>${name}<[\\s\\S]*?</tr>`).exec(text)?.[0] ?? '')
  const namesIn = (text: string) => [...text.matchAll(/<th scope="row"[^>]*>([^<]*)</g)].map(([, name]) => name)

  test('is saved without scripts, too, if it has thousands of cards', async () => {
    const text = await read()
    const [shift] = shifts
    const unchanged = Array.from({ length: 4_000 }, (_, n) => `card.${shift}.local-${1_000_000 + n}`)
    const cards = Object.fromEntries(
      unchanged.flatMap((card) => ['to', 'before', 'start', 'end'].map((name) => [`${card}.${name}`, ''])),
    )
    const saved = await post(text, board, { ...cards, do: 'save', [cell(0, BEN)]: '1' })
    assert.equal(saved.status, 303)
    assert.deepEqual(await states(), [[0, BEN.id, 1]])
  })

  describe('of many shifts', () => {
    const start = (day: number, hour: number) =>
      `2031-05-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00+02:00`
    /** World's now is before them. Label: day and hour. */
    const times = [4, 5, 6].flatMap((day) => [9, 12, 15].map((hour) => ({ label: `${day}-${hour}`, start: start(day, hour) })))
    const add = async (list: readonly { label: string; start: string }[]) => {
      const made = await world.addEvent({
        title: 'Festival',
        seenBy: [HELPERS],
        responsible: [PAUL],
        shifts: list.map((each) => ({ ...each })),
      })
      ;({ id: event, shifts } = made)
      board = `/events/${event}/board/`
    }
    const columns = (text: string) => [...text.matchAll(/<th scope="col"><a [^>]*>([^<]+)</g)].map(([, label]) => label)
    const tabs = (text: string) => plain(/<nav class="tabs[\s\S]*?<\/nav>/.exec(text)?.[0] ?? '').trim()

    test('shows the next day first, each day, or all', async () => {
      await add(times)
      await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
      await world.addParticipation({ who: BEN, shift: shifts[4]!, state: 1 })
      const first = await read()
      assert.deepEqual([columns(first), namesIn(first)], [['4-9', '4-12', '4-15'], ['Ann']])
      assert.match(first, /<a href="[^"]*\?day=2031-05-04" aria-current="page"/)
      assert.match(tabs(first), /4 .*5 .*6 .*All days$/)
      const second = await read(`${board}?day=2031-05-05`)
      assert.deepEqual([columns(second), namesIn(second)], [['5-9', '5-12', '5-15'], ['Ben']])
      // The filter stays on the day.
      assert.match(second, /<input type="hidden" name="day" value="2031-05-05">/)
      const all = await read(`${board}?day=all`)
      assert.deepEqual([columns(all).length, namesIn(all)], [9, ['Ann', 'Ben']])
      assert.deepEqual(columns(await read(`${board}?day=2031-05-09`)), columns(first))
    })

    test('begins on the first day that is not over', async () => {
      const past = { label: 'past', start: '2020-05-04T09:00:00+02:00' }
      await add([past, ...times])
      for (const shift of shifts) await world.addParticipation({ who: ANN, shift, state: 1 })
      assert.deepEqual(columns(await read()), ['4-9', '4-12', '4-15'])
      assert.deepEqual(columns(await read(`${board}?day=2020-05-04`)), ['past'])
    })

    test('keeps shifts of another day whose changes are not saved, and saves them', async () => {
      await add(times)
      const text = await read(`${board}?day=2031-05-05`)
      const shown = await post(text, board, { do: 'search', find: '', added: `local-${BEN.id}`, [cell(3, BEN)]: '1' })
      assert.deepEqual(columns(shown.text), ['4-9', '4-12', '4-15', '5-9'])
      const saved = await post(shown.text, `${board}?day=2031-05-05`, { do: 'save' })
      assert.deepEqual([saved.status, saved.headers.location], [303, `${board}?day=2031-05-05`])
      assert.deepEqual(await states(), [[3, BEN.id, 1]])
    })

    for (const [what, list, isSplit] of [
      ['eight on three days are shown together', times.slice(0, 8), false],
      ['nine are not', times, true],
      ['nine on one day are', times.map((each, n) => ({ ...each, start: start(4, 8 + n) })), false],
    ] as const)
      test(what, async () => {
        await add(list)
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
        const text = await read()
        assert.deepEqual([columns(text).length, tabs(text) !== ''], [isSplit ? 3 : list.length, isSplit])
      })
  })

  describe('with a limit that refuses', () => {
    const REASON = 'Nobody else can drive'
    beforeEach(async () => {
      await world.db.write.insertInto('work_limit').values({ kind: 'rest_hours', value: 11, blocks: true }).execute()
      await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    })
    afterEach(() => world.db.write.deleteFrom('work_limit').execute())
    const confirm = (text: string, more: Record<string, string> = {}) =>
      post(text, board, { do: 'save', [cell(1, ANN)]: '1:North', ...more })

    test('asks for a reason, keeps what was chosen, and shows the exception on both boards', async () => {
      const asked = await confirm(await read())
      assert.equal(asked.status, 422)
      assert.match(
        rowOf(asked.text, 'Ann'),
        /Only 3 hours of rest[^.]*\. At least 11 are required\. You can still.*enter a reason and save again.*Reason for the exception/,
      )
      assert.deepEqual(await states(), [[0, ANN.id, 1]])
      const saved = await post(asked.text, board, { do: 'save', [`card.${shifts[1]}.local-${ANN.id}.comment`]: REASON })
      assert.equal(saved.status, 303)
      assert.deepEqual(await states(), [
        [0, ANN.id, 1],
        [1, ANN.id, 1],
      ])
      assert.match(rowOf(await read(), 'Ann'), /Only \d+ hours? (of rest|between)/)
      const card = await read(boardPath(shifts[1]!))
      assert.match(plain(card), /Only \d+ hours? (of rest|between)/)
      assert.ok(card.includes(REASON))
      const log = await world.withSession(OLGA).get(`/events/${event}/log/`, { unchecked: true })
      assert.ok(log.text.includes(REASON), 'the log has the reason')
    })

    test('blanks are no reason', async () => {
      const field = `card.${shifts[1]}.local-${ANN.id}.comment`
      assert.equal((await confirm(await read(), { [field]: '  ' })).status, 422)
      assert.deepEqual(await states(), [[0, ANN.id, 1]])
    })

    test('a request, a rejection and a person who is confirmed already need none', async () => {
      for (const to of ['0', '3']) assert.equal((await post(await read(), board, { do: 'save', [cell(1, ANN)]: to })).status, 303)
      await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 1 })
      await world.addParticipation({ who: BEN, shift: shifts[1]!, state: 1, data: { dispatched_team_uuid: 'South' } })
      assert.equal((await post(await read(), board, { do: 'save', [cell(1, BEN)]: '1:North' })).status, 303)
    })
  })

  test('one Save moves people on several shifts, also onto shifts they never requested', async () => {
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
    await world.addParticipation({ who: BEN, shift: shifts[1]!, state: 1, data: { dispatched_team_uuid: 'South' } })
    const text = await read()
    assert.deepEqual(namesIn(text), ['Ann', 'Ben'])
    assert.match(text, /<select id="[^"]*" name="card\.\d+\.local-4\.to" data-move>[\s\S]*?value="1:South" selected/)
    const { status, flash } = await post(text, board, {
      do: 'save',
      [cell(0, ANN)]: '1',
      [cell(1, ANN)]: '1:North',
      [cell(0, BEN)]: '3',
    })
    assert.deepEqual([status, flash], [303, '3 changes saved.'])
    assert.deepEqual(await states(), [
      [0, ANN.id, 1],
      [0, BEN.id, 3],
      [1, ANN.id, 1],
      [1, BEN.id, 1],
    ])
    const { structure_data } = await world.db.read
      .selectFrom('participation')
      .select('structure_data')
      .where('user_id', '=', BEN.id)
      .where('shift_id', '=', shifts[1]!)
      .executeTakeFirstOrThrow()
    assert.deepEqual(structure_data, { dispatched_team_uuid: 'South' }, 'what was not touched is as it was')
  })

  test('the search says for each person which qualifications they hold, how many shifts they fit and are free for', async () => {
    const medic = await world.addQualification('Medic')
    await world.holds(BEN, medic)
    const configuration = { required_qualification_ids: [medic.id] }
    const made = await world.addEvent({
      title: 'Regatta',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [
        { label: 'Past', start: '2031-04-04T08:00:00+02:00', end: '2031-04-04T09:00:00+02:00' },
        { label: 'Tent', start: '2031-05-04T08:30:00+02:00', configuration },
        { label: 'Pier', start: '2031-05-04T20:00:00+02:00' },
      ],
    })
    const path = `/events/${made.id}/board/`
    // At the same time as the tent.
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 1 })
    const found = async (name: string, shiftIds = made.shifts.slice(0, 2)) => {
      await world.db.write.deleteFrom('shift').where('event_id', '=', made.id).where('id', 'not in', shiftIds).execute()
      const { text } = await post(await read(path), path, { do: 'search', find: name })
      assert.deepEqual(checkMarkup(text), [])
      return plain(/<li class="dispo-person">.*?(?=<button)/s.exec(text)![0]).trim()
    }
    assert.equal(await found('Ben', made.shifts), 'Ben Me fits 2 of 2 shifts · free for 1')
    assert.equal(await found('Ann', made.shifts), 'Ann fits 1 of 2 shifts · free for 2')
    assert.equal(await found('Ann'), 'Ann does not fit · free at that time')
    assert.equal(await found('Ben'), 'Ben Me fits · not free at that time')
  })

  test('people are added with a row of their own, by search and by name, and saved with the shifts chosen for them', async () => {
    const empty = await read()
    assert.match(plain(empty), /Nobody has signed up yet\. You can add people here\./)
    const searched = await post(empty, board, { do: 'search', find: 'be' })
    assert.match(searched.text, /value="add local-\d+"[\s\S]*?Add<span class="sr-only">: Ben/)
    assert.ok(!searched.text.includes(`add local-${ANN.id}"`))
    const added = await post(searched.text, board, { do: `add local-${BEN.id}` })
    assert.deepEqual([added.status, namesIn(added.text)], [200, ['Ben']])
    assert.match(added.text, /Ben has a row now\./)
    assert.ok(!added.text.includes(`"add local-${BEN.id}"`), 'is no longer offered')
    const named = await post(added.text, board, { do: 'add-placeholder', placeholder: '' })
    assert.deepEqual([named.status, namesIn(named.text)], [422, ['Ben']])
    const saved = await post(added.text, board, { do: 'save', [cell(1, BEN)]: '1:South' })
    assert.deepEqual([saved.status, saved.flash, await states()], [303, '1 change saved.', [[1, BEN.id, 1]]])
    const driver = await post(await read(), board, { do: 'add-placeholder', placeholder: 'Driver' })
    assert.deepEqual(namesIn(driver.text), ['Driver', 'Ben'], 'new people stand first')
    const again = await post(await read(), board, { do: `add local-${BEN.id}` })
    assert.match(again.text, /Ben is already on the board/)
    assert.equal((await post(await read(), board, { do: 'add local-999999' })).status, 404)
  })

  test('stale and refused cells come back, the others are saved', async () => {
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 0 })
    const mine = await read()
    assert.equal((await post(mine, board, { do: 'save', [cell(0, ANN)]: '3' }, OLGA)).status, 303)
    const answer = await post(mine, board, {
      do: 'save',
      [cell(0, ANN)]: '1',
      [cell(0, BEN)]: '1',
      [cell(1, BEN)]: '1',
    })
    assert.equal(answer.status, 409)
    assert.match(rowOf(answer.text, 'Ann'), /Changed in the meantime Current version: Rejected Keep mine/)
    assert.match(rowOf(answer.text, 'Ben'), /Choose a team before confirming/)
    assert.deepEqual(await states(), [
      [0, ANN.id, 3],
      [0, BEN.id, 1],
    ])
    const kept = await post(answer.text, board, { do: `mine ${shifts[0]} local-${ANN.id}` })
    assert.equal((await post(kept.text, board, { do: 'save', [cell(1, BEN)]: '1:North' })).flash, '2 changes saved.')
    const dropped = await post(answer.text, board, { do: `theirs ${shifts[0]} local-${ANN.id}` })
    assert.ok(!rowOf(dropped.text, 'Ann').includes('Changed in the meantime'))
  })

  test('is filtered by name and state, and unsaved changes stay visible', async () => {
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 1 })
    await world.addParticipation({ who: VERA, shift: shifts[1]!, state: 1, data: { dispatched_team_uuid: 'North' } })
    assert.deepEqual(namesIn(await read(`${board}?state=1`)), ['Ben', 'Vera'])
    assert.deepEqual(namesIn(await read(`${board}?q=an`)), ['Ann'])
    assert.match(plain(await read(`${board}?q=zz`)), /Nobody matches the filter/)
    const text = await read(`${board}?q=an`)
    const saved = await post(text, `${board}?q=an`, { do: 'save', [cell(0, ANN)]: '1' })
    assert.deepEqual([saved.status, saved.headers.location], [303, `${board}?q=an`])
  })
})
