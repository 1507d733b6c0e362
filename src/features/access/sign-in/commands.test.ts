import assert from 'node:assert/strict'
import { pbkdf2Sync } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { MAX_PASSWORD_LENGTH } from '#platform/auth/passwords.ts'
import { hashSecret, makeKeyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { ADDED } from '../../../features.ts'
import { countFactorAttempt, GUARD, type Guard } from './commands/attempts.ts'
import { endSessionsOf, signOut } from './commands/sessions.ts'
import { signIn } from './commands/sign-in.ts'
import { authenticateSession } from './queries.ts'

const NOON = new Date('2026-05-09T12:00:00Z')
const minutesLater = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const PASSWORD = 'seven quiet lamps'
const CONNECTIONS = 20

let database: TestDatabase
let db: Database
let context: CommandContext
let ann: number

describe('signing in', () => {
  before(async () => {
    database = await freshDatabase()
    db = openTestDatabase({ url: database.url, writes: CONNECTIONS })
    const site = {
      url: 'https://turnout.example',
      timeZone: 'UTC',
      keyring: makeKeyring('k'.repeat(32)),
      tokenMaxDays: 365,
      added: ADDED,
    }
    context = { db: db.write, actor: ANONYMOUS, now: NOON, site, requestId: null }
  })
  after(async () => {
    await db.close()
    await database.drop()
  })
  beforeEach(async () => {
    await sql`truncate user_profile, session, sign_in_attempt, known_device cascade`.execute(db.write)
    ann = await addPerson('Ann@Example.org')
  })

  async function addPerson(email: string, more: { is_active?: boolean; password_hash?: string | null } = {}): Promise<number> {
    const row = { email, display_name: 'Ann', password_hash: `hash of ${PASSWORD}`, ...more }
    return (await db.write.insertInto('user_profile').values(row).returning('id').executeTakeFirstOrThrow()).id
  }

  /** Hashing is slow: only count the checks. */
  function countingGuard(more: Partial<Guard> = {}): Guard & { hashes: () => number } {
    let hashes = 0
    const check = (ok: boolean) => {
      hashes++
      return Promise.resolve({ ok, outdated: false })
    }
    return {
      ...GUARD,
      checkPassword: (password, stored) => check(stored === `hash of ${password}`),
      checkDecoyPassword: () => check(false),
      ...more,
      hashes: () => hashes,
    }
  }

  const from = (device: string, password = 'not my password', email = 'ann@example.org') => ({
    email,
    password,
    device,
    userAgent: 'Firefox',
  })
  const count = async (table: 'session' | 'sign_in_attempt' | 'known_device'): Promise<number> =>
    (
      await db.write
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n
  async function attempt(times: number, device: string, guard: Guard, at = context): Promise<string[]> {
    const outcomes: string[] = []
    for (let i = 0; i < times; i++) {
      const outcome = await signIn(at, from(device), guard)
      outcomes.push(outcome.ok ? 'ok' : outcome.reason)
    }
    return outcomes
  }
  const all = <T>(value: T, times: number): T[] => Array.from({ length: times }, () => value)

  describe('the password', () => {
    test('starts a session, stores only its hash, and remembers the device', async () => {
      const outcome = await signIn(context, from('laptop', PASSWORD, ' ANN@example.ORG '), countingGuard())
      assert.ok(outcome.ok)
      assert.equal(outcome.userId, ann)
      const session = await db.write.selectFrom('session').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual(session.id_hash, hashSecret(outcome.sessionId))
      assert.equal(session.user_agent, 'Firefox')
      assert.deepEqual(session.expires_at, new Date('2026-07-08T12:00:00Z'))
      const person = await db.write.selectFrom('user_profile').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual(person.last_sign_in_at, NOON)
      assert.equal(await count('known_device'), 1)
      const dump = JSON.stringify([session, person, await db.write.selectFrom('known_device').selectAll().execute()])
      assert.ok(!dump.includes(outcome.sessionId) && !dump.includes('laptop'))
    })

    test('creates a new session id each time', async () => {
      const ids = new Set<string>()
      for (let i = 0; i < 5; i++) {
        const outcome = await signIn(context, from('laptop', PASSWORD), countingGuard())
        assert.ok(outcome.ok)
        ids.add(outcome.sessionId)
      }
      assert.equal(ids.size, 5)
    })

    test('ends the session that the browser had', async () => {
      const first = await signIn(context, from('laptop', PASSWORD), countingGuard())
      assert.ok(first.ok)
      const actor = await authenticateSession(db)(first.sessionId, NOON)
      const second = await signIn({ ...context, actor: actor! }, from('laptop', PASSWORD), countingGuard())
      assert.ok(second.ok)
      assert.equal(await authenticateSession(db)(first.sessionId, NOON), undefined)
      assert.equal((await authenticateSession(db)(second.sessionId, NOON))?.userId, ann)
    })

    test('causes the same work and response for unknown, inactive and passwordless accounts as for a wrong password', async () => {
      await addPerson('ida@example.org', { is_active: false })
      await addPerson('noel@example.org', { password_hash: null })
      const CASES = [
        ['ann@example.org', 'wrong'],
        ['nobody@example.org', PASSWORD],
        ['ida@example.org', PASSWORD],
        ['noel@example.org', PASSWORD],
      ] as const
      for (const [email, password] of CASES) {
        const guard = countingGuard()
        assert.deepEqual(await signIn(context, from('laptop', password, email), guard), { ok: false, reason: 'wrong' }, email)
        assert.equal(guard.hashes(), 1, email)
      }
      assert.equal(await count('session'), 0)
      assert.equal(await count('sign_in_attempt'), CASES.length)
    })

    test('refuses a password that is too long without counting or hashing anything', async () => {
      const guard = countingGuard()
      assert.deepEqual(await signIn(context, from('laptop', 'x'.repeat(MAX_PASSWORD_LENGTH + 1)), guard), {
        ok: false,
        reason: 'wrong',
      })
      assert.deepEqual([guard.hashes(), await count('sign_in_attempt')], [0, 0])
    })

    test('checks real hashes, and replaces hashes with outdated parameters', async () => {
      const salt = 'salt'
      const old = `pbkdf2_sha256$1000$${salt}$${pbkdf2Sync(PASSWORD, salt, 1000, 32, 'sha256').toString('base64')}`
      await db.write.updateTable('user_profile').set({ password_hash: old }).where('id', '=', ann).execute()
      const hashNow = async () =>
        (await db.write.selectFrom('user_profile').select('password_hash').executeTakeFirstOrThrow()).password_hash!
      assert.equal((await signIn(context, from('laptop', 'wrong'))).ok, false)
      assert.equal(await hashNow(), old)
      assert.equal((await signIn(context, from('laptop', PASSWORD))).ok, true)
      const renewed = await hashNow()
      assert.match(renewed, /^\$argon2id\$/)
      assert.equal((await signIn(context, from('laptop', PASSWORD))).ok, true)
      assert.equal(await hashNow(), renewed)
    })

    const MEANWHILE = {
      'the person is deactivated': { is_active: false },
      'the password is changed': { password_hash: 'hash of another' },
    }
    for (const [what, change] of Object.entries(MEANWHILE)) {
      test(`starts no session when ${what} while the hash is computed`, async () => {
        const checkPassword: Guard['checkPassword'] = async () => {
          await db.write.updateTable('user_profile').set(change).where('id', '=', ann).execute()
          return { ok: true, outdated: false }
        }
        assert.deepEqual(await signIn(context, from('laptop', PASSWORD), countingGuard({ checkPassword })), {
          ok: false,
          reason: 'wrong',
        })
        assert.equal(await count('session'), 0)
      })
    }
  })

  describe('the limit of attempts', () => {
    test('allows ten attempts from unknown devices, and returns when the next one is allowed', async () => {
      const guard = countingGuard()
      for (let i = 0; i < 10; i++) await signIn({ ...context, now: minutesLater(i) }, from(`device ${i}`), guard)
      const late = { ...context, now: minutesLater(10) }
      assert.deepEqual(await signIn(late, from('device 11'), guard), {
        ok: false,
        reason: 'too_many_guesses',
        retryAt: minutesLater(15),
      })
      assert.deepEqual(await signIn(late, from('device 11', PASSWORD), guard), {
        ok: false,
        reason: 'too_many_guesses',
        retryAt: minutesLater(15),
      })
      assert.equal(guard.hashes(), 10)
      assert.equal((await signIn({ ...context, now: minutesLater(15) }, from('device 11', PASSWORD), guard)).ok, true)
    })

    test('locks nobody out when the clock is set back, and counts anew from there', async () => {
      const guard = countingGuard()
      for (let i = 0; i < 10; i++) await signIn({ ...context, now: minutesLater(60) }, from(`device ${i}`), guard)
      assert.equal((await signIn({ ...context, now: minutesLater(60) }, from('device 11'), guard)).ok, false)
      const reasons: unknown[] = []
      for (let i = 0; i < 11; i++) {
        const outcome = await signIn(context, from(`other ${i}`), guard)
        reasons.push(outcome.ok || outcome.reason)
      }
      assert.deepEqual(reasons, [...all('wrong', 10), 'too_many_guesses'])
      assert.equal((await signIn({ ...context, now: minutesLater(15) }, from('device 11', PASSWORD), guard)).ok, true)
    })

    test('counts each account separately, also unknown ones', async () => {
      const guard = countingGuard()
      for (let i = 0; i < 10; i++)
        await signIn(context, from('d', 'x', i % 2 ? 'nobody@example.org' : 'NOBODY@example.org'), guard)
      const outcome = await signIn(context, from('d', 'x', 'Nobody@Example.org'), guard)
      assert.equal(outcome.ok || outcome.reason, 'too_many_guesses')
      assert.equal((await signIn(context, from('d', PASSWORD), guard)).ok, true)
    })

    test('never locks out a known device of the account', async () => {
      const guard = countingGuard()
      await signIn(context, from('laptop', PASSWORD), guard)
      assert.deepEqual(await attempt(11, 'stranger', guard), [...all('wrong', 10), 'too_many_guesses'])
      assert.equal((await signIn(context, from('laptop', PASSWORD), guard)).ok, true)
    })

    test('allows a known device ten attempts of its own', async () => {
      const guard = countingGuard()
      await signIn(context, from('laptop', PASSWORD), guard)
      assert.deepEqual(await attempt(11, 'laptop', guard), [...all('wrong', 10), 'too_many_guesses'])
      assert.deepEqual(await attempt(11, 'stranger', guard), [...all('wrong', 10), 'too_many_guesses'])
    })

    test('treats a device as unknown if it is known for another account only', async () => {
      await addPerson('mallory@example.org')
      const guard = countingGuard()
      assert.equal((await signIn(context, from('mallory', PASSWORD, 'mallory@example.org'), guard)).ok, true)
      await attempt(10, 'stranger', guard)
      assert.deepEqual(await attempt(1, 'mallory', guard), ['too_many_guesses'])
    })

    test('clears only the failed attempts of the device that signs in', async () => {
      const guard = countingGuard()
      await attempt(5, 'phone', guard)
      await attempt(4, 'stranger', guard)
      assert.equal((await signIn(context, from('phone', PASSWORD), guard)).ok, true)
      assert.deepEqual(await attempt(7, 'stranger', guard), [...all('wrong', 6), 'too_many_guesses'])
      assert.deepEqual(await attempt(11, 'phone', guard), [...all('wrong', 10), 'too_many_guesses'])
    })

    test('computes at most ten hashes for 200 concurrent attempts', async () => {
      const guard = countingGuard()
      const outcomes = await Promise.all(Array.from({ length: 200 }, (_, i) => signIn(context, from(`device ${i}`), guard)))
      assert.equal(guard.hashes(), 10)
      assert.equal(outcomes.filter((outcome) => !outcome.ok && outcome.reason === 'too_many_guesses').length, 190)
    })

    test('without the lock of the account, more attempts pass', async () => {
      // Every connection has started an attempt before the first one counts.
      const meet = meetingOf(CONNECTIONS)
      const guard = countingGuard({ lockAccount: () => meet() })
      await Promise.all(Array.from({ length: 100 }, (_, i) => signIn(context, from(`device ${i}`), guard)))
      assert.ok(guard.hashes() > 10, `${guard.hashes()} hashes`)
    })
  })

  describe('attempts at the second factor', () => {
    const allowed = async (lockAccount = GUARD.lockAccount) => {
      const tries = Array.from({ length: 100 }, () => countFactorAttempt(context, ann, { lockAccount }))
      return (await Promise.all(tries)).filter((limit) => limit === undefined).length
    }
    test('are limited to ten of 100 concurrent ones', async () => assert.equal(await allowed(), 10))
    test('without the lock of the account, more attempts pass', async () => {
      const meet = meetingOf(CONNECTIONS)
      assert.ok((await allowed(() => meet())) > 10)
    })
    test('are counted for each account, and not with those at the password', async () => {
      const ben = await addPerson('ben@example.org')
      for (let i = 0; i < 10; i++) assert.equal(await countFactorAttempt(context, ann), undefined)
      assert.ok(await countFactorAttempt(context, ann))
      assert.equal(await countFactorAttempt(context, ben), undefined)
      assert.equal((await signIn(context, from('phone', PASSWORD), countingGuard())).ok, true)
    })
  })

  /** Resolves when this many callers wait; later callers pass. */
  function meetingOf(people: number): () => Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let here = 0
    return () => {
      if (++here === people) resolve()
      return promise
    }
  }

  describe('sessions', () => {
    const start = async (device: string): Promise<string> => {
      const outcome = await signIn(context, from(device, PASSWORD), countingGuard())
      assert.ok(outcome.ok)
      return outcome.sessionId
    }
    const isAlive = async (sessionId: string) => (await authenticateSession(db)(sessionId, NOON)) !== undefined

    test('signing out ends the current session', async () => {
      const [laptop, phone] = [await start('laptop'), await start('phone')]
      const actor = (await authenticateSession(db)(laptop, NOON))!
      await signOut({ ...context, actor })
      assert.deepEqual([await isAlive(laptop), await isAlive(phone)], [false, true])
      await signOut(context)
      assert.equal(await isAlive(phone), true)
    })

    test('all sessions of a person can be ended, or all but one', async () => {
      const [laptop, phone, tablet] = [await start('laptop'), await start('phone'), await start('tablet')]
      await db.write.transaction().execute((tx) => endSessionsOf(tx, ann, { except: hashSecret(phone) }))
      assert.deepEqual([await isAlive(laptop), await isAlive(phone), await isAlive(tablet)], [false, true, false])
      await db.write.transaction().execute((tx) => endSessionsOf(tx, ann + 1))
      assert.equal(await isAlive(phone), true)
      await db.write.transaction().execute((tx) => endSessionsOf(tx, ann))
      assert.equal(await isAlive(phone), false)
    })
  })
})
