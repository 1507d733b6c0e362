import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { findJobs } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const MAIL = '/manage/mail/'

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

describe('without a mail server', async () => {
  const world = await openWorld()

  test('the page says what to do instead, and a new person leads to the invitation link', async () => {
    const olga = await browserOf(world, OLGA)
    assert.match((await olga.get(MAIL)).body, /No mail leaves this server\. Set MAIL_URL/)
    assert.match((await olga.get('/manage/people/new/')).body, /This server sends no mails\. Copy an invitation link/)
    const form = { name: 'New', email: 'new@a.example', language: 'en', is_visible: 'on', date_of_birth: '', phone: '' }
    const made = await olga.post('/manage/people/new/', { form })
    assert.match(String(made.headers.location), /\/manage\/people\/\d+\/invitation\/$/)
  })
})
