import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import { transact } from '#platform/db/transaction.ts'
import { actorOf, contextAs, contextOf } from '#test/support/command-context.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { ANN, BEN, OLGA, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { decideErasure, eraseDueAccounts, requestErasure, withdrawErasure } from './commands/erasure-requests.ts'
import { changePrivacySettings, queueRetention, runRetention } from './commands/retention.ts'
import { findErasureRequests, getErasureRequest } from './queries/erasure-requests.ts'
import { findInactiveAccounts, findRuns } from './queries/retention.ts'
import { getPrivacySettings } from './queries/settings.ts'

const DAY_MS = 24 * 3_600_000

describe('requests to delete the own account', async () => {
  const world = await openWorld({ hasMail: true })
  const { write } = world.db
  const at = (days: number, ms = 0) => new Date(world.now.getTime() + days * DAY_MS + ms)
  const as = (person: Person, now = world.now) => ({ ...contextAs(world, person), now })
  const journal = async () =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'actor_id', 'subject_id'])
        .where('kind', 'like', 'user.erasure%')
        .orderBy('id')
        .execute()
    ).map(({ kind, actor_id, subject_id }) => [kind, actor_id, subject_id])
  const mails = async () =>
    (await findJobs(world.db, 'account_mail')).map(({ payload }) => [payload.kind, payload.userId, payload.at])
  const erase = (now: Date) => eraseDueAccounts({ db: write, now, site: world.app.site, requestId: null })
  const setting = (value: boolean) =>
    sql`insert into setting (name, value) values ('erasure_needs_approval', ${JSON.stringify(value)}) on conflict (name) do update
      set value = excluded.value`.execute(write)
  beforeEach(async () => {
    await write.deleteFrom('erasure_request').execute()
    await write.deleteFrom('journal').where('kind', 'like', 'user.erasure%').execute()
    await sql`delete from graphile_worker._private_jobs`.execute(write)
    await setting(false)
  })

  test('are made once, with a record and a mail, and taken back once', async () => {
    assert.deepEqual(await requestErasure(as(ANN)), { ok: true, dueAt: at(14) })
    assert.deepEqual(await requestErasure(as(ANN, at(1))), { ok: false, reason: 'already' })
    assert.deepEqual(await getErasureRequest(write, ANN.id), {
      userId: ANN.id,
      requestedAt: world.now,
      dueAt: at(14),
      decidedAt: null,
    })
    assert.deepEqual(await mails(), [['erasure_requested', ANN.id, at(14).toISOString()]])
    assert.deepEqual(
      [await withdrawErasure(as(BEN)), await withdrawErasure(as(ANN)), await withdrawErasure(as(ANN))],
      [false, true, false],
    )
    assert.deepEqual(await journal(), [
      ['user.erasure_requested', ANN.id, ANN.id],
      ['user.erasure_withdrawn', ANN.id, ANN.id],
    ])
  })

  test('need a session: tokens neither make them nor take them back', async () => {
    const via = { kind: 'token' as const, tokenId: 1, scopes: new Set(['CONFIDENTIAL_WRITE'] as const) }
    const context = contextOf(world, actorOf(ANN, { via }))
    await assert.rejects(requestErasure(context), { code: 'permission_denied' })
    await assert.rejects(withdrawErasure(context), { code: 'permission_denied' })
    assert.equal(await getErasureRequest(write, ANN.id), undefined)
  })

  test('are decided once, by people who may delete this account', async () => {
    const stella = await world.addPerson({ name: 'Stella', isStaff: true })
    await world.addPerson({ name: 'Tom', isStaff: true })
    for (const person of [ANN, stella]) assert.ok((await requestErasure(as(person))).ok)
    const agree = (by: Person, person: Person, now = world.now) => decideErasure(as(by, now), { userId: person.id, agrees: true })
    await assert.rejects(agree(BEN, ANN), { code: 'permission_denied' })
    const vera = { ...VERA, permissions: ['delete_user' as const] }
    assert.deepEqual(await agree(vera, stella), { ok: false, reason: 'administrator' })
    assert.deepEqual(await agree(stella, stella), { ok: false, reason: 'self' })
    assert.deepEqual(await agree(OLGA, BEN), { ok: false, reason: 'none' })
    assert.deepEqual(await agree(OLGA, { ...BEN, id: 999_999 }), { ok: false, reason: 'none' })
    assert.deepEqual(await agree(OLGA, ANN, at(1)), { ok: true, name: ANN.name })
    assert.deepEqual(await agree(OLGA, ANN, at(2)), { ok: false, reason: 'none' }, 'it is decided')
    const row = await write.selectFrom('erasure_request').selectAll().where('user_id', '=', ANN.id).executeTakeFirstOrThrow()
    assert.deepEqual([row.decided_at, row.decided_by_id], [at(1), OLGA.id])
    assert.equal((await getErasureRequest(write, stella.id))?.decidedAt, null)
    assert.deepEqual((await journal()).slice(2), [['user.erasure_agreed', OLGA.id, ANN.id]])
  })

  test('that are refused end, and the person gets a mail', async () => {
    for (const person of [ANN, BEN]) assert.ok((await requestErasure(as(person))).ok)
    await sql`delete from graphile_worker._private_jobs`.execute(write)
    assert.deepEqual(await decideErasure(as(OLGA), { userId: ANN.id, agrees: false }), { ok: true, name: ANN.name })
    assert.deepEqual(await decideErasure(as(OLGA), { userId: ANN.id, agrees: false }), { ok: false, reason: 'none' })
    assert.deepEqual(
      (await findErasureRequests(write)).map(({ name }) => name),
      [BEN.name],
    )
    assert.deepEqual(await mails(), [['erasure_refused', ANN.id, world.now.toISOString()]])
    assert.deepEqual((await journal()).slice(2), [['user.erasure_refused', OLGA.id, ANN.id]])
  })

  test('are listed by the day on which they are due', async () => {
    assert.ok((await requestErasure(as(ANN, at(1)))).ok)
    assert.ok((await requestErasure(as(BEN))).ok)
    assert.deepEqual(
      (await findErasureRequests(write)).map(({ name, dueAt }) => [name, dueAt]),
      [
        [BEN.name, at(14)],
        [ANN.name, at(15)],
      ],
    )
  })

  test('are carried out when they are due, and with approval if it is needed', async () => {
    const [first, second] = [await world.addPerson({ name: 'Emil' }), await world.addPerson({ name: 'Finn' })]
    for (const person of [first, second]) assert.ok((await requestErasure(as(person))).ok)
    await decideErasure(as(OLGA), { userId: first.id, agrees: true })
    await setting(true)
    assert.equal(await erase(at(14, -1)), 0)
    assert.equal(await erase(at(14)), 1)
    const deleted = async () =>
      (await write.selectFrom('user_profile').select('id').where('deleted_at', 'is not', null).orderBy('id').execute()).map(
        ({ id }) => id,
      )
    assert.deepEqual(await deleted(), [first.id])
    await setting(false)
    assert.equal(await erase(at(14)), 1)
    assert.deepEqual(await deleted(), [first.id, second.id])
  })

  test('that are taken back while the job has found them are not carried out', async () => {
    const { id } = await world.addPerson({ name: 'Gil' })
    assert.ok((await requestErasure(as({ ...ANN, id }))).ok)
    const isBlocked = async () => {
      const { rows } = await sql<{ blocked: number }>`select count(*)::int as blocked from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db.read)
      return rows[0]!.blocked > 0
    }
    const erased = await transact(write, async (tx) => {
      await lockPerson(tx, id)
      const erasing = erase(at(14))
      while (!(await isBlocked())) await setTimeout(5)
      await tx.deleteFrom('erasure_request').where('user_id', '=', id).execute()
      return { erasing }
    })
    assert.equal(await erased.erasing, 0)
    const { deleted_at } = await write
      .selectFrom('user_profile')
      .select('deleted_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(deleted_at, null)
  })
})

describe('retention', async () => {
  const world = await openWorld()
  const { write } = world.db
  const at = (days: number, ms = 0) => new Date(world.now.getTime() + days * DAY_MS + ms)
  const run = (now: Date, ...rules: { name: string; days: number; removed: number }[]) =>
    runRetention(
      { db: write, now, site: world.app.site, requestId: null },
      rules.map(({ name, days, removed }) => ({
        name,
        getDays: async () => days,
        find: async () => ({ count: 0, oldest: null }),
        remove: async (_context: unknown, before: Date) => {
          assert.deepEqual(before, new Date(now.getTime() - days * DAY_MS))
          if (removed < 0) throw new Error('broken rule')
          return removed
        },
      })),
    )
  const stored = () => write.selectFrom('retention_run').select(['rule', 'ran_at', 'days', 'removed']).orderBy('id').execute()
  beforeEach(async () => {
    await write.deleteFrom('retention_run').execute()
  })

  test('runs the rules that are on, and writes what each of them did', async () => {
    const rules = [
      { name: 'off', days: 0, removed: 9 },
      { name: 'broken', days: 1, removed: -1 },
      { name: 'on', days: 7, removed: 3 },
    ]
    await assert.rejects(run(world.now, ...rules), /broken rule/)
    assert.deepEqual(await stored(), [{ rule: 'on', ran_at: world.now, days: 7, removed: 3 }])
    assert.deepEqual(await run(at(1), rules[0]!, rules[2]!), [{ name: 'on', days: 7, removed: 3 }])
  })

  test('keeps the list of runs for two years', async () => {
    const rule = { name: 'on', days: 7, removed: 3 }
    await run(world.now, rule)
    await run(at(730), rule)
    assert.equal((await stored()).length, 2)
    await run(at(730, 1), rule)
    assert.deepEqual(
      (await stored()).map(({ ran_at }) => ran_at),
      [at(730), at(730, 1)],
    )
  })

  test('shows runs that removed something, and the last one of each rule', async () => {
    for (const [n, removed] of [2, 0, 0].entries()) await run(at(n), { name: 'a', days: 7, removed })
    await run(at(3), { name: 'b', days: 7, removed: 0 })
    assert.deepEqual(
      (await findRuns(write)).map(({ rule, ranAt, removed }) => [rule, ranAt, removed]),
      [
        ['b', at(3), 0],
        ['a', at(2), 0],
        ['a', at(0), 2],
      ],
    )
  })

  test('is started and changed by administrators only', async () => {
    await assert.rejects(queueRetention(contextAs(world, ANN)), { code: 'permission_denied' })
    const settings = await getPrivacySettings(write)
    const changed = { ...settings, erasure_waiting_days: 30 }
    await assert.rejects(changePrivacySettings(contextAs(world, ANN), changed), { code: 'permission_denied' })
    assert.equal(await changePrivacySettings(contextAs(world, OLGA), settings), false)
    assert.equal(await changePrivacySettings(contextAs(world, OLGA), changed), true)
    assert.deepEqual(await getPrivacySettings(write), changed)
    await queueRetention(contextAs(world, OLGA))
    assert.equal((await findJobs(world.db, 'retention')).length, 1)
  })

  describe('suggests an account', async () => {
    const limit = at(-100)
    const { shifts } = await world.addEvent({ shifts: [{ start: at(-101).toISOString(), end: limit.toISOString() }] })
    const isSuggested = async (id: number) => (await findInactiveAccounts(write, limit, 99)).some((found) => found.id === id)
    const addIdle = async (name: string) => {
      const person = await world.addPerson({ name })
      await write
        .updateTable('user_profile')
        .set({ created_at: at(-200), last_sign_in_at: null })
        .where('id', '=', person.id)
        .execute()
      return person
    }
    const profile = (person: Person, values: object) =>
      write.updateTable('user_profile').set(values).where('id', '=', person.id).execute()
    for (const [what, use, isIdle] of [
      ['that nobody has ever used', async () => {}, true],
      ['with a sign-in just before', (person: Person) => profile(person, { last_sign_in_at: at(-100, -1) }), true],
      ['with a sign-in at that moment', (person: Person) => profile(person, { last_sign_in_at: limit }), false],
      ['that was made at that moment', (person: Person) => profile(person, { created_at: limit }), false],
      [
        'that was deleted',
        (person: Person) => profile(person, { deleted_at: world.now, is_active: false, is_visible: false }),
        false,
      ],
      [
        'of a program',
        (person: Person) => profile(person, { is_service_account: true, is_visible: false, email_invalid: true }),
        false,
      ],
      [
        'with a session that was used then',
        (person: Person) =>
          sql`insert into session (id_hash, user_id, created_at, last_seen_at, expires_at)
            values (${Buffer.from(person.name)}, ${person.id}, ${limit}, ${limit}, ${world.now})`.execute(write),
        false,
      ],
      [
        'with a token that was used then',
        async (person: Person) => {
          await world.makeToken(person, ['ME_READ'])
          await write.updateTable('access_token').set({ last_used_at: limit }).where('user_id', '=', person.id).execute()
        },
        false,
      ],
      [
        'with a shift that ended then',
        (person: Person) => world.addParticipation({ who: person, shift: shifts[0]!, state: 1 }),
        false,
      ],
    ] as const)
      test(`${what}: ${isIdle}`, async () => {
        const person = await addIdle(what)
        await use(person)
        assert.equal(await isSuggested(person.id), isIdle)
        await profile(person, { created_at: world.now })
      })

    test('in the order of the last sign-in, those without one first', async () => {
      const [a, b, c] = [await addIdle('A'), await addIdle('B'), await addIdle('C')]
      await profile(a, { last_sign_in_at: at(-110) })
      await profile(b, { last_sign_in_at: at(-120) })
      const found = await findInactiveAccounts(write, limit, 2)
      assert.deepEqual(
        found.map(({ id }) => id),
        [c.id, b.id],
      )
    })
  })
})
