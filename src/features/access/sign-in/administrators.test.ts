import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { checkPassword } from '#platform/auth/passwords.ts'
import { BUNDLES } from '#platform/auth/permissions.ts'
import { hashSecret, makeKeyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { ADDED } from '../../../features.ts'
import {
  createAdministrator,
  createFirstAdministrator,
  createFirstAdministratorLink,
  inviteAdministrator,
  lockFirstAdministrator,
} from './commands/administrators.ts'
import { authenticateSession } from './queries.ts'

const NOON = new Date('2026-05-09T12:00:00Z')
const AT_ONCE = 4
const OLGA = { name: ' Olga ', email: ' Olga@Example.org ', password: 'seven quiet lamps' }
const BROWSER = { device: 'laptop', userAgent: 'Firefox' }

let database: TestDatabase
let db: Database
let context: CommandContext

describe('administrators', () => {
  before(async () => {
    database = await freshDatabase()
    db = openTestDatabase({ url: database.url, writes: AT_ONCE })
    const site = {
      url: 'https://turnout.example',
      timeZone: 'UTC',
      keyring: makeKeyring('k'.repeat(32)),
      tokenMaxDays: 365,
      added: ADDED,
    }
    context = { db: db.write, actor: ANONYMOUS, now: NOON, site, requestId: 'request 1' }
  })
  after(async () => {
    await db.close()
    await database.drop()
  })
  beforeEach(async () => {
    await sql`truncate user_profile, user_group, one_time_link, journal cascade`.execute(db.write)
    await sql`delete from setting where name = 'modules'`.execute(db.write)
  })

  const people = () => db.write.selectFrom('user_profile').selectAll().orderBy('id').execute()
  const link = async (at = context): Promise<string> => (await createFirstAdministratorLink(at))!.token
  const use = (token: string, more: Partial<typeof OLGA> = {}, lock = lockFirstAdministrator) =>
    createFirstAdministrator(context, { ...OLGA, ...BROWSER, ...more, token, language: 'de' }, lock)

  describe('one who is invited', () => {
    test('has no password and gets a mail with a link to choose one', async () => {
      const made = await inviteAdministrator(context, { name: ' Ines ', email: ' ines@example.org ' })
      assert.ok(made.ok)
      const [ines] = await people()
      assert.deepEqual([ines?.display_name, ines?.is_staff, ines?.password_hash], ['Ines', true, null])
      const mails = (await findJobs(db, 'account_mail')).map(({ payload }) => payload)
      assert.deepEqual(mails, [{ kind: 'welcome', userId: made.userId }])
      assert.deepEqual(await inviteAdministrator(context, { name: 'I', email: 'INES@example.org' }), {
        ok: false,
        reasons: ['email_taken'],
      })
      assert.deepEqual(await inviteAdministrator(context, { name: '', email: 'x' }), {
        ok: false,
        reasons: ['name_missing', 'email_invalid'],
      })
    })
  })

  describe('the first one', () => {
    test('is created with a link, joins a group with management permissions, and is signed in', async () => {
      const made = await use(await link())
      assert.ok(made.ok)
      const [olga] = await people()
      assert.ok(olga)
      const { display_name, email, is_staff, is_superuser, preferred_language, last_sign_in_at } = olga
      assert.deepEqual(
        { display_name, email, is_staff, is_superuser, preferred_language, last_sign_in_at },
        {
          display_name: 'Olga',
          email: 'Olga@Example.org',
          is_staff: true,
          is_superuser: false,
          preferred_language: 'de',
          last_sign_in_at: NOON,
        },
      )
      assert.equal((await checkPassword(OLGA.password, olga.password_hash!)).ok, true)
      const actor = (await authenticateSession(db)(made.sessionId, NOON))!
      assert.equal(actor.userId, made.userId)
      assert.deepEqual([...actor.permissions].sort(), [...BUNDLES.management].sort())
      const group = await db.write.selectFrom('user_group').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual([group.name, actor.groupIds], ['Verwaltung', [group.id]])
    })

    test('is recorded in the journal, personal data separately and without secrets', async () => {
      const token = await link()
      const made = await use(token)
      assert.ok(made.ok)
      const entries = await db.write.selectFrom('journal').selectAll().execute()
      assert.equal(entries.length, 1)
      const { kind, subject_kind, subject_id, person_id, personal, changes, request_id } = entries[0]!
      assert.deepEqual([kind, subject_kind, subject_id, person_id], ['administrator.created', 'user', made.userId, made.userId])
      assert.deepEqual(personal, { display_name: 'Olga', email: 'Olga@Example.org' })
      assert.equal((changes as { by: string }).by, 'first_administrator_link')
      assert.equal(request_id, 'request 1')
      const links = await db.write.selectFrom('one_time_link').selectAll().execute()
      assert.deepEqual(links[0]!.token_hash, hashSecret(token))
      const dump = JSON.stringify([entries, links, await people()])
      for (const secret of [token, made.sessionId, OLGA.password]) assert.ok(!dump.includes(secret))
    })

    test('there is no link if an active administrator exists', async () => {
      await createAdministrator(context, OLGA)
      assert.equal(await createFirstAdministratorLink(context), undefined)
      await db.write.updateTable('user_profile').set({ is_active: false }).execute()
      assert.ok(await createFirstAdministratorLink(context))
      await db.write.updateTable('user_profile').set({ is_active: true, is_staff: false, is_superuser: true }).execute()
      assert.equal(await createFirstAdministratorLink(context), undefined)
    })

    const DEAD = { ok: false, isLinkInvalid: true, reasons: [] }

    test('a link works once', async () => {
      const token = await link()
      assert.equal((await use(token)).ok, true)
      await db.write.updateTable('user_profile').set({ is_active: false }).execute()
      assert.deepEqual(await use(token, { email: 'mallory@example.org' }), DEAD)
    })

    test('a link works for a day', async () => {
      const made = (await createFirstAdministratorLink(context))!
      assert.deepEqual(made.expiresAt, new Date('2026-05-10T12:00:00Z'))
      const late = { ...context, now: made.expiresAt }
      const wish = { ...OLGA, ...BROWSER, token: made.token }
      assert.deepEqual(await createFirstAdministrator(late, wish), DEAD)
      const justInTime = { ...context, now: new Date(made.expiresAt.getTime() - 1) }
      assert.equal((await createFirstAdministrator(justInTime, wish)).ok, true)
    })

    test('a link is invalid once an administrator exists; links of other purposes are invalid', async () => {
      const [first, second] = [await link(), await link()]
      assert.equal((await use(second)).ok, true)
      assert.deepEqual(await use(first, { email: 'mallory@example.org' }), DEAD)
      await db.write.deleteFrom('one_time_link').execute()
      const ida = { email: 'ida@example.org', display_name: 'Ida' }
      const { id } = await db.write.insertInto('user_profile').values(ida).returning('id').executeTakeFirstOrThrow()
      await db.write.updateTable('user_profile').set({ is_staff: false }).execute()
      const reset = { token_hash: hashSecret('reset'), purpose: 'reset_password', user_id: id, created_at: NOON }
      await db.write
        .insertInto('one_time_link')
        .values({ ...reset, expires_at: new Date('2027-01-01T00:00:00Z') })
        .execute()
      assert.deepEqual(await use('reset', { email: 'mallory@example.org' }), DEAD)
      assert.deepEqual(await use('anything', { email: 'mallory@example.org' }), DEAD)
    })

    test('a refused form does not use up the link', async () => {
      await db.write.insertInto('user_profile').values({ email: 'olga@example.ORG', display_name: 'Another' }).execute()
      const token = await link()
      assert.deepEqual(await use(token), { ok: false, isLinkInvalid: false, reasons: ['email_taken'] })
      assert.deepEqual(await use(token, { password: 'short' }), { ok: false, isLinkInvalid: false, reasons: ['password_short'] })
      assert.equal((await use(token, { email: 'olga2@example.org' })).ok, true)
    })

    const useAtOnce = async (tokens: string[], lock: typeof lockFirstAdministrator): Promise<number> => {
      const uses = tokens.map((token, i) => use(token, { email: `olga${i}@example.org` }, lock))
      return (await Promise.all(uses)).filter(({ ok }) => ok).length
    }
    const same = <T>(value: T): T[] => Array.from({ length: AT_ONCE }, () => value)

    /** Starts all transactions before the first one continues. */
    const meeting = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const state = { here: 0 }
      const meet = () => {
        if (++state.here === AT_ONCE) resolve()
        return promise
      }
      return { state, meet }
    }
    const winners = async (tokens: string[]): Promise<number> => {
      const { state, meet } = meeting()
      const won = await useAtOnce(tokens, async (tx) => {
        await meet()
        await lockFirstAdministrator(tx)
      })
      assert.equal(state.here, AT_ONCE)
      return won
    }

    test('of concurrent uses of one link exactly one succeeds', async () => {
      assert.equal(await winners(same(await link())), 1)
      assert.equal((await people()).length, 1)
    })

    test('of concurrent uses of several links exactly one succeeds', async () => {
      assert.equal(await winners(await Promise.all(same(context).map(link))), 1)
      assert.equal((await people()).length, 1)
    })

    test('without the lock, several succeed', async () => {
      assert.ok((await useAtOnce(same(await link()), meeting().meet)) > 1)
    })
  })

  describe('a new instance', () => {
    const modules = async () =>
      (await sql<{ value: string[] }>`select value from setting where name = 'modules'`.execute(db.write)).rows
    const FEW = [{ value: ['files', 'hours'] }]

    test('begins with few modules, whoever makes the first administrator', async () => {
      await use(await link())
      assert.deepEqual(await modules(), FEW)
    })

    test('begins so from the command line', async () => {
      await createAdministrator(context, OLGA)
      assert.deepEqual(await modules(), FEW)
    })

    test('begins so by an invitation', async () => {
      await inviteAdministrator(context, { name: 'Ines', email: 'ines@example.org' })
      assert.deepEqual(await modules(), FEW)
    })

    test('is not one that has people already: everything stays on', async () => {
      await createAdministrator(context, OLGA)
      await sql`delete from setting where name = 'modules'`.execute(db.write)
      await createAdministrator(context, { ...OLGA, email: 'oskar@example.org' })
      assert.deepEqual(await modules(), [])
    })

    test('keeps what was chosen before', async () => {
      await sql`insert into setting (name, value) values ('modules', '["guests"]')`.execute(db.write)
      await createAdministrator(context, OLGA)
      assert.deepEqual(await modules(), [{ value: ['guests'] }])
    })
  })

  describe('further ones', () => {
    test('join the existing group', async () => {
      await createAdministrator(context, OLGA)
      const made = await createAdministrator(context, { ...OLGA, email: 'oskar@example.org', language: 'de' })
      assert.ok(made.ok)
      const members = await db.write.selectFrom('user_group_member').selectAll().execute()
      assert.deepEqual(members.map(({ user_id }) => user_id).includes(made.userId), true)
      assert.deepEqual([members.length, new Set(members.map(({ group_id }) => group_id)).size], [2, 1])
      const groups = await db.write.selectFrom('user_group').select('name').execute()
      assert.deepEqual(groups, [{ name: 'Administrators' }])
      const [, oskar] = await people()
      assert.deepEqual([oskar!.is_staff, oskar!.preferred_language], [true, 'de'])
    })

    test('do not extend the permissions of a group with the same name', async () => {
      const { id } = await db.write
        .insertInto('user_group')
        .values({ name: 'Administrators' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db.write.insertInto('group_permission').values({ group_id: id, permission: 'view_event' }).execute()
      await createAdministrator(context, OLGA)
      const permissions = await db.write.selectFrom('group_permission').select('permission').where('group_id', '=', id).execute()
      assert.deepEqual(permissions, [{ permission: 'view_event' }])
      const groups = await db.write.selectFrom('user_group').select('name').orderBy('id').execute()
      assert.deepEqual(
        groups.map(({ name }) => name),
        ['Administrators', 'Administrators 2'],
      )
    })

    test('are refused with all reasons at once', async () => {
      const refused = await createAdministrator(context, { name: ' ', email: 'olga', password: 'passwort2026' })
      assert.deepEqual(refused, { ok: false, reasons: ['name_missing', 'email_invalid', 'password_common'] })
      assert.equal((await createAdministrator(context, OLGA)).ok, true)
      assert.deepEqual(await createAdministrator(context, { ...OLGA, email: 'OLGA@example.org' }), {
        ok: false,
        reasons: ['email_taken'],
      })
    })
  })
})
