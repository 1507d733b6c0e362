import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { ADDRESS_FAILED } from '#platform/mail/mail.ts'
import { contextAs } from '#test/support/command-context.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { discardMail, resumeMails, retryMail, retryNotification } from './commands/outbox.ts'
import { makePeopleMailer } from './commands/sending.ts'
import { findMailJobs } from './queries/outbox.ts'
import { findFailedAddresses, getMailHealth } from './queries/state.ts'

const MAIL = '/manage/mail/'
const DAY_MS = 24 * 3_600_000

describe('the page about mail', async () => {
  const world = await openWorld({ hasMail: true })
  const addJob = async (task: string, error?: string) => {
    const { rows } = await sql<{ id: number }>`
      select id::int as id from graphile_worker.add_job(${task}, '{"kind":"welcome","userId":1}'::json, max_attempts := 8)`.execute(
      world.db.write,
    )
    if (error)
      await sql`update graphile_worker._private_jobs set attempts = 8, last_error = ${error}, run_at = now() + interval '1 day'
        where id = ${rows[0]!.id}`.execute(world.db.write)
    return rows[0]!.id
  }
  const jobs = async () => (await findJobs(world.db, 'account_mail')).map(({ id }) => Number(id))

  test('says that mail is set up, sends a test mail, and is for administrators only', async () => {
    const olga = await browserOf(world, OLGA)
    const { body } = await olga.get(MAIL)
    assert.match(body, /set up.*Where mails go.*nowhere/s)
    assert.deepEqual(checkMarkup(body), [])
    await olga.post(`${MAIL}test/`)
    assert.match((await olga.get(MAIL)).body, /took a test mail to olga@a\.example/)
    for (const who of [ANN, PAUL]) {
      const browser = await browserOf(world, who)
      assert.equal((await browser.get(MAIL)).statusCode, 403)
      for (const what of ['test', 'retry', 'discard'])
        assert.equal((await browser.post(`${MAIL}${what}/`, { form: { job: '1' } })).statusCode, 403)
    }
  })

  test('lists mails with the reason of their failure, tries them again and discards them', async () => {
    const failed = await addJob('account_mail', 'connect ECONNREFUSED <mail>')
    const waiting = await addJob('account_mail')
    const olga = await browserOf(world, OLGA)
    const all = (await olga.get(MAIL)).body
    assert.match(all, /given up.*connect ECONNREFUSED &lt;mail&gt;/s)
    assert.deepEqual(checkMarkup(all), [])
    assert.equal((await olga.get(`${MAIL}?show=failures`)).body.split('Account and password').length, 2)
    await olga.post(`${MAIL}retry/`, { form: { job: String(failed) } })
    const { rows } = await sql<{ attempts: number }>`
      select attempts::int as attempts from graphile_worker._private_jobs where id = ${failed}`.execute(world.db.write)
    assert.equal(rows[0]!.attempts, 0)
    await olga.post(`${MAIL}discard/`, { form: { job: String(waiting) } })
    assert.deepEqual(await jobs(), [failed])
  })

  test('touches no jobs of other kinds', async () => {
    const other = await addJob('empty_bin')
    const olga = await browserOf(world, OLGA)
    for (const what of ['retry', 'discard']) {
      await olga.post(`${MAIL}${what}/`, { form: { job: String(other) } })
      assert.match((await olga.get(MAIL)).body, /sent or discarded in the meantime/)
    }
    assert.equal((await findJobs(world.db, 'empty_bin')).length, 1)
  })
})

describe('commands and queries about mail', async () => {
  const world = await openWorld({ hasMail: true })
  const { write } = world.db
  const as = (person: Person) => contextAs(world, person)
  const addJob = async (
    values: { task?: string; error?: string; payload?: object; isLocked?: boolean; attempts?: number } = {},
  ) => {
    const { task = 'account_mail', error, payload = { kind: 'welcome', userId: ANN.id }, isLocked = false, attempts = 0 } = values
    const { rows } = await sql<{ id: number }>`
      select id::int as id from graphile_worker.add_job(${task}, ${JSON.stringify(payload)}::json, max_attempts := 8)`.execute(
      write,
    )
    await sql`update graphile_worker._private_jobs set attempts = ${attempts}, last_error = ${error ?? null},
      run_at = now() + interval '1 day', locked_at = case when ${isLocked}::boolean then now() end, locked_by = case when ${isLocked}::boolean then 'x' end
      where id = ${rows[0]!.id}`.execute(write)
    return rows[0]!.id
  }
  const jobs = async () => {
    const { rows } = await sql<{ id: number; attempts: number; isDue: boolean }>`
      select id::int as id, attempts::int as attempts, run_at <= now() as "isDue" from graphile_worker._private_jobs
      where payload::text like '%welcome%' order by id`.execute(write)
    return rows
  }
  const journal = async () =>
    (await write.selectFrom('journal').select('kind').where('kind', 'like', 'mail.%').orderBy('id').execute()).map(
      ({ kind }) => kind,
    )
  const addNotification = async (person: Person, values: { mail: string; reason: string | null; bundle?: string; at?: Date }) => {
    const { rows } = await sql<{ id: number }>`
      insert into notification (kind, source, user_id, bundle, mail, mail_reason, attempts, next_attempt_at, created_at)
      values ('profile_changed', gen_random_uuid(), ${person.id}, ${values.bundle ?? 'b'}, ${values.mail}, ${values.reason}, 3,
        ${new Date(world.now.getTime() + DAY_MS)}, ${values.at ?? world.now}) returning id`.execute(write)
    return rows[0]!.id
  }
  const mailOf = async (id: number) => {
    const row = await write.selectFrom('notification').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    return [row.mail, row.mail_reason, row.attempts, row.next_attempt_at.getTime() - world.now.getTime()]
  }
  beforeEach(async () => {
    await sql`delete from graphile_worker._private_jobs`.execute(write)
    await write.deleteFrom('notification').execute()
    await write.deleteFrom('mail_state').execute()
    await write.deleteFrom('journal').where('kind', 'like', 'mail.%').execute()
    await write.updateTable('user_profile').set({ email_invalid: false, is_active: true }).execute()
  })

  test('only administrators try mails again or discard them, also without the page', async () => {
    const id = await addJob({ error: 'x', attempts: 8 })
    const notification = await addNotification(ANN, { mail: 'failed', reason: 'x' })
    for (const command of [
      () => retryMail(as(PAUL), id),
      () => discardMail(as(PAUL), id),
      () => retryNotification(as(PAUL), notification),
    ])
      await assert.rejects(command, { code: 'permission_denied' })
    assert.deepEqual(await jobs(), [{ id, attempts: 8, isDue: false }])
    assert.equal((await mailOf(notification))[0], 'failed')
    assert.deepEqual(await journal(), [])
  })

  test('one mail is tried again or discarded; one that is being sent is left alone', async () => {
    const [first, second, sending] = [
      await addJob({ error: 'x', attempts: 8 }),
      await addJob({ error: 'x', attempts: 8 }),
      await addJob({ isLocked: true, attempts: 1 }),
    ]
    assert.equal(await retryMail(as(OLGA), first), true)
    const rest = [
      { id: second, attempts: 8, isDue: false },
      { id: sending, attempts: 1, isDue: false },
    ]
    assert.deepEqual(await jobs(), [{ id: first, attempts: 0, isDue: true }, ...rest])
    assert.deepEqual([await retryMail(as(OLGA), sending), await discardMail(as(OLGA), sending)], [false, false])
    assert.equal(await discardMail(as(OLGA), first), true)
    assert.equal(await discardMail(as(OLGA), first), false)
    assert.deepEqual(await jobs(), rest)
    assert.deepEqual(await journal(), ['mail.retried', 'mail.discarded'])
  })

  test('the outbox says whom a mail is for', async () => {
    const times = { created_at: world.now, expires_at: new Date(world.now.getTime() + DAY_MS) }
    const idOf = async (row: Promise<{ id: number }>) => (await row).id
    const tokenId = await idOf(
      write
        .insertInto('access_token')
        .values({ token_hash: Buffer.alloc(32, 7), kind: 'personal', user_id: PAUL.id, scopes: ['me:read'], ...times })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const requestId = await idOf(
      write
        .insertInto('decision_request')
        .values({ kind: 'joining', user_id: ANN.id, data: '{}', created_at: world.now })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const registrationId = await idOf(
      write
        .insertInto('registration')
        .values({
          email: 'rosa@a.example',
          display_name: 'Rosa',
          date_of_birth: '1990-01-01',
          language: 'en',
          password_hash: 'x',
          ...times,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    )
    const jobs = [
      [await addJob({ payload: { kind: 'welcome', userId: BEN.id } }), 'Ben'],
      [await addJob({ task: 'token_expiry_mail', payload: { tokenId } }), PAUL.name],
      [await addJob({ task: 'join_mail', payload: { kind: 'refused', requestId } }), ANN.name],
      [await addJob({ task: 'join_mail', payload: { kind: 'confirm', registrationId } }), 'Rosa'],
      [await addJob({ task: 'join_mail', payload: { kind: 'confirm', registrationId: registrationId + 1 } }), null],
    ] as const
    const names = new Map((await findMailJobs(write, false)).map(({ id, name }) => [id, name]))
    for (const [id, name] of jobs) assert.equal(names.get(id), name)
  })

  test('the outbox lists failures first, and failures alone', async () => {
    const waiting = await addJob()
    const failed = await addJob({ error: 'connect ECONNREFUSED', attempts: 8 })
    const retrying = await addJob({ error: `${ADDRESS_FAILED}: x`, attempts: 7 })
    await addJob({ task: 'empty_bin', error: 'x' })
    const listed = async (onlyFailures: boolean) =>
      (await findMailJobs(write, onlyFailures)).map(({ id, isFailed, isSkipped }) => [id, isFailed, isSkipped])
    const failures = [
      [failed, true, false],
      [retrying, false, true],
    ]
    assert.deepEqual(await listed(true), failures)
    assert.deepEqual(await listed(false), [...failures, [waiting, false, false]])
  })

  for (const [what, mail, reason, isTried] of [
    ['that failed', 'failed', 'x', true],
    ['to an address that did not work', 'skipped', 'address', true],
    ['that was left out on purpose', 'skipped', 'off', false],
    ['that waits after a failure', 'waiting', 'x', true],
    ['that waits', 'waiting', null, false],
    ['that was sent', 'sent', null, false],
  ] as const)
    test(`a notification ${what} is ${isTried ? '' : 'not '}tried again`, async () => {
      const id = await addNotification(ANN, { mail, reason })
      const together = await addNotification(ANN, { mail, reason })
      const [other, another] = [
        await addNotification(BEN, { mail, reason }),
        await addNotification(ANN, { mail, reason, bundle: 'c' }),
      ]
      assert.equal(await retryNotification(as(OLGA), id), isTried)
      const unchanged = [mail, reason, 3, DAY_MS]
      const expected = isTried ? ['waiting', null, 0, 0] : unchanged
      assert.deepEqual([await mailOf(id), await mailOf(together)], [expected, expected])
      assert.deepEqual([await mailOf(other), await mailOf(another)], [unchanged, unchanged])
      assert.deepEqual(await journal(), isTried ? ['mail.retried'] : [])
    })

  test('what was left out for an address is sent when it works again, unless it is old', async () => {
    const recent = await addNotification(ANN, {
      mail: 'skipped',
      reason: 'address',
      at: new Date(world.now.getTime() - 14 * DAY_MS + 1),
    })
    const old = await addNotification(ANN, {
      mail: 'skipped',
      reason: 'address',
      at: new Date(world.now.getTime() - 14 * DAY_MS),
    })
    const off = await addNotification(ANN, { mail: 'skipped', reason: 'off' })
    const ofBen = await addNotification(BEN, { mail: 'skipped', reason: 'address' })
    const [account, busy, otherwise, forBen] = [
      await addJob({ error: `${ADDRESS_FAILED}: x`, attempts: 8 }),
      await addJob({ error: `${ADDRESS_FAILED}: x`, attempts: 8, isLocked: true }),
      await addJob({ error: 'connect ECONNREFUSED', attempts: 8 }),
      await addJob({ error: `${ADDRESS_FAILED}: x`, attempts: 8, payload: { kind: 'welcome', userId: BEN.id } }),
    ]
    await transact(write, (tx) => resumeMails(tx, as(OLGA), ANN.id))
    const states = await Promise.all([recent, old, off, ofBen].map(async (id) => (await mailOf(id))[0]))
    assert.deepEqual(states, ['waiting', 'skipped', 'skipped', 'skipped'])
    assert.deepEqual(
      (await jobs()).map(({ id, attempts }) => [id, attempts]),
      [
        [account, 0],
        [busy, 8],
        [otherwise, 8],
        [forBen, 8],
      ],
    )
  })

  test('addresses that do not work are counted and listed, the last failure first, without accounts that are closed', async () => {
    const set = (person: Person, values: object) =>
      write.updateTable('user_profile').set(values).where('id', '=', person.id).execute()
    for (const person of [ANN, BEN, PAUL, VERA]) await set(person, { email_invalid: true })
    await set(VERA, { is_active: false })
    const failed = (person: Person, hour: number, email = person.email) =>
      write
        .insertInto('email_failure')
        .values({
          user_id: person.id,
          email,
          failed_at: new Date(world.now.getTime() + hour * 3_600_000),
          reason: `of ${person.name}`,
        })
        .execute()
    await failed(ANN, 1, ANN.email.toUpperCase())
    await failed(BEN, 2)
    await failed(PAUL, 3, 'former@a.example')
    await addNotification(ANN, { mail: 'skipped', reason: 'address' })
    await addNotification(ANN, { mail: 'skipped', reason: 'off' })
    const { count, people } = await findFailedAddresses(write)
    assert.equal(count, 3)
    assert.deepEqual(
      people.map(({ name, reason, skipped }) => [name, reason, skipped]),
      [
        [BEN.name, `of ${BEN.name}`, 0],
        [ANN.name, `of ${ANN.name}`, 1],
        [PAUL.name, null, 0],
      ],
    )
    assert.equal((await getMailHealth(write, world.now, true)).addresses, 3)
    await write.deleteFrom('email_failure').execute()
  })

  test('that mails are taken is noted once a minute, and at once after a failure', async () => {
    let isBroken = false
    const mailer = makePeopleMailer({
      mailer: {
        describe: 'a test',
        send: async () => {
          if (isBroken) throw new Error('connect ECONNREFUSED')
        },
      },
      db: world.db,
      clock: { now: () => world.now },
      site: world.app.site,
      bounceAddress: undefined,
    })
    const start = world.now
    const send = async (seconds: number, broken = false) => {
      world.now = new Date(start.getTime() + seconds * 1000)
      isBroken = broken
      await mailer.send({ to: ANN.email, userId: ANN.id, subject: 'Hello', text: 'Hello' }).catch(() => {})
      const row = await write.selectFrom('mail_state').selectAll().executeTakeFirstOrThrow()
      const secondsOf = (time: Date | null) => time && (time.getTime() - start.getTime()) / 1000
      return [secondsOf(row.sent_at), secondsOf(row.failed_at), row.reason]
    }
    assert.deepEqual(await send(0), [0, null, ''])
    assert.deepEqual(await send(60), [0, null, ''])
    assert.deepEqual(await send(61), [61, null, ''])
    assert.deepEqual(await send(62, true), [61, 62, 'connect ECONNREFUSED'])
    assert.deepEqual(await send(63), [63, null, ''])
    world.now = start
  })
})

describe('without a mail server', async () => {
  const world = await openWorld()

  test('the page says in the language of the reader where mails go', async () => {
    const olga = await browserOf(world, OLGA)
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', OLGA.id).execute()
    assert.match((await olga.get(MAIL)).body, /in Dateien auf diesem Server: nowhere/)
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', OLGA.id).execute()
    assert.match((await olga.get(MAIL)).body, /into files on this server: nowhere/)
  })

  test('the page says what to do instead, and a new person leads to the invitation link', async () => {
    const olga = await browserOf(world, OLGA)
    assert.match((await olga.get(MAIL)).body, /No mail leaves this server\. Set MAIL_URL/)
    assert.match((await olga.get('/manage/people/new/')).body, /This server sends no mails\. Copy an invitation link/)
    const form = { name: 'New', email: 'new@a.example', language: 'en', is_visible: 'on', date_of_birth: '', phone: '' }
    const made = await olga.post('/manage/people/new/', { form })
    assert.match(String(made.headers.location), /\/manage\/people\/\d+\/invitation\/$/)
  })
})
