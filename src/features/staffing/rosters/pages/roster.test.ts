import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const unchecked = true
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the roster', async () => {
  const world = await openWorld()
  const medic = await world.addQualification('Medic')
  await world.holds(BEN, medic)
  const zoe = await world.addPerson({ name: 'Zoe' })
  const uuid = { first: '11111111-1111-4111-8111-111111111111', second: '22222222-2222-4222-8222-222222222222' }
  const teams = [
    { uuid: uuid.first, title: 'Tent', qualification: medic.id, min_count: 2, max_count: 3 },
    { uuid: uuid.second, title: 'Bikes', min_count: 1, max_count: null },
  ]

  async function addEvent(showParticipantData: number) {
    const event = await world.addEvent({
      title: 'Harbour run',
      seenBy: [HELPERS, zoe, VERA],
      responsible: [PAUL],
      type: await world.addType({ showParticipantData }),
      shifts: [
        { label: 'North', structure: 'named_teams', configuration: { teams } },
        {
          label: 'South',
          start: '2031-05-05T08:00:00+02:00',
          structure: 'uniform',
          configuration: { minimum_number_of_participants: 2 },
        },
      ],
    })
    const [north, south] = event.shifts as [number, number]
    await world.addParticipation({
      who: BEN,
      shift: north,
      state: 1,
      data: { dispatched_team_uuid: uuid.first },
      start: '2031-05-04T08:30:00+02:00',
      comments: [
        { text: 'canary of responsibles', level: 0, by: PAUL },
        { text: 'canary of Ben and responsibles', level: 1 },
        { text: 'canary of everybody', level: 2 },
      ],
    })
    await world.addParticipation({ who: ANN, shift: south, state: 1 })
    await world.addParticipation({ who: zoe, shift: north, state: 0 })
    await world.addParticipation({ who: { placeholder: '=cmd()' }, shift: north, state: 1 })
    await world.addParticipation({ who: VERA, shift: north, state: 2 })
    return { ...event, page: `/events/${event.id}/roster/`, csv: `/events/${event.id}/roster.csv` }
  }
  const get = async (who: Person, path: string) => {
    const { status, text, headers } = await world.withSession(who).get(path, { unchecked })
    assert.equal(status, 200)
    return { text, headers }
  }

  test('planners see who brings a person', async () => {
    const { page, shifts } = await addEvent(0)
    const own = await world.addParticipation({ who: zoe, shift: shifts[1]!, state: 1 })
    const companion = await world.addParticipation({ who: { placeholder: 'Friend' }, shift: shifts[1]!, state: 1 })
    await world.db.write.updateTable('participation').set({ brought_by_id: own }).where('id', '=', companion).execute()
    const friend = async (who: Person) => plain((await get(who, page)).text)
    assert.match(await friend(PAUL), /Friend brought by Zoe/)
    assert.match(await friend(ANN), /Friend/)
    assert.doesNotMatch(await friend(ANN), /brought by/)
  })

  // Who sees Ben's name on page and spreadsheet, by the mode of the event type.
  const VIEWERS: [who: Person, what: string, sees: Record<number, boolean>][] = [
    [PAUL, 'the responsible', { 0: true, 1: true, 2: true, 3: true }],
    [BEN, 'Ben himself', { 0: true, 1: true, 2: true, 3: true }],
    [ANN, 'somebody confirmed in another shift', { 0: true, 1: true, 2: false, 3: true }],
    [zoe, 'somebody who has only requested', { 0: true, 1: false, 2: false, 3: true }],
    [VERA, 'somebody who may view all profiles', { 0: true, 1: true, 2: true, 3: true }],
  ]
  for (const mode of [0, 1, 2, 3]) {
    const event = await addEvent(mode)
    for (const [who, what, sees] of VIEWERS) {
      test(`mode ${mode}, ${what}: ${sees[mode] ? 'names Ben' : 'shows the place as taken'}, in HTML and CSV`, async () => {
        for (const path of [event.page, event.csv]) {
          const { text } = await get(who, path)
          // A name of one's own stands in the frame of every page.
          const body = path === event.page ? plain(/<main.*<\/main>/s.exec(text)![0]) : text
          assert.equal(/\bBen\b/.test(body), sees[mode], path)
          assert.equal(/Medic/.test(body), sees[mode], path)
          if (!sees[mode]) assert.match(body, /taken/)
        }
      })
      test(`mode ${mode}, ${what}: comments by their level`, async () => {
        const canaries = [/canary of responsibles/, /canary of Ben/, /canary of everybody/]
        for (const path of [event.page, event.csv]) {
          const { text } = await get(who, path)
          assert.deepEqual(
            canaries.map((canary) => canary.test(text)),
            [false, false, sees[mode]],
            path,
          )
          assert.equal(/name="comments"/.test(text), who === PAUL && path === event.page)
          const all = (await get(who, `${path}?comments=all`)).text
          assert.deepEqual(
            canaries.map((canary) => canary.test(all)),
            [who === PAUL, who === PAUL, sees[mode]],
            path,
          )
          const marked = plain(all).match(/canary of [A-Za-z ]+\(for planners only\)/g) ?? []
          assert.equal(marked.length, who === PAUL ? 2 : 0)
        }
      })
    }
  }

  test('phone numbers are for the people responsible and for those who may view the profile, and call when tapped', async () => {
    const { page, csv } = await addEvent(0)
    await world.db.write.updateTable('user_profile').set({ phone: '+491711234567' }).where('id', '=', BEN.id).execute()
    for (const [who, sees] of [
      [PAUL, true],
      [VERA, true],
      [ANN, false],
      [zoe, false],
    ] as const) {
      assert.equal(/href="tel:\+491711234567">.*\+49 171 1234567/.test((await get(who, page)).text), sees, who.name)
      assert.equal((await get(who, csv)).text.includes('+49 171 1234567'), sees, who.name)
    }
  })

  test('is visible to people who see the event only', async () => {
    const { page, csv } = await addEvent(0)
    const stranger = await world.addPerson({ name: 'Stranger' })
    for (const path of [page, csv]) {
      assert.equal((await world.withSession(stranger).get(path, { unchecked })).status, 404)
      assert.match((await world.nobody.get(path, { unchecked })).headers.location!, /^\/accounts\/login\//)
    }
  })

  test('has a row for each person by position, each open place and each request', async () => {
    const { page } = await addEvent(0)
    const { text } = await get(PAUL, page)
    assert.deepEqual(checkMarkup(text), [])
    const rows = [...text.matchAll(/<tr class="roster-([a-z-]+)">(.*?)<\/tr>/gs)].map(
      ([, kind, row]) => `${kind}: ${plain(row!).trim()}`,
    )
    assert.match(rows[0]!, /^confirmed: 1 Ben .*Medic.*Tent 08:30–09:00/)
    assert.match(rows[1]!, /^open: 2 open Tent/)
    assert.ok(
      rows.some((row) => /^open: \d open Bikes/.test(row)),
      rows.join('\n'),
    )
    assert.ok(rows.some((row) => /^requested: \d Zoe requested/.test(row)))
    assert.ok(!rows.some((row) => /Vera/.test(row)))
    assert.equal(rows.filter((row) => row.startsWith('open')).length, 3)
  })

  test('names the vehicles of each shift, in the CSV too', async () => {
    const { page, csv, shifts } = await addEvent(0)
    const { write } = world.db
    const category = await write
      .insertInto('resource_category')
      .values({ name: 'Vans' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const title of ['Van 1', 'Van 2']) {
      const van = { title, category_id: category.id }
      const { id } = await write.insertInto('resource').values(van).returning('id').executeTakeFirstOrThrow()
      await write.insertInto('shift_resource').values({ shift_id: shifts[0]!, resource_id: id }).execute()
    }
    const sections = (await get(ANN, page)).text.match(/<section class="roster-shift.*?<\/header>/gs)!.map(plain)
    assert.match(sections[0]!, /North.*Resources: Van 1 and Van 2/)
    assert.doesNotMatch(sections[1]!, /Van/)
    const lines = (await get(ANN, csv)).text.split('\r\n')
    assert.match(lines[0]!, /,Resources$/)
    assert.match(lines[1]!, /^North,.*,"Van 1, Van 2"$/)
  })

  test('as a sign-in sheet has columns to fill in and nothing that is not for everybody who signs', async () => {
    const { page, shifts } = await addEvent(0)
    await world.db.write.updateTable('user_profile').set({ phone: '+491711234567' }).where('id', '=', BEN.id).execute()
    const { text } = await get(PAUL, `${page}?shift=${shifts[0]}&sheet=1&comments=all`)
    assert.deepEqual(checkMarkup(text), [])
    const heads = [...text.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, label]) => label)
    assert.deepEqual(heads, ['No.', 'Name', 'Position', 'Time', 'Came', 'Left', 'Signature'])
    assert.doesNotMatch(text, /canary|tel:|roster-warning/)
    assert.match((await get(PAUL, `${page}?comments=all`)).text, /roster-warning/)
    assert.match(text, /<tr class="roster-open">(?:(?!<\/tr>).)*<td class="roster-time"[^>]*>\d\d:\d\d/s)
  })

  test('can show one shift and leave out requests', async () => {
    const { page, shifts } = await addEvent(0)
    const south = plain((await get(PAUL, `${page}?shift=${shifts[1]}&requests=0`)).text)
    assert.match(south, /\bAnn\b/)
    assert.doesNotMatch(/<tbody.*<\/tbody>/s.exec((await get(PAUL, `${page}?requests=0`)).text)![0], /Zoe/)
    assert.doesNotMatch(/<tbody.*<\/tbody>/s.exec((await get(PAUL, `${page}?shift=${shifts[1]}`)).text)![0], /Ben/)
    // A box that is ticked sends both values.
    assert.match((await get(PAUL, `${page}?requests=0&requests=1`)).text, /Zoe/)
  })

  test('is exported as CSV with a byte order mark and without formulas', async () => {
    const { csv } = await addEvent(0)
    const { text, headers } = await get(PAUL, csv)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(headers['content-disposition']!, /attachment; filename="roster-harbour-run\.csv"/)
    assert.ok(text.startsWith('\ufeffShift,From,Until,Status,Name,'))
    assert.match(text, /,'=cmd\(\),/)
    assert.match(text, /North,2031-05-04 08:30,2031-05-04 09:00,confirmed,Ben,Medic,Tent/)
  })
})
