import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { changeableBy, openTo, shownTo } from '#features/events/events/access.ts'
import { plansEvents } from '#features/events/events/queries/planned-events.ts'
import { identityShownTo, profileViewableBy } from '#features/staffing/participations/access.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { explainEvent, findCandidates } from './queries/explanation.ts'
import { viewersOf } from './queries/viewers.ts'

/** Pseudo-random numbers that are the same in every run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PERMISSIONS: Permission[] = [
  'view_event',
  'add_event',
  'change_event',
  'view_user',
  'change_user',
  'decide_working_hours_for_group',
  'view_journal',
  'change_file',
]

describe('random people and events', async () => {
  const world = await openWorld()
  const { write } = world.db
  const random = randomFrom(17)
  const chance = (percent: number) => random(100) < percent
  const people: Person[] = []
  for (let i = 0; i < 24; i++) {
    people.push(
      await world.addPerson({
        name: `Random ${i}`,
        isStaff: chance(8),
        isSuperuser: chance(4),
        isActive: !chance(10),
        permissions: PERMISSIONS.filter(() => chance(8)),
      }),
    )
  }
  const groups = []
  for (let i = 0; i < 5; i++)
    groups.push(
      await world.addGroup(
        `Group ${i}`,
        people.filter(() => chance(20)),
        PERMISSIONS.filter(() => chance(6)),
      ),
    )
  const types = []
  for (const showParticipantData of [0, 1, 2, 3])
    types.push(await world.addType({ title: `Type ${showParticipantData}`, showParticipantData }))
  const events: number[] = []
  for (let i = 0; i < 30; i++) {
    const { id, shifts } = await world.addEvent({
      title: `Event ${i}`,
      type: types[random(4)]!,
      draft: chance(15),
      deleted: chance(8),
      cancelled: chance(8),
      seenBy: [...groups.filter(() => chance(20)), ...people.filter(() => chance(4))],
      responsible: [...groups.filter(() => chance(8)), ...people.filter(() => chance(4))],
      shifts: [{}],
    })
    events.push(id)
    for (const who of people)
      if (chance(12)) await world.addParticipation({ who, shift: shifts[0]!, state: random(5) as 0 | 1 | 2 | 3 | 4 })
  }
  for (let i = 0; i < 12; i++)
    await sql`insert into profile_user_grant (user_id, viewer_id) values (${people[random(24)]!.id}, ${people[random(24)]!.id}) on conflict do nothing`.execute(
      write,
    )
  for (let i = 0; i < 6; i++)
    await sql`insert into profile_group_grant (user_id, group_id) values (${people[random(24)]!.id}, ${groups[random(5)]!.id}) on conflict do nothing`.execute(
      write,
    )
  // Every third person uploaded a file.
  const uploaders = people.filter((_, index) => index % 3 === 0)
  for (const { id } of uploaders) await write.insertInto('attachment').values({ title: 'Plan', uploader_id: id }).execute()
  // The search returns twenty people at most.
  const candidates: Awaited<ReturnType<typeof findCandidates>> = []
  for (const { name } of people) candidates.push((await findCandidates(write, name)).find((each) => each.name === name)!)

  test('the explanation says what the condition of the event page says', async () => {
    let seen = 0
    const wrong: string[] = []
    for (const candidate of candidates)
      for (const eventId of events) {
        const { rows } = await sql`select from event e where e.id = ${eventId} and ${openTo(candidate.actor)}`.execute(write)
        const sees = rows.length > 0 && candidate.isActive
        const explained = (await explainEvent(write, eventId, candidate))!
        const isConsistent =
          explained.sees === sees && (explained.sees ? explained.reasons.length > 0 : explained.obstacles.length > 0)
        if (!isConsistent) wrong.push(`${candidate.name} ${eventId}`)
        if (sees) seen++
      }
    assert.deepEqual(wrong, [])
    assert.ok(seen > 100 && seen < candidates.length * events.length - 100, `${seen} pairs`)
  })

  test('who sees a person is what the conditions of pages say about each reader', async () => {
    const wrong: string[] = []
    let found = 0
    for (const person of candidates) {
      const { rows } = await sql<{
        area: string
        user_id: number
      }>`select distinct area, user_id from (${viewersOf(person.id, contextAs(world, OLGA))}) v`.execute(write)
      for (const reader of candidates) {
        if (reader.id === person.id) continue
        const named = await sql`
          select from participation p join event e on e.id = p.event_id join event_type t on t.id = e.type_id
          where p.user_id = ${person.id} and ${shownTo(reader.actor)} and ${identityShownTo(reader.actor)} limit 1`.execute(write)
        const exists = async (query: RawBuilder<unknown>) => (await query.execute(write)).rows.length > 0
        const { actor } = reader
        const takesPart = (condition: RawBuilder<unknown>) => sql`
          select from participation p join event e on e.id = p.event_id
          where p.user_id = ${person.id} and ${shownTo(actor)} and ${condition} limit 1`
        // Boards also show drafts, and events that the planner is not invited to.
        const plans = await exists(sql`
          select from participation p join event e on e.id = p.event_id
          where p.user_id = ${person.id} and e.deleted_at is null and ${changeableBy(actor)} limit 1`)
        const truth: Record<string, boolean> = {
          phone: plans || (await exists(takesPart(profileViewableBy(actor)))),
          comments: plans,
          account: hasPermission(actor, 'change_user'),
          hours: hasPermission(actor, 'view_user') || hasPermission(actor, 'decide_working_hours_for_group'),
          lists:
            person.isActive &&
            (hasPermission(actor, 'add_event') ||
              hasPermission(actor, 'change_event') ||
              (await plansEvents({ db: write, actor, now: world.now } as never))),
          contact: await exists(sql`
            select from event e join user_profile me on me.id = ${person.id} and me.is_active and me.is_visible
            where ${shownTo(actor)} and (
              exists (select from event_user_grant g where g.event_id = e.id and g.permission = 'change' and g.user_id = me.id)
              or exists (select from event_group_grant g join user_group_member m using (group_id)
                where g.event_id = e.id and g.permission = 'change' and m.user_id = me.id))`),
          profile: hasPermission(reader.actor, 'view_user'),
          log: hasPermission(reader.actor, 'view_journal'),
          name: plans || named.rows.length > 0,
          files: uploaders.some(({ id }) => id === person.id) && hasPermission(reader.actor, 'change_file'),
        }
        for (const [area, isShown] of Object.entries(truth)) {
          const isListed = rows.some((row) => row.area === area && row.user_id === reader.id)
          if (isListed !== (isShown && reader.isActive)) wrong.push(`${area} of ${person.name} for ${reader.name}: ${isListed}`)
          if (isListed) found++
        }
      }
    }
    assert.deepEqual(wrong, [])
    assert.ok(found > 50, `${found} found`)
  })

  test('programs with an account are not among those who see a person', async () => {
    const reader = await world.addPerson({ name: 'Reader', permissions: ['view_user'] })
    const sees = async () => {
      const { rows } = await sql<{ user_id: number }>`
        select user_id from (${viewersOf(people[0]!.id, contextAs(world, OLGA))}) v where user_id = ${reader.id}`.execute(write)
      return rows.length > 0
    }
    assert.equal(await sees(), true)
    await write
      .updateTable('user_profile')
      .set({ is_service_account: true, is_visible: false, email_invalid: true })
      .where('id', '=', reader.id)
      .execute()
    assert.equal(await sees(), false)
  })
})

describe('pages about who sees what', async () => {
  const world = await openWorld()
  const { id } = await world.addEvent({
    title: 'Harbour fair',
    seenBy: [HELPERS],
    responsible: [PAUL],
    sharedWith: [NORD],
    shifts: [{}],
  })
  const olga = await browserOf(world, OLGA)

  test('administrators learn why a person sees an event, or not', async () => {
    assert.match((await olga.get(`/events/${id}-harbour-fair/`)).body, new RegExp(`/events/${id}/access/`))
    const page = (await olga.get(`/events/${id}/access/?q=a.example`)).body.replaceAll(/<[^>]+>/g, ' ')
    assert.match(page, /Helpers: 2 members.*Nord/s)
    assert.match(page, /Ann\s+sees it.*is a member of Helpers/s)
    assert.match(page, /Olga\s+sees it.*is an administrator/s)
    assert.match(page, /Paul\s+sees it.*is responsible for the event/s)
    assert.match(page, /Vera\s+does not see it.*is in no group of the event/s)
  })

  test('others do not', async () => {
    const ann = await browserOf(world, ANN)
    assert.equal((await ann.get(`/events/${id}/access/`)).statusCode, 403)
    assert.doesNotMatch((await ann.get(`/events/${id}-harbour-fair/`)).body, /\/access\//)
  })

  test('people see who sees them, with the names of those responsible for events that they see', async () => {
    const shift = (await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })).shifts[0]!
    await world.addParticipation({ who: BEN, shift, state: 1 })
    const ben = await browserOf(world, BEN)
    const page = (await ben.get('/settings/data/')).body.replaceAll(/<[^>]+>/g, ' ')
    assert.match(page, /Who can see what about you/)
    assert.match(page, /people responsible for your events\s*: Paul/)
    assert.match(page, /administrators\s*: 1 person/)
    assert.doesNotMatch(page, /Olga|Vera/)
  })
})

describe('who can see what, and what pages and the API show', async () => {
  const world = await openWorld()
  const { write } = world.db
  const zora = await world.addPerson({ name: 'Zora Zahl' })
  const PHONE = '+4917012345678'
  const planner = await world.addPerson({ name: 'Planner of the other' })
  const trusted = await world.addPerson({ name: 'Trusted' })
  const stranger = await world.addPerson({ name: 'Stranger' })
  const helpers = await world.addGroup('Crew', [trusted])
  const member = await world.addPerson({ name: 'Member' })
  await write.insertInto('user_group_member').values({ group_id: helpers.id, user_id: member.id }).execute()
  await write.updateTable('user_profile').set({ phone: PHONE, shows_phone: false }).where('id', '=', zora.id).execute()
  await write.insertInto('profile_user_grant').values({ user_id: zora.id, viewer_id: trusted.id }).execute()
  const readers = { member, planner, trusted, stranger, olga: OLGA, vera: VERA }
  const digits = (text: string) => text.replaceAll(/[\s\u00a0]|&nbsp;/g, '')

  type Shown = { name: boolean; email: boolean; phone: boolean }
  /** What the reader finds about Zora, at every place that could name her. */
  async function read(reader: Person, events: readonly number[]): Promise<Shown> {
    const browser = await browserOf(world, reader)
    const pages = [
      ...events.flatMap((id) => [`/events/${id}/`, `/events/${id}/roster/`, `/events/${id}/check-in/`]),
      `/manage/people/${zora.id}/`,
      '/manage/people/',
    ]
    const texts: string[] = []
    for (const page of pages) {
      const first = await browser.get(page)
      const { statusCode, body } = first.headers.location ? await browser.get(String(first.headers.location)) : first
      if (statusCode === 200) texts.push(body)
    }
    const caller = world.as(reader, 'PUBLIC_READ', 'CONFIDENTIAL_READ')
    for (const path of ['/api/participations/', '/api/participations-userinfo/', '/api/users/'])
      texts.push((await caller.get(path, { unchecked: true })).text)
    const all = texts.join('\n')
    return { name: all.includes(zora.name), email: all.includes(zora.email), phone: digits(all).includes(PHONE.slice(1)) }
  }
  async function say(reader: Person): Promise<Shown> {
    const { rows } = await sql<{ area: string }>`
      select distinct area from (${viewersOf(zora.id, contextAs(world, OLGA))}) v where v.user_id = ${reader.id}`.execute(write)
    const { shows_phone } = await write
      .selectFrom('user_profile')
      .select('shows_phone')
      .where('id', '=', zora.id)
      .executeTakeFirstOrThrow()
    const has = (...areas: string[]) => rows.some(({ area }) => areas.includes(area))
    return {
      name: has('profile', 'name', 'phone', 'contact'),
      email: has('profile', 'contact'),
      phone: has('profile', 'phone') || (shows_phone && has('contact')),
    }
  }
  async function compare(events: readonly number[]): Promise<string[]> {
    const seen: string[] = []
    for (const [who, reader] of Object.entries(readers)) {
      const shown = await read(reader, events)
      assert.deepEqual(await say(reader), shown, who)
      seen.push(`${who}: ${Object.keys(shown).filter((key) => shown[key as keyof Shown])}`)
    }
    return seen
  }

  for (const [showParticipantData, expected] of [
    [0, ['member: name', 'planner: name,phone', 'trusted: name,phone', 'stranger: ']],
    [2, ['member: ', 'planner: name,phone', 'trusted: name,phone', 'stranger: ']],
  ] as const)
    test(`agree about a participant, with participants of the event shown to ${showParticipantData}`, async () => {
      const type = await world.addType({ title: `Shown to ${showParticipantData}`, showParticipantData })
      const { id, shifts } = await world.addEvent({ type, seenBy: [helpers], responsible: [planner], shifts: [{}] })
      await world.addParticipation({ who: zora, shift: shifts[0]!, state: 1 })
      assert.deepEqual(await compare([id]), [...expected, 'olga: name,email,phone', 'vera: name,email,phone'])
      await write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', id).execute()
    })

  test('agree about a contact, who decides about the phone number', async () => {
    const { id } = await world.addEvent({ seenBy: [helpers], responsible: [zora], shifts: [{}] })
    assert.deepEqual((await compare([id])).slice(0, 4), ['member: name,email', 'planner: ', 'trusted: name,email', 'stranger: '])
    await write.updateTable('user_profile').set({ shows_phone: true }).where('id', '=', zora.id).execute()
    assert.equal((await compare([id]))[0], 'member: name,email,phone')
  })
})
