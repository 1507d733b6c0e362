import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { getAccountByEmail } from '#features/access/identity-providers/queries.ts'
import { queueAccountMail } from '#features/access/sign-in/commands/links.ts'
import { accountMailTask } from '#features/access/sign-in/jobs.ts'
import { getAccount } from '#features/access/sign-in/queries.ts'
import { addMembers, removeMembers } from '#features/accounts/people/commands/groups.ts'
import { getGroup } from '#features/accounts/people/queries/groups.ts'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import { findCandidates } from '#features/messaging/messages/queries.ts'
import { findPersonChoices } from '#features/planning/planning/queries/events.ts'
import { findPeopleToAddToEvent } from '#features/staffing/disposition/queries/people-search.ts'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs, contextOf } from '#test/support/command-context.ts'
import { Browser, LOGIN } from '#test/support/http-browser.ts'
import { openMailOutbox } from '#test/support/mail-outbox.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, HELPERS, OLGA, PAUL, PLANNERS } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import { createServiceAccount } from './commands/accounts.ts'

const world = await openWorld({ now: new Date('2031-05-01T10:00:00Z'), hasMail: true })
const { read, write } = world.db
const NAME = 'Robot Zero'
/** Would be listed wherever the service account would be. */
const vic = await world.addPerson({ name: 'Visible Vic' })
const hidden = await world.addPerson({ name: 'Hidden Hugo', isVisible: false })
await world.addGroup('Robots', [vic, hidden])
const robots = (await read.selectFrom('user_group').select('id').where('name', '=', 'Robots').executeTakeFirstOrThrow()).id
const made = await createServiceAccount(contextAs(world, OLGA), {
  name: NAME,
  scopes: ['PUBLIC_READ', 'ME_READ', 'ME_WRITE'],
  groupIds: [robots, HELPERS.id],
  lastDay: '',
  networks: [],
  origins: [],
})
assert.ok(made.ok)
const id = made.accountId
const { email } = await read.selectFrom('user_profile').select('email').where('id', '=', id).executeTakeFirstOrThrow()
const event = await world.addEvent({
  title: 'Harbour run',
  seenBy: [{ kind: 'group', id: robots, name: 'Robots', members: [] }],
  responsible: [PAUL],
  shifts: [{ flow: 'instant_confirmation', start: '2031-05-04T08:00:00+02:00', end: '2031-05-04T12:00:00+02:00' }],
})
const olga = await browserOf(world, OLGA)

const LISTS: [what: string, path: string, listed: string][] = [
  ['the list of people', '/manage/people/', 'Visible Vic'],
  ['all people', '/manage/people/?state=all', 'Visible Vic'],
  ['hidden people', '/manage/people/?state=hidden', 'Hidden Hugo'],
  ['the people of a group', `/manage/people/?group=${robots}`, 'Visible Vic'],
  ['the spreadsheet of people', '/manage/people/export/?state=all', 'Visible Vic'],
  ['the spreadsheet of hidden people', '/manage/people/export/?state=hidden', 'Hidden Hugo'],
  ['the members of a group', `/manage/groups/${robots}/members/`, 'Visible Vic'],
  ['people to add to a group', `/manage/groups/${PLANNERS.id}/members/`, 'Visible Vic'],
  ['working hours', '/manage/hours/', 'Visible Vic'],
  ['the choice of people for a new event type', '/manage/event-types/new/', ''],
  ['people to add to a shift', `/shifts/${event.shifts[0]}/disposition/?add=1`, ''],
]
describe('a service account is not in', () => {
  for (const [what, path, listed] of LISTS)
    test(what, async () => {
      const { statusCode, body } = await olga.get(path)
      assert.equal(statusCode, 200)
      assert.ok(body.includes(listed), `${listed} is not listed`)
      assert.ok(!body.includes(NAME) && !body.includes(email))
    })

  test('the users of the API, by list, id or e-mail address', async () => {
    const caller = world.as(OLGA, 'CONFIDENTIAL_READ')
    const ids = await caller.ids('/api/users/')
    assert.deepEqual([ids.includes(vic.id), ids.includes(id)], [true, false])
    assert.equal(await caller.status(`/api/users/${id}/`), 404)
    assert.equal(await caller.status(`/api/users/by_email/${email}/`), 404)
    assert.equal(await caller.status(`/api/users/by_email/${encodeURIComponent(vic.email)}/`), 200)
  })

  test('the choices of responsible people, recipients of messages and people to add to a shift', async () => {
    const context = { ...contextAs(world, OLGA), db: read, words: wordsFor('en', 'Europe/Berlin') }
    const CHOICES: [what: string, names: string[]][] = [
      ['responsible people', (await findPersonChoices(context, [])).map(({ name }) => name)],
      ['recipients', (await findCandidates({ ...context, db: read }, event.id)).map(({ name }) => name)],
      [
        'people to add',
        (await findPeopleToAddToEvent(context, { id: event.id, shifts: [] }, { terms: [], page: 0 }, new Set())).people.map(
          ({ name }) => name,
        ),
      ],
    ]
    for (const [what, names] of CHOICES)
      assert.deepEqual([names.includes('Visible Vic'), names.includes(NAME)], [true, false], what)
  })

  test('the number of members', async () => {
    assert.equal((await getGroup(read, robots))?.members, 2)
    const { count } = await write
      .selectFrom('user_group_member')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('group_id', '=', robots)
      .executeTakeFirstOrThrow()
    assert.equal(Number(count), 3)
  })
})

describe('a service account cannot be managed as a person', () => {
  for (const what of ['', 'deactivate/', 'revoke/', 'delete/'])
    test(`/manage/people/{id}/${what} does not exist`, async () => {
      assert.equal((await olga.get(`/manage/people/${vic.id}/${what}`)).statusCode, 200)
      assert.equal((await olga.get(`/manage/people/${id}/${what}`)).statusCode, 404)
    })

  test('an edited form gives it no password, no administrator flag, no visibility and no link', async () => {
    const form = { name: 'x', email: 'x@a.example', language: 'en', is_staff: 'on', is_visible: 'on' }
    for (const path of ['', 'send-link/', 'reactivate/', 'grant/'])
      assert.equal(
        (await olga.post(`/manage/people/${id}/${path}`, { form: { ...form, qualification: '1' } })).statusCode,
        404,
        path,
      )
  })

  /** The commands do not find it; the database refuses it as well. */
  const hash = 'x'
  const FORBIDDEN: [what: string, values: Record<string, unknown>][] = [
    ['an administrator', { is_staff: true }],
    ['a superuser', { is_superuser: true }],
    ['visible', { is_visible: true }],
    ['with a password', { password_hash: hash }],
    ['with a calendar address', { calendar_token_hash: Buffer.from('x') }],
    ['with an address for mails', { email_invalid: false }],
  ]
  for (const [what, values] of FORBIDDEN)
    test(`the database refuses one that is ${what}, and accepts a person`, async () => {
      const change = (userId: number) =>
        transact(write, async (tx) => {
          await tx.updateTable('user_profile').set(values).where('id', '=', userId).execute()
          throw new Error('undo')
        })
      await assert.rejects(change(id), { constraint: 'user_profile_service_account_is_closed' })
      await assert.rejects(change(vic.id), /undo/)
    })

  test('members are neither added nor removed on the page of the group', async () => {
    const context = contextAs(world, OLGA)
    assert.equal(await addMembers(context, { groupId: PLANNERS.id, userIds: [id] }), 0)
    assert.equal(await removeMembers(context, { groupId: robots, userIds: [id] }), 0)
  })
})

describe('a service account cannot sign in', () => {
  test('it is no account for passwords, password links or identity providers', async () => {
    assert.equal((await getAccount(read, email)).userId, null)
    assert.equal((await getAccount(read, vic.email)).userId, vic.id)
    assert.equal(await getAccountByEmail(read, email), undefined)
    assert.equal((await getAccountByEmail(read, vic.email))?.userId, vic.id)
  })

  test('a request for a password link sends no mail and creates no link', async () => {
    const outbox = openMailOutbox(
      (mailer) => accountMailTask({ db: world.db, clock: { now: () => world.now }, mailer, site: world.app.site }),
      () => world.db,
    )
    const ask = async (address: string) => {
      const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
      await browser.get('/accounts/reset/')
      assert.equal((await browser.post('/accounts/reset/', { form: { email: address } })).statusCode, 200)
      await outbox.deliver()
      return outbox.sent.length
    }
    assert.deepEqual([await ask(email), await ask(vic.email)], [0, 1])
    for (const kind of ['welcome'] as const) await transact(write, (tx) => queueAccountMail(tx, { kind, userId: id } as never))
    await outbox.deliver()
    assert.equal(outbox.sent.length, 1)
  })

  test('its key is no password and opens no page', async () => {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    assert.equal((await browser.signIn(made.key, email, LOGIN)).statusCode, 422)
    const { statusCode, headers } = await browser.get('/settings/security/', { headers: { authorization: `Bearer ${made.key}` } })
    assert.deepEqual([statusCode, headers.location], [303, '/accounts/login/?next=%2Fsettings%2Fsecurity%2F'])
  })

  const at = world.now
  const later = new Date(at.getTime() + 3600_000)
  const ROWS: [table: string, values: (userId: number) => Promise<unknown>][] = [
    [
      'session',
      (user_id) =>
        write
          .insertInto('session')
          .values({ id_hash: hashSecret(`s${user_id}`), user_id, created_at: at, last_seen_at: at, expires_at: later })
          .execute(),
    ],
    [
      'one_time_link',
      (user_id) =>
        write
          .insertInto('one_time_link')
          .values({
            token_hash: hashSecret(`l${user_id}`),
            purpose: 'reset_password',
            user_id,
            created_at: at,
            expires_at: later,
          })
          .execute(),
    ],
    ['participation', async (user_id) => world.addParticipation({ who: { ...ANN, id: user_id }, shift: event.shifts[0]! })],
  ]
  for (const [table, insert] of ROWS)
    test(`the database refuses a row in ${table} for it, and accepts one for a person`, async () => {
      await assert.rejects(insert(id), { code: '23514', constraint: `${table}_is_of_person` })
      await insert(vic.id)
      const change = sql`update ${sql.table(table)} set user_id = ${id} where user_id = ${vic.id}`.execute(write)
      await assert.rejects(change, { code: '23514' })
    })
})

test('a service account cannot sign up for a shift that its groups see, unlike a person of the same group', async () => {
  const asUser = async (userId: number) => {
    const { rows } = await sql<ActorRow>`select ${actorColumns} from user_profile u where u.id = ${userId}`.execute(read)
    return contextOf(world, actorFrom(rows[0]!, { kind: 'session', sessionHash: Buffer.alloc(32) }))
  }
  const group = { kind: 'group' as const, id: robots, name: 'Robots', members: [] }
  const shifts = [{ flow: 'instant_confirmation', start: '2031-06-04T08:00:00+02:00', end: '2031-06-04T12:00:00+02:00' }]
  const {
    shifts: [shiftId],
  } = await world.addEvent({ title: 'Walk', seenBy: [group], shifts })
  await assert.rejects(signUp(await asUser(id), { shiftId: shiftId! }), { code: 'permission_denied' })
  assert.equal((await signUp(await asUser(vic.id), { shiftId: shiftId! })).ok, true)
})

test('a service account that is responsible for an event by a group is not notified', async () => {
  const outbox = new NotificationOutbox(world)
  const shifts = [{ start: '2031-05-05T08:00:00+02:00', end: '2031-05-05T12:00:00+02:00' }]
  const group = { kind: 'group' as const, id: robots, name: 'Robots', members: [] }
  const planned = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [group], shifts })
  const asked = await signUp(contextAs(world, ANN), { shiftId: planned.shifts[0]! })
  assert.ok(asked.ok, JSON.stringify(asked))
  const mails = await outbox.deliver()
  assert.deepEqual(
    mails.map(({ to }) => to).filter((to) => to === vic.email || to === email),
    [vic.email],
  )
  const notified = await write.selectFrom('notification').select('user_id').where('user_id', '=', id).execute()
  assert.deepEqual(notified, [])
})
