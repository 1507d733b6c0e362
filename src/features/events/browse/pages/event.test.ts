import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const unchecked = true
const START = '2031-05-04T08:00:00+02:00'

describe('the page of an event', async () => {
  const world = await openWorld()

  const open = (who: Person, path: string) => world.withSession(who).get(path, { unchecked })
  async function read(who: Person, path: string): Promise<string> {
    const { status, text } = await open(who, path)
    assert.equal(status, 200, path)
    assert.deepEqual(checkMarkup(text), [])
    return text
  }

  test('shows planners, and nobody else, who is missing for a part of the time', async () => {
    const driver = await world.addQualification('Driver')
    const mix = {
      structure: 'qualification_mix',
      configuration: { qualification_requirements: [{ qualification: driver.id, min_count: 1, max_count: 3 }] },
      start: '2031-05-04T16:00:00+02:00',
      end: '2031-05-04T22:00:00+02:00',
    }
    const { id, shifts } = await world.addEvent({
      title: 'Tour',
      seenBy: [HELPERS],
      shifts: [
        { ...mix, label: 'Nobody', stats: { missing: 1 } },
        { ...mix, label: 'Two halves' },
        { label: 'Plain', stats: { missing: 1 } },
      ],
    })
    await world.holds(BEN, driver)
    await world.holds(PAUL, driver)
    await world.addParticipation({ who: BEN, shift: shifts[1]!, end: '2031-05-04T18:00:00+02:00' })
    await world.addParticipation({ who: PAUL, shift: shifts[1]!, start: '2031-05-04T20:00:00+02:00' })
    const text = await read(OLGA, `/events/${id}-tour/`)
    const said = [...text.matchAll(/<span>([^<]*missing[^<]*)<\/span><\/p>/g)].map((found) => found[1])
    assert.deepEqual(said, ['Driver missing 18:00–20:00'])
    assert.doesNotMatch(await read(ANN, `/events/${id}-tour/`), /missing|staffing-bar/)
  })

  test('shows title, time, place, type, text and shifts', async () => {
    const skill = await world.addQualification('Medic')
    const { id } = await world.addEvent({
      title: 'Harbour run',
      location: 'Pier 3 & 4',
      description: '# Bring **boots**\n\n<script>alert(1)</script>',
      seenBy: [HELPERS],
      shifts: [
        {
          label: 'North <b>',
          start: START,
          end: '2031-05-05T02:00:00+02:00',
          meeting: '2031-05-04T07:30:00+02:00',
          configuration: { required_qualification_ids: [skill.id], minimum_age: 18 },
          stats: { missing: 2, free: 4, min: 2, max: 4 },
        },
        {
          structure: 'qualification_mix',
          configuration: {
            qualification_requirements: [
              { qualification: skill.id, min_count: 1, max_count: 3 },
              { qualification: null, max_count: null },
            ],
          },
        },
      ],
    })
    const text = await read(ANN, `/events/${id}-harbour-run/`)
    for (const part of [
      '<h1>Harbour run</h1>',
      'Pier 3 &amp; 4',
      'Sun 4 May 08:00 → Mon 02:00',
      'Service',
      '<h3>Bring <strong>boots</strong></h3>',
      '&lt;script&gt;alert(1)&lt;/script&gt;',
      'North &lt;b&gt;',
      'meet 07:30',
      'You lack a qualification',
      '<span>Medic\u00a0·</span> <span>aged 18 or over</span>',
      '<span>1–3\u00a0×\u00a0Medic\u00a0·</span> <span>any number with any qualification</span>',
      'Nobody has signed up yet. Be the first!',
    ])
      assert.ok(text.includes(part), part)
    assert.ok(!text.includes('<script>alert'))
    const planned = await read(OLGA, `/events/${id}-harbour-run/`)
    for (const part of ['2 missing', '0 of 4']) assert.ok(planned.includes(part) && !text.includes(part), part)
  })

  test('is found by its id and redirects to its canonical URL', async () => {
    const { id } = await world.addEvent({ title: 'Übung: “Nord”', seenBy: [HELPERS], shifts: [{}] })
    for (const path of [`/events/${id}/`, `/events/${id}-/`, `/events/${id}-old-title/`, `/events/${id}-UBUNG-NORD/`]) {
      const { status, headers } = await open(ANN, `${path}?a=1`)
      assert.deepEqual([status, headers.location], [303, `/events/${id}-ubung-nord/?a=1`])
    }
    await read(ANN, `/events/${id}-ubung-nord/?a=1`)
  })

  test('is 404 for people who may not see it, whatever the URL', async () => {
    const { id } = await world.addEvent({ title: 'Secret', seenBy: [HELPERS], shifts: [{}] })
    const hidden = await open(PAUL, `/events/${id}/`)
    const unknown = await open(PAUL, '/events/999999999/')
    assert.deepEqual([hidden.status, unknown.status], [404, 404])
    assert.ok(!hidden.text.includes('Secret'))
    assert.deepEqual(checkMarkup(hidden.text), [])
    for (const odd of ['x', '0', '-1', '1.5', '9'.repeat(16), '99999999999999999999', '%00', '1%2F2'])
      assert.equal((await open(ANN, `/events/${odd}/`)).status, 404, odd)
  })

  test('requires a session, not a token', async () => {
    const { id } = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
    for (const caller of [world.nobody, world.as(ANN, 'PUBLIC_READ')]) {
      const { status, headers } = await caller.get(`/events/${id}/`, { unchecked })
      assert.deepEqual([status, headers.location], [303, `/accounts/login/?next=%2Fevents%2F${id}%2F`])
    }
  })

  test('is visible to participants outside its groups and to people who see all events', async () => {
    const { id, shifts } = await world.addEvent({ title: 'Far', shifts: [{}, {}] })
    await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 2 })
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 4 })
    await read(ANN, `/events/${id}-far/`)
    await read(OLGA, `/events/${id}-far/`)
    assert.equal((await open(BEN, `/events/${id}-far/`)).status, 404)
  })

  test('is 404 for deleted events; drafts are visible to people who may see them and add events', async () => {
    const deleted = await world.addEvent({ deleted: true, seenBy: [HELPERS], shifts: [{}] })
    for (const who of [ANN, OLGA]) assert.equal((await open(who, `/events/${deleted.id}/`)).status, 404)
    const draft = await world.addEvent({ title: 'New', draft: true, seenBy: [HELPERS, PLANNERS], shifts: [{}] })
    assert.equal((await open(ANN, `/events/${draft.id}-new/`)).status, 404)
    for (const who of [PAUL, OLGA])
      assert.match(await read(who, `/events/${draft.id}-new/`), /class="badge[^"]*">draft<.*class="notice/s)
    const hidden = await world.addEvent({ draft: true, seenBy: [HELPERS], shifts: [{}] })
    assert.equal((await open(PAUL, `/events/${hidden.id}/`)).status, 404)
  })

  test('links to a map and the calendar file; for planners also to the board, the roster and messages', async () => {
    const { id, shifts } = await world.addEvent({
      title: 'Tools',
      location: 'Pier 3 & 4',
      seenBy: [HELPERS, PLANNERS],
      responsible: [BEN],
      shifts: [{}],
    })
    const linksFor = async (who: Person) =>
      [...(await read(who, `/events/${id}-tools/`)).matchAll(/href="(\/(?:events|shifts)\/\d+\/[^"]*|https:[^"]*)"/g)].map(
        (found) => found[1]!,
      )
    const all = ['https://www.openstreetmap.org/search?query=Pier+3+%26+4', `/events/${id}/calendar.ics`]
    for (const link of all) assert.ok((await linksFor(ANN)).includes(link), link)
    const planning = [
      `/events/${id}/board/`,
      `/events/${id}/roster/`,
      `/events/${id}/message/`,
      `/shifts/${shifts[0]}/disposition/`,
    ]
    for (const link of planning) {
      assert.ok((await linksFor(BEN)).includes(link), link)
      assert.ok((await linksFor(OLGA)).includes(link), link)
      assert.ok(!(await linksFor(ANN)).includes(link), link)
      assert.ok(!(await linksFor(PAUL)).includes(link), link)
    }
  })

  test('names the people who plan with their mail address, and with their phone number if they allow it', async () => {
    const planner = await world.addPerson({ name: 'Petra Plan', phone: '+491711234567' })
    const { id } = await world.addEvent({ title: 'Ask', seenBy: [HELPERS], responsible: [planner, PLANNERS], shifts: [{}] })
    const contact = async () =>
      /<aside class="event-contact" id="contact">.*?<\/aside>/s.exec(await read(ANN, `/events/${id}-ask/`))![0]
    const before = await contact()
    assert.match(before, /Petra Plan.*href="mailto:[^"]+@.*Paul/s)
    assert.doesNotMatch(before, /tel:/)
    await world.db.write.updateTable('user_profile').set({ shows_phone: true }).where('id', '=', planner.id).execute()
    assert.match(await contact(), /href="tel:\+491711234567">.*\+49 171 1234567/s)
    await world.db.write
      .updateTable('user_profile')
      .set({ email_invalid: true, is_active: true })
      .where('id', '=', planner.id)
      .execute()
    assert.doesNotMatch(await contact(), new RegExp(planner.email))
  })

  test('shows that an event is cancelled and why, without staffing', async () => {
    const stats = { missing: 3, free: 3, min: 3, max: 3 }
    const wish = { title: 'Off', cancelled: true, seenBy: [HELPERS], shifts: [{ stats }] }
    const { id, shifts } = await world.addEvent(wish)
    await world.addParticipation({ who: ANN, shift: shifts[0]! })
    await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 0 })
    for (const who of [ANN, BEN]) {
      const text = await read(who, `/events/${id}-off/`)
      assert.match(text, /This event is cancelled\.<\/p><p>storm<\/p>/)
      assert.match(text, /tone-bad">cancelled<\/span><\/p><\/div><div class="shift-actions"><\/div>/)
      assert.doesNotMatch(text, /missing|Be the first|not decided|You’re in/)
    }
    assert.equal((await open(PAUL, `/events/${id}-off/`)).status, 404)
  })

  test('shows that an event is over', async () => {
    const past = { start: '2031-04-01T08:00:00Z', stats: { missing: 2, free: 2, min: 2, max: 2 } }
    const { id } = await world.addEvent({ title: 'Gone', seenBy: [HELPERS], shifts: [past] })
    const text = await read(ANN, `/events/${id}-gone/`)
    assert.match(text, /This event is over\..*Nobody signed up\./s)
    assert.doesNotMatch(text, /missing/)
  })

  test('shows an event without shifts', async () => {
    const { id } = await world.addEvent({ title: 'Bare', seenBy: [HELPERS] })
    assert.match(await read(ANN, `/events/${id}-bare/`), /no shifts yet.*href="\/events\/"/s)
  })

  describe('people', () => {
    /** Ben is confirmed, a guest requested, a visitor declined; Ann is in the audience, Paul is responsible. */
    async function addPeople(mode: number) {
      const type = await world.addType({ title: `Mode ${mode}`, showParticipantData: mode })
      const event = await world.addEvent({ title: 'Fair', type, seenBy: [HELPERS, VERA], responsible: [PAUL], shifts: [{}, {}] })
      const [first, second] = event.shifts as [number, number]
      await world.addParticipation({ who: BEN, shift: first })
      await world.addParticipation({ who: { guest: { name: 'Gustav' } }, shift: first, state: 0 })
      await world.addParticipation({ who: { visitor: { name: 'Nora' }, of: NORD }, shift: first, state: 2 })
      await world.addParticipation({ who: { placeholder: 'Two of the choir' }, shift: second })
      return { ...event, path: `/events/${event.id}-fair/` }
    }
    const namesIn = (text: string) => ['Ben', 'Gustav', 'Nora', 'Two of the choir'].filter((name) => text.includes(name))
    const ALL = ['Ben', 'Gustav', 'Two of the choir']
    const CONFIRMED = ['Ben', 'Two of the choir']

    for (const [mode, byAnn] of [
      [0, CONFIRMED],
      [1, []],
      [2, []],
      [3, CONFIRMED],
    ] as const) {
      test(`mode ${mode} shows ${byAnn.length ? 'names' : 'only how many there are'} to people who see the event`, async () => {
        const { path } = await addPeople(mode)
        const text = await read(ANN, path)
        assert.deepEqual(namesIn(text), byAnn)
        if (byAnn.length) return
        assert.equal(text.match(/<span>1 person<\/span>/g)?.length, 2, 'without the request')
        assert.match(
          text,
          mode === 1 ? /Only confirmed participants can see names/ : /Only the people who plan this event can see names/,
        )
      })

      test(`mode ${mode} shows names to the responsible, without people who declined`, async () => {
        const { path } = await addPeople(mode)
        const text = await read(PAUL, path)
        assert.deepEqual(namesIn(text), ALL)
        assert.match(text, /Gustav<\/span><span class="position-note">requested/)
        assert.doesNotMatch(text, /can see names/)
      })
    }

    test('mode 1 shows names to people who are confirmed in any shift, not to people who requested', async () => {
      const { path, shifts } = await addPeople(1)
      await world.addParticipation({ who: ANN, shift: shifts[1]!, state: 0 })
      const requested = await read(ANN, path)
      assert.deepEqual(namesIn(requested), [])
      assert.match(requested, /Ann<\/span><span class="position-note">you, requested/)
      assert.match(requested, /and 1 more person/)
      await world.db.write
        .updateTable('participation')
        .set({ state: 1 })
        .where('user_id', '=', ANN.id)
        .where('shift_id', '=', shifts[1]!)
        .execute()
      assert.deepEqual(namesIn(await read(ANN, path)), CONFIRMED)
    })

    test('people who may view profiles see the names of users', async () => {
      const { path } = await addPeople(2)
      const text = await read(VERA, path)
      assert.deepEqual(namesIn(text), ['Ben'])
      assert.match(text, /<span>1 person<\/span>/)
    })

    test('shows people by team and who is missing', async () => {
      const teams = [
        { uuid: 'a', title: 'Gate', min_count: 2, max_count: 3 },
        { uuid: 'b', title: 'Buffet', min_count: 1, max_count: null },
      ]
      const wish = { title: 'Teams', seenBy: [HELPERS], shifts: [{ structure: 'named_teams', configuration: { teams } }] }
      const { id, shifts } = await world.addEvent(wish)
      await world.addParticipation({ who: BEN, shift: shifts[0]!, data: { preferred_team_uuid: 'b', dispatched_team_uuid: 'a' } })
      await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0, data: { preferred_team_uuid: 'gone' } })
      const of = (lack: string) =>
        new RegExp(`Gate</b><span>2–3</span>.*Ben.*${lack}.*Buffet</b><span>1 or more</span>.*${lack}.*Not in a team.*Ann`, 's')
      assert.match(await read(ANN, `/events/${id}-teams/`), of('1 place free'))
      assert.match(await read(OLGA, `/events/${id}-teams/`), of('1 missing'))
    })

    test('shows people at places that need their qualifications, and open places', async () => {
      const medic = await world.addQualification('Medic')
      const qualification_requirements = [
        { qualification: medic.id, min_count: 2, max_count: 2 },
        { qualification: null, min_count: 0, max_count: 5 },
      ]
      const { id, shifts } = await world.addEvent({
        title: 'Mix',
        seenBy: [HELPERS],
        shifts: [
          {
            structure: 'qualification_mix',
            configuration: { qualification_requirements },
            stats: { missing: 1, free: 5, min: 2, max: 7 },
          },
        ],
      })
      const [mia, hal] = [await world.addPerson({ name: 'Mia' }), await world.addPerson({ name: 'Hal' })]
      await world.holds(mia, medic)
      for (const who of [hal, mia]) await world.addParticipation({ who, shift: shifts[0]!, state: 1 })
      const text = await read(ANN, `/events/${id}-mix/`)
      assert.match(text, /aria-label="Medic">(?:(?!<ul).)*Mia(?:(?!<ul).)*1 place free/s)
      assert.match(text, /<ul class="positions" role="list" aria-label="(?!Medic)[^"]+">(?:(?!<ul).)*Hal/s)
    })

    test('units are a tree that folds, with counts, below own state and actions; only the unit of the reader is open', async () => {
      const { write } = world.db
      const blocks = await write
        .insertInto('building_block')
        .values([
          { name: 'Ambulance', block_type: 'atomic' },
          { name: 'Train', block_type: 'composite' },
        ])
        .returning('id')
        .execute()
      const [ambulance, train] = blocks.map(({ id }) => id) as [number, number]
      await write
        .insertInto('block_position')
        .values([
          { block_id: ambulance, label: 'Driver' },
          { block_id: ambulance, label: 'Medic' },
        ])
        .execute()
      const parts = await write
        .insertInto('block_composition')
        .values(['First', 'Second'].map((label) => ({ block_id: train, sub_block_id: ambulance, label })))
        .returning('id')
        .execute()
      const uuids = ['a', 'b', 'c', 'd'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`)
      const labels = ['North', 'South', 'East', 'West']
      const starting_blocks = uuids.map((uuid, at) => ({ uuid, building_block: train, label: labels[at], optional: false }))
      const { id, shifts } = await world.addEvent({
        title: 'Big',
        seenBy: [HELPERS],
        shifts: [{ structure: 'complex', configuration: { starting_blocks } }],
      })
      const place = { dispatched_unit_path: `root.${uuids[0]}.${parts[1]!.id}.` }
      for (const who of [ANN, BEN]) await world.addParticipation({ who, shift: shifts[0]!, state: 1, data: place })
      const text = await read(ANN, `/events/${id}-big/`)
      assert.ok(text.indexOf('You’re in') < text.indexOf('class="units"'), 'own state first')
      const units = [
        ...text.matchAll(/<details class="unit"( open)?\s*><summary><b>([^<]+)<\/b><span class="unit-count">([^<]+)</g),
      ]
      assert.deepEqual(
        units.map(([, open, title, count]) => `${title} ${count}${open ? ' open' : ''}`),
        [
          'North 2 confirmed open',
          'First 0 confirmed open',
          'Second 2 confirmed open',
          ...['South', 'East', 'West'].flatMap((label) => [
            `${label} 0 confirmed`,
            'First 0 confirmed open',
            'Second 0 confirmed open',
          ]),
        ],
      )
      assert.match(text, /<span>Ann<\/span><span class="position-note">(Driver|Medic), you<\/span>/)
    })

    test('a long list expands without JavaScript', async () => {
      const { id, shifts } = await world.addEvent({ title: 'Crowd', seenBy: [HELPERS], shifts: [{}] })
      for (let n = 1; n <= 14; n++) await world.addParticipation({ who: { placeholder: `Helper ${n}` }, shift: shifts[0]! })
      assert.match(await read(ANN, `/events/${id}-crowd/`), /Helper 11.*<summary>3 more<\/summary>.*Helper 12/s)
    })

    test('an invalid configuration does not break the page', async () => {
      const shifts = ['uniform', 'named_teams', 'qualification_mix', 'complex', 'unheard of'].map((structure) => ({
        structure,
        configuration: { teams: 7, starting_blocks: [{}], qualification_requirements: 'x', required_qualification_ids: null },
      }))
      const event = await world.addEvent({ title: 'Odd', seenBy: [HELPERS], shifts })
      for (const shift of event.shifts) await world.addParticipation({ who: BEN, shift })
      assert.equal((await read(ANN, `/events/${event.id}-odd/`)).match(/>Ben</g)?.length, 5)
    })
  })

  describe('the state of the reader', () => {
    for (const [state, sentence] of [
      [0, 'Requested'],
      [1, 'You’re in'],
      [2, 'You declined'],
      [3, 'Your request was rejected'],
    ] as const) {
      test(`is shown in words for state ${state}`, async () => {
        const { id, shifts } = await world.addEvent({ title: 'Own', seenBy: [HELPERS], shifts: [{}] })
        await world.addParticipation({ who: ANN, shift: shifts[0]!, state })
        assert.ok((await read(ANN, `/events/${id}-own/`)).includes(`${sentence}</span>`))
        assert.ok(!(await read(BEN, `/events/${id}-own/`)).includes(`${sentence}</span>`))
      })
    }

    test('includes individual times', async () => {
      const { id, shifts } = await world.addEvent({ title: 'Late', seenBy: [HELPERS], shifts: [{ start: START }] })
      await world.addParticipation({ who: ANN, shift: shifts[0]!, start: '2031-05-04T08:30:00+02:00' })
      assert.match(await read(ANN, `/events/${id}-late/`), /For you: 08:30–09:00/)
    })
  })

  test('is translated to German', async () => {
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', BEN.id).execute()
    const type = await world.addType({ showParticipantData: 2 })
    const { id, shifts } = await world.addEvent({ title: 'Lauf', type, cancelled: true, seenBy: [HELPERS], shifts: [{}, {}] })
    await world.addParticipation({ who: ANN, shift: shifts[0]! })
    const text = await read(BEN, `/events/${id}-lauf/`)
    assert.match(text, /<html lang="de">.*So 4\. Mai 08:00–09:00.*Diese Veranstaltung fällt aus.*1 Person/s)
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', BEN.id).execute()
  })
})
