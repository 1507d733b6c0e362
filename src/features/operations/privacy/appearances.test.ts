import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { cookieNames, VISITOR_COOKIE } from '#platform/http/cookies.ts'
import { contextAs } from '#test/support/command-context.ts'
import { Browser } from '#test/support/http-browser.ts'
import { NORD, OLGA, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import { type Area, findOutsideViewers, type OutsideKind, viewersOf } from './queries/viewers.ts'

/** What is known about Zora, as pages and the API write it. Phone numbers are compared without spaces. */
const KNOWN = {
  name: /Zora\s+Zacharias/,
  firstName: /Zora/,
  email: /zora\.login@/,
  contactEmail: /zora\.contact@/,
  formerEmail: /zora\.former@/,
  username: /zora\.user/,
  phone: /1701234567/,
  birth: /2015-03-17|17 Mar(?:ch)? 2015/,
  emergencyName: /Emmi Notfall/,
  emergencyPhone: /1709876543/,
  expiry: /2033-07-17|17 July? 2033/,
  picture: /\/people\/ZORA\/picture/,
  toPlanners: /A remark for planners/,
  toHer: /A remark for her/,
  toAll: /A remark for everybody/,
  answer: /peanuts make her ill/,
  hours: /polished the boat/,
  request: /please recognise this/,
} as const
type Fact = keyof typeof KNOWN

/** What the words of the page promise about each area. */
const CLAIMS: Record<Area, readonly Fact[]> = {
  profile: [
    'name',
    'email',
    'contactEmail',
    'username',
    'phone',
    'emergencyName',
    'emergencyPhone',
    'birth',
    'expiry',
    'picture',
  ],
  child: ['name', 'email', 'phone', 'emergencyName', 'emergencyPhone', 'birth'],
  account: ['name', 'email'],
  lists: ['name'],
  name: ['name', 'toAll'],
  phone: ['name', 'phone', 'emergencyName', 'emergencyPhone'],
  contact: ['name', 'email'],
  comments: ['name', 'toPlanners', 'toHer', 'toAll', 'answer'],
  hours: ['name', 'hours'],
  requests: ['name', 'request', 'hours'],
  files: ['name'],
  log: ['name', 'email', 'formerEmail'],
}
const OUTSIDE: Record<OutsideKind, readonly Fact[]> = {
  application: [],
  program: [],
  partner: [],
  partner_people: ['name', 'firstName'],
  partner_contact: ['name', 'firstName', 'email'],
  guests: ['firstName'],
}

/** Soon: planners see emergency contacts around the shift only. */
const SHIFT = { start: '2031-05-01T14:00:00+02:00', end: '2031-05-01T18:00:00+02:00', flow: 'instant_confirmation' }
const NO_PAGE = /^\/(assets|help|styleguide|accounts\/logout)|\/undo\/|\.(png|webp|ico|svg|js|css|json|webmanifest)$/

describe('what readers find about a person, on all pages and by the API', async () => {
  const world = await openWorld()
  const { write } = world.db
  const { now } = world
  const { seal } = world.app.site.keyring

  const zora = await world.addPerson({
    name: 'Zora Zacharias',
    email: 'zora.login@a.example',
    phone: '+491701234567',
    dateOfBirth: '2015-03-17',
  })
  await write
    .updateTable('user_profile')
    .set({
      contact_email: 'zora.contact@a.example',
      username: 'zora.user',
      emergency_name: 'Emmi Notfall',
      emergency_phone: '+491709876543',
    })
    .where('id', '=', zora.id)
    .execute()

  const people = { administrator: OLGA } as Record<string, Person>
  const add = async (role: string, more: Partial<Person> = {}): Promise<Person> => {
    const person = await world.addPerson({ name: `Reader ${Object.keys(people).length}`, ...more })
    people[role] = person
    return person
  }
  for (const permission of [
    'view_user',
    'change_user',
    'add_user',
    'view_group',
    'change_group',
    'view_event',
    'add_event',
    'change_event',
    'publish_event_for_group',
    'decide_working_hours_for_group',
    'view_journal',
    'add_file',
    'change_file',
    'change_qualification',
  ] as const)
    await add(permission, { permissions: [permission] })
  await add('view_event and change_event', { permissions: ['view_event', 'change_event'] })
  const planner = await add('planner')
  const planners = await world.addGroup('Planners of the fair', [await add('member of planners')])
  const members = await world.addGroup('Crew', [await add('member')])
  const trusted = await add('trusted, sees the event')
  const trustedElsewhere = await add('trusted, sees no event')
  for (const each of [trusted, trustedElsewhere]) await world.grantsProfile(each, zora)
  const [confirmed, declined] = [await add('confirmed'), await add('declined')]
  const guardian = await add('guardian')
  await write.insertInto('guardianship').values({ guardian_id: guardian.id, child_id: zora.id, since: now }).execute()
  const hers = await world.addGroup('Choir', [zora])
  const deciders = await world.addGroup('Deciders', [await add('decides hours')])
  await write
    .insertInto('group_grant')
    .values({ group_id: deciders.id, target_group_id: hers.id, permission: 'decide_working_hours_for_group' })
    .execute()
  await add('stranger')

  const type = await world.addType({ title: 'Open', showParticipantData: 3 })
  const fair = await world.addEvent({
    type,
    title: 'Fair',
    seenBy: [members, trusted, confirmed, declined],
    responsible: [planner, planners],
    sharedWith: [NORD],
    shifts: [SHIFT],
  })
  const shift = fair.shifts[0]!
  const own = await world.addParticipation({
    who: zora,
    shift,
    state: 1,
    comments: [
      { text: 'A remark for planners', level: 0 },
      { text: 'A remark for her', level: 1 },
      { text: 'A remark for everybody', level: 2 },
    ],
  })
  await world.addParticipation({ who: confirmed, shift, state: 1 })
  await world.addParticipation({ who: declined, shift, state: 2 })
  const byVisitor = await world.addParticipation({
    who: { visitor: { name: 'Vic', email: 'vic@nord.example' }, of: NORD },
    shift,
  })
  const byGuest = await world.addParticipation({ who: { guest: { name: 'Gus', email: 'gus@mail.example' } }, shift, state: 1 })

  const { id: question } = await write
    .insertInto('question')
    .values({ name: 'Diet', kind: 'text', text: 'What do you eat?' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await write.insertInto('shift_question').values({ shift_id: shift, question_id: question }).execute()
  await sql`insert into answer (participation_id, question_id, value) values (${own}, ${question}, '"peanuts make her ill"')`.execute(
    write,
  )
  await world.holds(zora, await world.addQualification('Climber'), new Date('2033-07-17T10:00:00Z'))
  await sql`insert into working_hours (user_id, hours, reason, date) values (${zora.id}, 3.5, 'polished the boat', '2031-04-01')`.execute(
    write,
  )
  await sql`insert into decision_request (user_id, kind, data, comment, state, created_at) values (${zora.id}, 'working_hours',
    '{"date": "2031-04-02", "hours": 2, "reason": "polished the boat"}', 'please recognise this', 'open', ${now})`.execute(write)
  const [plan, face] = [randomUUID(), randomUUID()]
  for (const [id, name] of [
    [plan, 'plan.pdf'],
    [face, 'face.png'],
  ] as const)
    await sql`insert into stored_file (id, name, content_type, bytes, sha256, created_at)
      values (${id}, ${name}, 'application/pdf', 20, ${hashSecret(name)}, ${now})`.execute(write)
  await sql`insert into attachment (title, file_id, uploader_id) values ('Plan', ${plan}, ${zora.id})`.execute(write)
  await sql`insert into profile_picture (user_id, file_id) values (${zora.id}, ${face})`.execute(write)
  await sql`insert into journal (at, kind, actor_kind, actor_id, subject_kind, subject_id, changes, person_id, personal)
    values (${now}, 'user.changed', 'user', ${OLGA.id}, 'user', ${zora.id}, '{}', ${zora.id},
      '{"email": ["zora.former@a.example", "zora.login@a.example"]}')`.execute(write)

  /** Browsers of everybody, with the way in that people without an account have. */
  const browsers = new Map<string, Browser>()
  for (const [role, person] of Object.entries(people)) browsers.set(role, await browserOf(world, person))
  const outsider = (role: string): Browser => {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    browsers.set(role, browser)
    return browser
  }
  outsider('nobody')
  const visit = outsider('visitor')
  const [{ visitor_id }, { guest_id }] = [
    await write.selectFrom('participation').select('visitor_id').where('id', '=', byVisitor).executeTakeFirstOrThrow(),
    await write.selectFrom('participation').select('guest_id').where('id', '=', byGuest).executeTakeFirstOrThrow(),
  ]
  await write
    .insertInto('visitor_session')
    .values({ id_hash: hashSecret('visit'), visitor_id: visitor_id!, created_at: now, expires_at: new Date(now.getTime() + 1e9) })
    .execute()
  visit.cookies.set(cookieNames(SITE_URL).of(VISITOR_COOKIE), 'visit')
  outsider('guest')
  await write
    .updateTable('guest')
    .set({ access_token_hash: hashSecret('own-link'), access_token_sealed: seal('own-link') })
    .where('id', '=', guest_id!)
    .execute()
  await write
    .insertInto('guest_share')
    .values({ event_id: fair.id, token_hash: hashSecret('poster'), token_sealed: seal('poster'), active: true })
    .execute()
  const PLACES: Record<string, readonly string[]> = {
    visitor: [`/events/shared/${fair.id}/${NORD.id}/`],
    guest: ['/guests/own-link/', '/guests/own-link/details/'],
    nobody: [`/guests/register/${fair.id}/poster/`, '/guests/own-link-of-another/'],
  }

  const factsIn = (text: string): Fact[] => {
    const plain = text.replaceAll(/[\u00a0\u202f]|&nbsp;/g, ' ').replaceAll(`/people/${zora.id}/`, '/people/ZORA/')
    const dense = plain.replaceAll(/\s/g, '')
    return (Object.keys(KNOWN) as Fact[]).filter((fact) => KNOWN[fact].test(/phone/i.test(fact) ? dense : plain))
  }
  /** Where something about her was found, and by whom: a failure says it. */
  type Found = Map<Fact, string>
  const note = (found: Found, place: string, text: string): void => {
    for (const fact of factsIn(text)) if (!found.has(fact)) found.set(fact, place)
  }

  async function open(browser: Browser, place: string): Promise<string | undefined> {
    const { statusCode, body, headers } = await browser.get(place)
    const { location } = headers
    if (typeof location === 'string' && location.startsWith('/') && location !== place && !location.startsWith('/accounts/'))
      return open(browser, location)
    return statusCode === 200 ? body : undefined
  }

  /** One address for each page, without the same page about somebody else and in another order. */
  function pageOf(place: string): string | undefined {
    const [path = '', query = ''] = place.split('?')
    if (NO_PAGE.test(path) || /\bpage=/.test(query)) return undefined
    if (/\/(people|family|hours)\/\d/.test(path) && !path.includes(`/${zora.id}/`)) return undefined
    if (/\/groups\/\d/.test(path) && !path.includes(`/${hers.id}/`)) return undefined
    const names = [...new URLSearchParams(query).keys()].sort().join('&')
    return `${path.replaceAll(/\d{4}-\d\d(-\d\d)?/g, 'DATE')}?${names}`
  }

  /** All addresses that somebody finds by following links, and those where something about her is. */
  async function walk(browser: Browser, known: Map<string, string>, telling: Set<string>): Promise<void> {
    const seen = new Set<string>()
    const queue = ['/', ...known.values()]
    for (let place = queue.shift(); place !== undefined; place = queue.shift()) {
      const page = pageOf(place)
      if (page === undefined || seen.has(page)) continue
      seen.add(page)
      if (!known.has(page)) known.set(page, place)
      const body = await open(browser, place)
      if (body === undefined) continue
      if (factsIn(body).length) telling.add(page)
      for (const [, link] of body.matchAll(/\b(?:href|hx-get)="(\/[^"#]*)/g)) queue.push(link!.replaceAll('&amp;', '&'))
    }
  }

  const endpoints = ENDPOINTS.flatMap((endpoint) => {
    const { path } = endpoint
    // Those that write have a method.
    if ('method' in endpoint || path.includes('stream')) return []
    const filled = path
      .replace('{user}', String(zora.id))
      .replace('/users/{id}', `/users/${zora.id}`)
      .replace('{email}', zora.email)
      .replace('/events/{id}', `/events/${fair.id}`)
      .replace('/shifts/{id}', `/shifts/${shift}`)
      .replace('/participations/{id}', `/participations/${own}`)
      .replace('/groups/{id}', `/groups/${hers.id}`)
    return filled.includes('{') ? [] : [filled]
  })
  async function readApi(person: Person, paths: readonly string[], found: Found): Promise<string[]> {
    const caller = world.as(person, ...SCOPES)
    const telling: string[] = []
    for (const path of paths) {
      const { text, status } = await caller.get(path, { unchecked: true })
      if (status !== 200) continue
      note(found, path, text)
      if (factsIn(text).length) telling.push(path)
    }
    return telling
  }

  /** What the page about data says that this reader finds. */
  async function findClaimed(reader: Person): Promise<Map<Fact, string>> {
    const { rows } = await sql<{ area: Area; reason: string }>`
      select distinct area, reason from (${viewersOf(zora.id, contextAs(world, OLGA))}) v where user_id = ${reader.id}`.execute(
      write,
    )
    return new Map(rows.flatMap(({ area, reason }) => CLAIMS[area].map((fact) => [fact, `${area}: ${reason}`] as const)))
  }
  async function findClaimedOutside(...kinds: OutsideKind[]): Promise<Map<Fact, string>> {
    const claimed = await findOutsideViewers(write, zora.id)
    return new Map(
      claimed
        .filter(({ kind }) => kinds.includes(kind))
        .flatMap(({ kind }) => OUTSIDE[kind].map((fact) => [fact, kind] as const)),
    )
  }

  function compare(role: string, claimed: Map<Fact, string>, found: Found): string[] {
    return [
      ...[...found]
        // Who knows the name knows the first name.
        .filter(([fact]) => !claimed.has(fact) && !(fact === 'firstName' && claimed.has('name')))
        .map(([fact, place]) => `${role} finds ${fact} at ${place}, and the page does not say so`),
      ...[...claimed]
        .filter(([fact]) => !found.has(fact))
        .map(([fact, area]) => `${role} finds no ${fact}, and the page claims it (${area})`),
    ]
  }

  /** Whoever changes all events and sees none reaches boards and no rosters, where emergency contacts are. */
  const SEES_NO_ROSTER: readonly Fact[] = ['emergencyName', 'emergencyPhone']

  test('is what the page about data says', async () => {
    const known = new Map<string, string>()
    const telling = new Set<string>()
    for (const role of ['administrator', 'guardian']) await walk(browsers.get(role)!, known, telling)
    const tellingPaths = new Set(await readApi(OLGA, endpoints, new Map()))
    // What tells an administrator or a guardian nothing tells others nothing; the long run opens it, too.
    const places = [...known].flatMap(([page, place]) => (chooseSize({ usual: telling.has(page), full: true }) ? [place] : []))
    const paths = endpoints.filter((path) => chooseSize({ usual: tellingPaths.has(path) || path.includes('/me/'), full: true }))
    assert.ok(telling.size > 25 && tellingPaths.size > 5, `${telling.size} pages and ${tellingPaths.size} endpoints`)

    await write.updateTable('event').set({ guests_see_names: true }).where('id', '=', fair.id).execute()
    const problems: string[] = []
    for (const [role, browser] of browsers) {
      const found: Found = new Map()
      for (const place of [...places, ...(PLACES[role] ?? [])]) note(found, place, (await open(browser, place)) ?? '')
      const person = people[role]
      if (person) await readApi(person, paths, found)
      const claimed = person
        ? await findClaimed(person)
        : role === 'visitor'
          ? await findClaimedOutside('partner_people', 'partner_contact')
          : role === 'guest'
            ? await findClaimedOutside('guests')
            : new Map<Fact, string>()
      if (role === 'change_event') for (const fact of SEES_NO_ROSTER) claimed.delete(fact)
      problems.push(...compare(role, claimed, found))
    }
    assert.deepEqual(problems, [])
  })

  test('nothing, by the API of partner instances', async () => {
    const partner = world.partner(NORD)
    for (const path of ['/api/federation/events/', '/api/federation/participations/', ...endpoints])
      assert.deepEqual(factsIn((await partner.get(path, { unchecked: true })).text), [], path)
  })

  test('nothing, for guests and partners of an event that does not show participants to them', async () => {
    await write.updateTable('event_type').set({ show_participant_data: 0 }).where('id', '=', type).execute()
    await write.updateTable('event').set({ guests_see_names: false }).where('id', '=', fair.id).execute()
    assert.deepEqual(await findOutsideViewers(write, zora.id), [])
    for (const role of ['visitor', 'guest'])
      for (const place of PLACES[role]!) {
        const body = await open(browsers.get(role)!, place)
        assert.match(body ?? '', /Fair/, place)
        assert.deepEqual(factsIn(body!), [], place)
      }
  })

  test('of a contact, what the page says, for members, people of partners and guests', async () => {
    await write.deleteFrom('participation').where('user_id', '=', zora.id).execute()
    await world.grantsEvent(zora, fair.id, 'change')
    const problems: string[] = []
    for (const [role, place] of [
      ['member', `/events/${fair.id}/`],
      ['stranger', `/events/${fair.id}/`],
      ['visitor', PLACES.visitor![0]!],
      ['guest', PLACES.guest![0]!],
    ] as const) {
      const found: Found = new Map()
      note(found, place, (await open(browsers.get(role)!, place)) ?? '')
      const claimed = people[role]
        ? await findClaimed(people[role])
        : await findClaimedOutside(role === 'guest' ? 'guests' : 'partner_contact')
      problems.push(...compare(role, claimed, found))
    }
    assert.deepEqual(problems, [])
  })
})
