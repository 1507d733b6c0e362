import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Permission } from '#platform/auth/permissions.ts'
import type { PersonalTable } from '#platform/db/personal-table.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findCandidates, getEventAudience } from './queries/explanation.ts'
import { findOwnFiles, readRows } from './queries/export.ts'
import { findMentions, findNames, getIdentifyingPattern } from './queries/identifying.ts'
import { getDaysOf, previewRules } from './queries/retention.ts'
import { findOutsideViewers, findViewers, viewersOf } from './queries/viewers.ts'

describe('who sees an event, in numbers', async () => {
  const world = await openWorld()
  const { write } = world.db
  const resting = await world.addPerson({ name: 'Resting', isActive: false })
  const drivers = await world.addGroup('Drivers', [ANN, resting])
  const { id, shifts } = await world.addEvent({
    title: 'Fair',
    seenBy: [drivers, BEN, VERA],
    responsible: [PLANNERS, BEN],
    sharedWith: [NORD],
    shifts: [{}, {}],
  })
  const other = await world.addEvent({ title: 'Zoo', seenBy: [HELPERS, ANN], draft: true, shifts: [{}] })
  for (const shift of shifts) await world.addParticipation({ who: ANN, shift, state: 1 })
  await world.addParticipation({ who: BEN, shift: shifts[0]!, state: 4 })
  await world.addParticipation({ who: { placeholder: 'Somebody' }, shift: shifts[0]!, state: 1 })
  const shareWithGuests = (event_id: number, active: boolean) =>
    write
      .insertInto('guest_share')
      .values({ event_id, token_hash: Buffer.from(String(event_id)), token_sealed: '', active })
      .execute()
  await shareWithGuests(id, true)
  await shareWithGuests(other.id, false)

  test('groups with their active members, people by name, participants once, partners and guests', async () => {
    const audience = (await getEventAudience(write, id))!
    const members = (await write.selectFrom('user_group_member').select('user_id').where('group_id', '=', PLANNERS.id).execute())
      .length
    assert.deepEqual(audience, {
      id,
      title: 'Fair',
      isDraft: false,
      groups: [
        { name: 'Drivers', members: 1, isResponsible: false },
        { name: 'Planners', members, isResponsible: true },
      ],
      partners: [NORD.name],
      people: 2,
      participants: 1,
      hasGuestLink: true,
    })
  })
  test('a draft that is shared with nobody, and a link for guests that is off', async () => {
    const { isDraft, partners, people, participants, hasGuestLink } = (await getEventAudience(write, other.id))!
    assert.deepEqual([isDraft, partners, people, participants, hasGuestLink], [true, [], 1, 0, false])
  })
  test('nothing about events in the bin, and about none', async () => {
    const { id: deleted } = await world.addEvent({ deleted: true })
    assert.equal(await getEventAudience(write, deleted), undefined)
    assert.equal(await getEventAudience(write, 999_999), undefined)
  })

  test('people are found by all words in name or address, twenty at most, without deleted ones and programs', async () => {
    const namesFor = async (text: string) => (await findCandidates(write, text)).map(({ name }) => name)
    const people: Person[] = []
    for (let n = 0; n < 21; n++) people.push(await world.addPerson({ name: `Same ${String.fromCharCode(97 + n).repeat(3)}` }))
    assert.deepEqual(
      await namesFor('same'),
      people.slice(0, 20).map(({ name }) => name),
    )
    assert.deepEqual(await namesFor('same hhh'), ['Same hhh'])
    assert.deepEqual(await namesFor(people[3]!.email), ['Same ddd'])
    assert.deepEqual(await namesFor('same ann'), [])
    assert.deepEqual(await namesFor('  '), [])
    const change = (person: Person, values: object) =>
      write.updateTable('user_profile').set(values).where('id', '=', person.id).execute()
    await change(people[7]!, { deleted_at: world.now, is_active: false, is_visible: false })
    await change(people[8]!, { is_service_account: true, is_visible: false, email_invalid: true })
    assert.deepEqual([await namesFor('same hhh'), await namesFor('same iii')], [[], []])
    const [found] = await findCandidates(write, 'resting')
    assert.deepEqual([found!.id, found!.email, found!.isActive], [resting.id, resting.email, false])
  })
})

describe('what identifies a person', async () => {
  const world = await openWorld()
  const { write } = world.db
  const rita = await world.addPerson({ name: 'Rita Rabe', phone: '+49 151 2345678' })
  await write
    .insertInto('email_change')
    .values({ user_id: rita.id, former_email: 'before@a.example', new_email: 'after@a.example', requested_at: world.now })
    .execute()
  const logged = (person: Person, personal: object) =>
    sql`insert into journal (kind, at, actor_kind, subject_kind, subject_id, person_id, personal)
      values ('user.changed', ${world.now}, 'system', 'user', ${person.id}, ${person.id}, ${JSON.stringify(personal)})`.execute(
      write,
    )
  await logged(rita, { display_name: ['Rita Amsel', 'Rita Rabe'], phone: [null, '+49 30 987654'], note: 'Ordinary Words' })
  await logged(BEN, { display_name: 'Benjamin Fink' })

  test('are present and former names, addresses and numbers, of this person only', async () => {
    assert.deepEqual((await findNames(write, rita.id)).sort(), ['Rita Amsel', 'Rita Rabe'])
    const pattern = await getIdentifyingPattern(write, rita.id)
    const isFound = async (text: string) =>
      (await sql<{ yes: boolean }>`select ${text} ~ ${pattern} as yes`.execute(write)).rows[0]!.yes
    for (const text of ['Rita Amsel', 'before@a.example', 'after@a.example', rita.email, '+49 151 2345678', '+49 30 987654'])
      assert.equal(await isFound(text), true, text)
    for (const text of ['Ordinary Words', 'Benjamin Fink', BEN.email]) assert.equal(await isFound(text), false, text)
  })

  test('is found in texts of events, pages and the instance that stay', async () => {
    const add = (title: string, more: object = {}) => world.addEvent({ title, ...more })
    const events = [
      await add('With Rabe'),
      await add('Place', { location: 'at Rabe' }),
      await add('Text', { description: 'ask Rabe' }),
    ]
    await add('Nothing')
    await add('Rabe, deleted', { deleted: true })
    const page = (slug: string, title: string, content: string) =>
      write.insertInto('content_page').values({ slug, title, content }).returning('id').executeTakeFirstOrThrow()
    const pages = [await page('a', 'About Rabe', ''), await page('b', 'Other', 'Rabe')]
    await page('c', 'Nothing', '')
    await write.insertInto('setting').values({ name: 'first_page', value: '"Rabe"' }).execute()
    const ids = async () => (await findMentions(write, 'Rabe')).map(({ kind, id }) => [kind, id])
    const expected = [...events.toReversed().map(({ id }) => ['event', id]), ...pages.toReversed().map(({ id }) => ['page', id])]
    assert.deepEqual(await ids(), expected)
    await write.insertInto('setting').values({ name: 'imprint', value: '"by Rabe"' }).execute()
    assert.deepEqual(await ids(), [...expected.slice(0, 3), ['instance', null], ...expected.slice(3)])
  })
})

describe('the download', async () => {
  const world = await openWorld()
  const { write } = world.db

  test('has all rows of a table in pages of 500', async () => {
    const table = { table: 'day_period', column: 'user_id', export: { section: 'x' } } as unknown as PersonalTable
    const countPages = async (person: Person) => {
      const sizes: number[] = []
      for await (const rows of readRows(write, table, person.id)) sizes.push(rows.length)
      return sizes
    }
    const addDays = (person: Person, count: number) =>
      sql`insert into day_period (user_id, kind, first_day, last_day)
        select ${person.id}, 'cannot', date '2031-01-01' + n, date '2031-01-01' + n from generate_series(1, ${count}) n`.execute(
        write,
      )
    assert.deepEqual(await countPages(ANN), [])
    await addDays(ANN, 500)
    assert.deepEqual(await countPages(ANN), [500])
    await addDays(BEN, 501)
    assert.deepEqual(await countPages(BEN), [500, 1])
    assert.deepEqual(await countPages(ANN), [500], 'rows of others are left out')
    const seen = new Set<unknown>()
    for await (const rows of readRows(write, table, BEN.id)) for (const row of rows) seen.add(row.id)
    assert.equal(seen.size, 501)
  })

  test('has files on events, proofs and the picture of this person', async () => {
    const names: Record<string, string> = {}
    const addFile = async (name: string) => {
      const id = randomUUID()
      names[id] = name
      await write
        .insertInto('stored_file')
        .values({ id, name, bytes: 5, content_type: 'text/plain', sha256: Buffer.alloc(32, name) })
        .execute()
      return id
    }
    for (const person of [ANN, BEN]) {
      await write
        .insertInto('attachment')
        .values({ title: 'Plan', uploader_id: person.id, file_id: await addFile(`${person.name} plan`) })
        .execute()
      const { id } = await write
        .insertInto('decision_request')
        .values({ user_id: person.id, kind: 'qualification', data: '{}' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await write
        .insertInto('qualification_proof')
        .values({ request_id: id, file_id: await addFile(`${person.name} proof`) })
        .execute()
      await write
        .insertInto('profile_picture')
        .values({ user_id: person.id, file_id: await addFile(`${person.name} picture`) })
        .execute()
    }
    await addFile('nobody')
    const found = await findOwnFiles(write, ANN.id)
    assert.deepEqual(found.map(({ name }) => name).sort(), ['Ann picture', 'Ann plan', 'Ann proof'])
    assert.deepEqual(
      found.map(({ id, bytes }) => [names[id], bytes]).sort(),
      found.map(({ name, bytes }) => [name, bytes]).sort(),
    )
  })
})

describe('people and others who see somebody', async () => {
  const world = await openWorld()
  const { write } = world.db
  const named = (count: number) => Array.from({ length: count }, (_, n) => `Viewer ${String(n).padStart(2, '0')}`)

  test('are named up to ten in a group, for somebody who may see names', async () => {
    const people: Person[] = []
    for (const name of named(11)) people.push(await world.addPerson({ name }))
    await world.addGroup('Ten', people.slice(0, 10), ['view_journal'])
    await world.addGroup('Eleven', people, ['view_journal'])
    const context = contextAs(world, { ...VERA, permissions: ['view_user'] })
    const { groups, totals } = await findViewers(context, context.actor as never)
    const of = (name: string) => groups.find(({ area, group }) => area === 'log' && group === name)
    assert.deepEqual([of('Ten')?.count, of('Ten')?.names], [10, named(10)])
    assert.deepEqual([of('Eleven')?.count, of('Eleven')?.names], [11, null])
    const administrators = groups.find(({ area, reason }) => area === 'log' && reason === 'administrator')!
    assert.equal(totals.find(({ area }) => area === 'log')?.count, 11 + administrators.count)
    const plain = contextAs(world, { ...VERA, permissions: [] })
    const hidden = await findViewers(plain, plain.actor as never)
    assert.deepEqual(
      hidden.groups.filter(({ area }) => area === 'log').map(({ names }) => names),
      hidden.groups.filter(({ area }) => area === 'log').map(() => null),
    )
  })

  test('are counted once for each reason, however many shifts they share, and administrators of every kind are among them', async () => {
    const [kim, lou] = [await world.addPerson({ name: 'Kim' }), await world.addPerson({ name: 'Lou' })]
    const staff = await world.addPerson({ name: 'Staff', isStaff: true })
    for (let n = 0; n < 2; n++) {
      const { shifts } = await world.addEvent({ shifts: [{}, {}] })
      for (const shift of shifts) for (const who of [kim, lou]) await world.addParticipation({ who, shift })
    }
    const permitted = (name: string, ...permissions: Permission[]) => world.addPerson({ name, permissions })
    const both = await permitted('Both', 'change_event', 'view_event')
    const blind = await permitted('Blind', 'change_event')
    const { rows } = await sql<{ area: string; user_id: number; reason: string }>`
      ${viewersOf(kim.id, { now: world.now, site: world.app.site })}`.execute(write)
    const reasons = ({ id }: Person) =>
      rows.filter(({ user_id }) => user_id === id).map(({ area, reason }) => `${area} ${reason}`)
    assert.deepEqual(reasons(lou), ['name participants'])
    assert.deepEqual(
      reasons(staff).sort(),
      ['account', 'comments', 'hours', 'lists', 'log', 'name', 'phone', 'profile'].map((area) => `${area} administrator`),
    )
    // Boards open for whoever may change events, also without seeing them.
    const byPermission = ['comments', 'lists', 'name', 'phone'].map((area) => `${area} permission`)
    for (const each of [both, blind]) assert.deepEqual(reasons(each).sort(), byPermission)
    const context = contextAs(world, { ...VERA, id: kim.id, permissions: [] })
    const { groups } = await findViewers(context, context.actor as never)
    assert.equal(groups.find(({ area, reason }) => area === 'name' && reason === 'participants')?.count, 1)
  })

  test('are applications that the person allowed, and partners where they took part, once', async () => {
    const { id: application } = await write
      .insertInto('oauth_application')
      .values({ name: 'Planner app', client_id: 'c', client_secret_hash: 'h', allowed_scopes: ['ME_READ'], redirect_uris: [] })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [person, scopes] of [
      [ANN, ['ME_READ']],
      [BEN, ['PUBLIC_READ']],
    ] as const)
      await write
        .insertInto('oauth_consent')
        .values({ application_id: application, user_id: person.id, granted_at: world.now, scopes: [...scopes] })
        .execute()
    const hosts: number[] = []
    for (const name of ['Ost', 'West']) {
      const { id } = await write
        .insertInto('federated_host')
        .values({ name, url: `https://${name}.example`, access_token_sealed: 'x' })
        .returning('id')
        .executeTakeFirstOrThrow()
      hosts.push(id)
    }
    const takesPart = async (person: Person, host_id: number, remote_id: number) => {
      const { id } = await write
        .insertInto('partner_event')
        .values({ host_id, remote_id, title: 'Away', type_title: '', location: '', signup_url: '', fetched_at: world.now })
        .returning('id')
        .executeTakeFirstOrThrow()
      await write
        .insertInto('participation_abroad')
        .values({
          user_id: person.id,
          partner_event_id: id,
          remote_shift_id: remote_id,
          state: 1,
          start_time: world.now,
          end_time: new Date(world.now.getTime() + 1),
          fetched_at: world.now,
        })
        .execute()
    }
    await takesPart(ANN, hosts[0]!, 1)
    await takesPart(ANN, hosts[0]!, 2)
    await takesPart(BEN, hosts[1]!, 3)
    assert.deepEqual(await findOutsideViewers(write, ANN.id), [
      { kind: 'application', name: 'Planner app', scopes: ['ME_READ'] },
      { kind: 'partner', name: 'Ost', scopes: [] },
    ])
    assert.deepEqual(await findOutsideViewers(write, OLGA.id), [])
    assert.deepEqual(await findOutsideViewers(write, PAUL.id), [])
  })

  test('are people of partners and guests, where an event is shared with them and shows names', async () => {
    const kim = await world.addPerson({ name: 'Kim Gast' })
    const add = async (title: string, showParticipantData: number) => {
      const type = await world.addType({ showParticipantData })
      const { id, shifts } = await world.addEvent({ title, type, sharedWith: [NORD], responsible: [PAUL], shifts: [{}] })
      await world.addParticipation({ who: kim, shift: shifts[0]!, state: 1 })
      return id
    }
    const hidden = await add('Closed fair', 0)
    assert.deepEqual(await findOutsideViewers(write, kim.id), [])
    const open = await add('Open fair', 3)
    for (const [id, guestsSeeNames] of [
      [hidden, false],
      [open, true],
    ] as const) {
      await write
        .insertInto('guest_share')
        .values({ event_id: id, token_hash: Buffer.from(`${id}`), token_sealed: 'x' })
        .execute()
      await write.updateTable('event').set({ guests_see_names: guestsSeeNames }).where('id', '=', id).execute()
    }
    assert.deepEqual(await findOutsideViewers(write, kim.id), [
      { kind: 'guests', name: 'Open fair', scopes: [] },
      { kind: 'partner_people', name: 'Nord', scopes: [] },
    ])
    assert.deepEqual(await findOutsideViewers(write, PAUL.id), [{ kind: 'partner_contact', name: 'Nord', scopes: [] }])
  })
})

describe('rules of retention', async () => {
  const world = await openWorld()
  const found = { count: 3, oldest: world.now }
  const rule = (days: number) => ({
    name: `after ${days}`,
    getDays: async () => days,
    find: async (_db: unknown, before: Date) => ({ ...found, oldest: before }),
    remove: async () => 0,
  })

  test('find nothing while they are off, and otherwise what is older than their days', async () => {
    const before = new Date(world.now.getTime() - 7 * 24 * 3_600_000)
    assert.deepEqual(await previewRules(world.db.write, [rule(0), rule(7)], world.now), [
      { name: 'after 0', days: 0, count: 0, oldest: null },
      { name: 'after 7', days: 7, count: 3, oldest: before },
    ])
  })
  test('have days of their own, or those of a setting', async () => {
    await world.db.write.insertInto('setting').values({ name: 'retention_attendance_days', value: '365' }).execute()
    const named = { ...rule(5), setting: 'retention_attendance_days' as const }
    const { getDays: _, ...bySetting } = named
    assert.deepEqual([await getDaysOf(world.db.write, named), await getDaysOf(world.db.write, bySetting)], [5, 365])
  })
})
