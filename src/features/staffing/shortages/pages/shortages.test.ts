import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'

const at = (day: number, hour = 8) => `2031-05-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`
const shift = (day: number, more: object = {}) => ({ start: at(day), end: at(day, 14), flow: 'instant_confirmation', ...more })
const needs = (min: number, more: object = {}) => ({ configuration: { minimum_number_of_participants: min, ...more } })

const refresh = ({ db }: World, shifts: readonly number[]) => transact(db.write, (tx) => refreshStatistics(tx, [...shifts]))

async function read(world: World, who: Person, path: string): Promise<string> {
  const { status, text } = await world.withSession(who).get(path, { unchecked: true })
  assert.equal(status, 200, `${path} ${status === 500 ? world.logLines.slice(-2).join() : ''}`)
  assert.deepEqual(checkMarkup(text), [])
  return text
}
/** One for each event, with its other shifts below. */
const rowsOf = (text: string): string[] => text.split(/<tr (?!class="below")[^>]*>/).slice(1)
const plain = (html: string): string =>
  html
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
const namesIn = (text: string): string[] => rowsOf(text).map((row) => /<a href="\/events\/[^"]+">([^<]+)/.exec(row)![1]!)

describe('the shortage view', async () => {
  const world = await openWorld()
  const driver = await world.addQualification('Driver')
  const truck = await world.addQualification('Truck driver', [driver])
  const fair = await world.addType({ title: 'Fair' })
  const mix = (min: number) => ({
    structure: 'qualification_mix',
    configuration: { qualification_requirements: [{ qualification: driver.id, min_count: min, max_count: 3 }] },
  })
  await world.holds(ANN, truck)
  const plan = { seenBy: [HELPERS], responsible: [PAUL] }
  const soon = await world.addEvent({ ...plan, title: 'Soon', location: 'Dyke', shifts: [shift(3, needs(1))] })
  const drivers = await world.addEvent({ ...plan, title: 'Drivers', type: fair, location: 'Harbour', shifts: [shift(8, mix(2))] })
  const closing = await world.addEvent({
    ...plan,
    title: 'Closing',
    shifts: [shift(10, { ...needs(2), flow: 'request_confirm', flowConfiguration: { signup_until: at(2) } })],
  })
  const enough = await world.addEvent({ ...plan, title: 'Enough', shifts: [shift(4, needs(0))] })
  const later = await world.addEvent({
    ...plan,
    title: 'In June',
    shifts: [{ start: '2031-06-20T08:00:00Z', end: '2031-06-20T09:00:00Z', ...needs(4) }],
  })
  const others = await world.addEvent({ seenBy: [HELPERS], responsible: [OLGA], title: 'Of Olga', shifts: [shift(9, needs(5))] })
  const gone = await world.addEvent({ ...plan, title: 'Cancelled', cancelled: true, shifts: [shift(9, needs(5))] })
  const manual = await world.addEvent({
    ...plan,
    seenBy: [PLANNERS],
    title: 'Manual',
    shifts: [shift(12, { ...needs(1), flow: 'manual' })],
  })
  for (const { shifts } of [soon, drivers, closing, enough, later, others, gone, manual]) await refresh(world, shifts)

  test('lists what the reader plans in the next two weeks, the most urgent first, with the reason', async () => {
    const text = await read(world, PAUL, '/planning/')
    assert.deepEqual(namesIn(text), ['Soon', 'Closing', 'Drivers', 'Manual'])
    const [first, second, third, last] = rowsOf(text).map(plain)
    assert.match(first!, /Sat 3 May 08:00–14:00|Sat 3 May 10:00–16:00/)
    assert.match(first!, /starts in 2 days/)
    assert.match(second!, /sign-up closes (in 22 hours|tomorrow)/)
    assert.match(second!, /2 missing/)
    assert.match(third!, /2 × Driver/)
    assert.match(last!, /you assign people/)
    assert.match(plain(text), /4 shifts lack people/)
  })

  test('counts people who fit what is missing, are free and have not answered', async () => {
    const freeIn = async (title: string) => {
      const row = rowsOf(await read(world, PAUL, '/planning/')).find((each) => each.includes(`>${title}<`))!
      return /data-label="Fit and free">.*?<span[^>]*>([^<]+)</s.exec(row)![1]
    }
    assert.equal(await freeIn('Drivers'), '1 person')
    const { shifts } = await world.addEvent({ seenBy: [HELPERS], title: 'Elsewhere', shifts: [shift(8)] })
    const busy = await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    assert.equal(await freeIn('Drivers'), 'nobody')
    await world.db.write.deleteFrom('participation').where('id', '=', busy).execute()
    assert.equal(await freeIn('Drivers'), '1 person')
    const before = await freeIn('Soon')
    const declined = await world.addParticipation({ who: BEN, shift: soon.shifts[0]!, state: 2 })
    assert.equal(Number.parseInt((await freeIn('Soon'))!, 10), Number.parseInt(before!, 10) - 1)
    await world.db.write.deleteFrom('participation').where('id', '=', declined).execute()
    const known = Number.parseInt((await freeIn('Soon'))!, 10)
    const more: number[] = []
    const addUntil = async (count: number) => {
      while (known + more.length < count) {
        const { id } = await world.addPerson({ name: `Helper ${more.length}` })
        await world.db.write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: id }).execute()
        more.push(id)
      }
      return freeIn('Soon')
    }
    assert.equal(await addUntil(20), '20 people')
    assert.equal(await addUntil(21), 'more than 20 people')
    assert.equal(await addUntil(40), 'more than 20 people')
    await world.db.write.updateTable('user_profile').set({ is_active: false }).where('id', 'in', more).execute()
  })

  test('shows requests that wait for a decision, and the trend', async () => {
    const outcome = await signUp(contextAs(world, ANN), { shiftId: closing.shifts[0]! })
    assert.ok(outcome.ok)
    const row = plain(rowsOf(await read(world, PAUL, '/planning/')).find((each) => each.includes('>Closing<'))!)
    assert.match(row, /1 requested, decide/)
    assert.match(row, /\+1 1 sign-up/)
    assert.match(row, /2 missing/)
  })

  test('sorts, and filters by type, group, place and period', async () => {
    const names = async (query: string) => namesIn(await read(world, PAUL, `/planning/?${query}`))
    assert.deepEqual(await names('sort=date'), ['Soon', 'Drivers', 'Closing', 'Manual'])
    assert.deepEqual((await names('sort=missing')).slice(0, 2), ['Drivers', 'Closing'])
    assert.deepEqual(await names(`type=${fair}`), ['Drivers'])
    assert.deepEqual(await names(`group=${PLANNERS.id}`), ['Manual'])
    assert.deepEqual(await names('place=Dyke'), ['Soon'])
    assert.deepEqual(await names('from=2031-05-08&until=2031-05-08'), ['Drivers'])
    assert.deepEqual(await names('from=2031-06-10'), ['In June'])
    assert.match(await read(world, PAUL, '/planning/?place=Nowhere'), /No shift that lacks people matches these filters/)
    // Values that people typed into the address.
    assert.deepEqual(await names('from=yesterday&until=2031-02-31&type=x&group=-1&sort=none&page=abc'), await names(''))
  })

  test('lists an event once, with its most urgent shift and the others folded below, by date', async () => {
    const festival = await world.addEvent({
      ...plan,
      title: 'Festival',
      shifts: [
        shift(14, { ...needs(1), label: 'Gate' }),
        shift(6, { ...needs(1), label: 'Stage' }),
        shift(13, { ...needs(3), label: 'Bar' }),
        shift(5, { ...needs(4), label: 'First aid' }),
        shift(7, { ...needs(0), label: 'Full' }),
      ],
    })
    await refresh(world, festival.shifts)
    const text = await read(world, PAUL, '/planning/')
    assert.deepEqual(namesIn(text), ['Soon', 'Closing', 'Festival, First aid', 'Drivers', 'Manual'])
    assert.match(plain(text), /8 shifts lack people/)
    const row = rowsOf(text)[2]!
    const [own, others] = row.split('<details class="shortage-others">')
    assert.match(plain(own!), /4 missing/)
    assert.match(plain(others!), /3 more shifts of this event 5 missing .*Stage 1 missing .*Bar 3 missing .*Gate 1 missing/)
    assert.equal(others!.match(/shortage-ask/g)?.length, 3)
    assert.deepEqual(namesIn(await read(world, PAUL, '/planning/?sort=missing'))[0], 'Festival, First aid')
    assert.match(
      plain(await read(world, PAUL, '/planning/?from=2031-05-13')),
      /Festival, Bar .*1 more shift of this event 1 missing/,
    )
    await world.db.write.updateTable('event').set({ active: false }).where('id', '=', festival.id).execute()
  })

  test('says at the field which day it cannot read, and shows the usual period', async () => {
    const text = await read(world, PAUL, '/planning/?from=31.2.2031&until=2031-06-30&place=')
    assert.match(text, /<details class="finder-fold" open>/)
    assert.match(text, /name="from"[^>]*value="31\.2\.2031"|value="31\.2\.2031"[^>]*name="from"/)
    assert.match(plain(text), /“31\.2\.2031” is not a date we can read, so it was left out/)
    assert.ok(!(await read(world, PAUL, '/planning/?from=3.5.2031')).includes('field-error'))
  })

  test('shows all events to people who may change all of them, none to others, and the number on the start page', async () => {
    assert.ok(namesIn(await read(world, OLGA, '/planning/')).includes('Of Olga'))
    assert.ok(namesIn(await read(world, OLGA, '/planning/')).includes('Soon'))
    const forAnn = await read(world, ANN, '/planning/')
    assert.match(forAnn, /You don’t plan any events at the moment/)
    assert.deepEqual(
      [forAnn, await read(world, PAUL, '/planning/')].map((page) => page.includes('href="/planning/fill/')),
      [false, true],
      'only people who plan fill places',
    )
    assert.match(plain(await read(world, PAUL, '/')), /Shifts that need people\s*4/)
    assert.ok(!(await read(world, ANN, '/')).includes('Shifts that need people'))
    assert.match(await read(world, VERA, '/planning/'), /h1/)
  })
})

describe('the cost of the shortage view', async () => {
  const world = await openWorld()
  const statements: { text: string; values: unknown[] }[] = []
  for (const pool of [world.db.readPool, world.db.writePool]) {
    const watched = new WeakSet<object>()
    pool.on('acquire', (client) => {
      if (watched.has(client)) return
      watched.add(client)
      const query = client.query.bind(client) as (...args: unknown[]) => unknown
      client.query = ((...args: unknown[]) => {
        const [first, parameters] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined]
        const { text, values } = typeof first === 'string' ? { text: first, values: parameters } : first
        statements.push({ text, values: values ?? [] })
        return query(...args)
      }) as typeof client.query
    })
  }
  /** An event with a short shift for each of these days from now. Without triggers, which would take minutes. */
  const fill = async (days: number, first: number) => {
    const run = (text: string, values: unknown[] = []) => world.db.writePool.query(text, values)
    const tables = ['event', 'shift', 'event_group_grant']
    for (const table of tables) await run(`alter table ${table} disable trigger user`)
    await run(
      `insert into event (title, location, type_id, active, start_time, end_time, shift_count)
       select 'Day ' || n, 'Place ' || n % 7, 1, true, at, at + interval '6 hours', 1
       from generate_series($1::int, $2::int) n, lateral (select $3::timestamptz + make_interval(days => n) as at) t`,
      [first, first + days - 1, world.now],
    )
    await run(
      `insert into event_group_grant (event_id, group_id, permission)
       select e.id, g.id, g.permission from event e cross join (values ($1::bigint, 'view'), ($2::bigint, 'change')) g (id, permission)
       on conflict do nothing`,
      [HELPERS.id, PLANNERS.id],
    )
    await run(
      `insert into shift (event_id, meeting_time, start_time, end_time, signup_flow_slug, structure_slug, structure_configuration, missing, min_count)
       select e.id, e.start_time, e.start_time, e.end_time, 'instant_confirmation', 'uniform', '{"minimum_number_of_participants": 2}', 2, 2
       from event e where not exists (select from shift s where s.event_id = e.id)`,
    )
    for (const table of tables) await run(`alter table ${table} enable trigger user`)
    await run('vacuum analyze')
  }
  const show = async (who: Person, query = ''): Promise<number> => {
    statements.length = 0
    await read(world, who, `/planning/${query}`)
    return statements.filter(({ text }) => !text.includes('pg_current_snapshot')).length
  }
  /** Pages that the statements of the last request touched. */
  const buffers = async (): Promise<number> => {
    let sum = 0
    for (const { text, values } of [...statements]) {
      if (!/^\s*(select|with)/i.test(text)) continue
      const { rows } = await world.db.writePool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      )
      const { Plan } = rows[0]!['QUERY PLAN'][0]
      sum += Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!
    }
    return sum
  }
  // Before and after the two weeks, as the events of years are.
  await fill(200, -100)
  let few: number

  test('at most 15 statements besides those of the frame, as many for one shift as for a page', async () => {
    await show(PAUL)
    const one = await show(PAUL, '?from=2031-05-03&until=2031-05-03')
    const page = await show(PAUL, '?until=2031-06-30')
    assert.equal(one, page)
    assert.ok(page > 10)
    const frame = 4
    assert.ok(page - frame <= 15, statements.map(({ text }) => text.slice(0, 120)).join('\n'))
    await show(PAUL)
    few = await buffers()
    assert.ok(few > 0)
  })

  test('the pages that are read do not grow from 200 to 20,000 events', async () => {
    await fill(9_900, 100)
    await fill(9_900, -10_000)
    for (const who of [PAUL, OLGA]) {
      await show(who)
      const many = await buffers()
      assert.ok(many <= few * 1.5, `${few} → ${many}`)
    }
  })

  test('the database stops looking for free people when it has found enough', async () => {
    const addMembers = async (count: number) => {
      await sql`alter table user_group_member disable trigger user`.execute(world.db.write)
      await sql`
        with added as (
          insert into user_profile (email, display_name, is_active, is_visible)
          select 'member' || gen_random_uuid() || '@example.org', 'Member ' || n, true, true from generate_series(1, ${count}) n
          returning id)
        insert into user_group_member (group_id, user_id) select ${HELPERS.id}, id from added`.execute(world.db.write)
      await sql`alter table user_group_member enable trigger user`.execute(world.db.write)
      await world.db.writePool.query('vacuum analyze')
      await show(PAUL)
      return buffers()
    }
    const hundred = await addMembers(100)
    // Below and above the number of people up to which the database starts from those who see the event.
    for (const more of [1_000, 3_000]) {
      const many = await addMembers(more)
      assert.ok(many <= hundred * 1.5, `${hundred} → ${many}`)
    }
  })

  test('finds the one who holds what is needed among thousands who see the event', async () => {
    const driver = await world.addQualification('Driver')
    await world.holds(ANN, await world.addQualification('Truck driver', [driver]))
    const needed = { qualification_requirements: [{ qualification: driver.id, min_count: 1, max_count: 1 }] }
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      title: 'Drivers',
      location: 'Harbour',
      shifts: [shift(8, { structure: 'qualification_mix', configuration: needed })],
    })
    await refresh(world, shifts)
    const [row] = rowsOf(await read(world, PAUL, '/planning/?place=Harbour'))
    assert.match(plain(row!), / 1 person /)
    await show(PAUL, '?place=Harbour')
    const touched = await buffers()
    assert.ok(touched < few, `${few} → ${touched}`)
  })
})
