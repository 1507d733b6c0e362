import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { checkPassword } from '#platform/auth/passwords.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { Browser, type BrowserResponse } from '#test/support/http-browser.ts'
import { findJobs, openAccountMailOutbox } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { contextIn, SITE, useSignInServer } from '#test/support/sign-in-server.ts'
import { deleteAccountMailsOf, queueAccountMail, queueWelcomeMail } from './commands/links.ts'

const RESET = '/accounts/reset/'
const NEW = 'four green umbrellas'
const FORM = { password: NEW, password_again: NEW }
const bodyOf = ({ body }: BrowserResponse) =>
  body.replaceAll(/nonce(="|-)[^"']+/g, '').replaceAll(/name="csrf_token" value="[^"]+"/g, '')

describe('links by mail', () => {
  const setup = useSignInServer()
  const outbox = openAccountMailOutbox(() => setup.db, { now: () => setup.now }, SITE)
  const later = (minutes: number) => {
    setup.now = new Date(setup.now.getTime() + minutes * 60_000)
  }
  const ask = async (email: string, browser = new Browser(setup.server)): Promise<BrowserResponse> => {
    await browser.get(RESET)
    return browser.post(RESET, { form: { email } })
  }
  const change = (values: Record<string, unknown>) =>
    setup.db.write.updateTable('user_profile').set(values).where('id', '=', setup.ann).execute()
  /** Sends all waiting mails and returns the links in them. */
  const deliver = async (): Promise<string[]> => {
    outbox.sent.length = 0
    await outbox.deliver()
    return outbox.sent.map(
      ({ text }) => /https:\/\/turnout\.example(\/accounts\/(?:reset|welcome)\/\w*\/?)/.exec(text)?.[1] ?? '',
    )
  }
  const linkFor = async (email = 'ann@example.org'): Promise<string> => {
    assert.equal((await ask(email)).statusCode, 200)
    return (await deliver())[0]!
  }
  const links = () => setup.db.write.selectFrom('one_time_link').selectAll().execute()
  const isDead = async (url: string) => {
    const [shown, sent] = [await new Browser(setup.server).get(url), new Browser(setup.server)]
    await sent.get(RESET)
    const posted = await sent.post(url, { form: FORM })
    return [shown, posted].every(({ statusCode, body }) => statusCode === 404 && body.includes('This link no longer works'))
  }

  describe('a request for a link', () => {
    test('is linked on the sign-in page', async () => {
      assert.ok((await new Browser(setup.server).get('/accounts/login/')).body.includes(`<a href="${RESET}">`))
    })

    test('has valid markup in both languages: empty, refused and accepted', async () => {
      for (const [language, title] of [
        ['en', 'Forgot your password?'],
        ['de', 'Passwort vergessen?'],
      ] as const) {
        const browser = new Browser(setup.server, { language })
        const empty = await browser.get(RESET)
        assert.ok(empty.body.includes(`<h1>${title}</h1>`))
        const refused = await browser.post(RESET, { form: { email: ' ' } })
        assert.equal(refused.statusCode, 422)
        const answered = await browser.post(RESET, { form: { email: '"><script>' } })
        assert.ok(answered.body.includes('&quot;&gt;&lt;script&gt;'))
        for (const { body } of [empty, refused, answered]) assert.deepEqual(checkMarkup(body), [])
      }
    })

    test('causes the same response and work for known, unknown and inactive people, and a mail for known ones only', async () => {
      const seen = new Set<string>()
      const work = new Set<string>()
      const cases: [Record<string, unknown>, number][] = [
        [{ email: 'other@example.org' }, 0],
        [{ email: 'same@example.org' }, 1],
        [{ email: 'same@example.org', is_active: false }, 0],
      ]
      for (const [values, mails] of cases) {
        await sql`truncate sign_in_attempt`.execute(setup.db.write)
        await change(values)
        const answer = await ask('same@example.org')
        assert.equal(answer.statusCode, 200)
        seen.add(bodyOf(answer))
        const jobs = await findJobs(setup.db, 'account_mail')
        const attempts = await setup.db.write.selectFrom('sign_in_attempt').selectAll().execute()
        work.add(
          JSON.stringify([
            jobs.map(({ payload }) => Object.keys(payload)),
            attempts.length,
            setup.hashes,
            (await links()).length,
          ]),
        )
        assert.equal((await deliver()).length, mails, JSON.stringify(values))
        await sql`truncate one_time_link`.execute(setup.db.write)
      }
      assert.deepEqual([seen.size, work.size], [1, 1])
    })

    test('puts the link into the mail only, not into the job, the journal or any table', async () => {
      await ask('ANN@example.org')
      const [job] = await findJobs(setup.db, 'account_mail')
      assert.ok(!/ann@example/i.test(JSON.stringify(job)))
      assert.deepEqual(await links(), [])
      const [url] = await deliver()
      const token = url!.split('/')[3]!
      assert.match(token, /^[A-Za-z0-9]{43}$/)
      const [link] = await links()
      assert.deepEqual(link!.token_hash, hashSecret(token))
      const tables = await sql<{ name: string }>`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
        from information_schema.tables where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')`.execute(
        setup.db.write,
      )
      assert.ok(tables.rows.length > 40)
      for (const { name } of tables.rows) {
        const { rows } = await sql<{
          dump: string
        }>`select coalesce(string_agg(t::text, ' '), '') as dump from ${sql.raw(name)} t`.execute(setup.db.write)
        assert.ok(!rows[0]!.dump.includes(token), name)
      }
    })

    test('sends a mail in the language of the recipient, as text and HTML, with links to SITE_URL', async () => {
      for (const [language, subject, text] of [
        ['en', 'A new password for Turnout', 'Set a new password'],
        ['de', 'Ein neues Passwort für Turnout', 'Neues Passwort festlegen'],
      ] as const) {
        await change({ preferred_language: language, display_name: 'Ann <b>' })
        const url = await linkFor()
        const [mail] = outbox.sent
        assert.deepEqual([mail!.to, mail!.subject], ['Ann@Example.org', subject])
        assert.ok(mail!.text.includes(text) && mail!.text.includes('Ann <b>'))
        assert.ok(
          mail!.html!.includes(text) && mail!.html!.includes('Ann &lt;b&gt;') && mail!.html!.includes(`href="${SITE}${url}"`),
        )
        const hrefs = [...`${mail!.html!} ${mail!.text}`.matchAll(/https?:\/\/[^\s"<]+/g)].map(([href]) => href)
        assert.ok(hrefs.length >= 4 && hrefs.every((href) => href === SITE || href.startsWith(`${SITE}/`)), hrefs.join())
      }
    })

    test('is limited to six in an hour per address, known or not, and does not lock the account', async () => {
      for (const email of ['ann@example.org', 'nobody@example.org']) {
        for (let i = 0; i < 6; i++) assert.equal((await ask(i % 2 ? email.toUpperCase() : email)).statusCode, 200)
        const late = await ask(email)
        assert.equal(late.statusCode, 429)
        assert.ok(Number(late.headers['retry-after']) > 0)
        assert.match(late.body, /Check the inbox and the spam folder, or try again after 15:01\./)
        assert.deepEqual(checkMarkup(late.body), [])
      }
      assert.equal((await deliver()).length, 6)
      assert.equal((await new Browser(setup.server).signIn()).statusCode, 303)
      later(59)
      assert.equal((await ask('ann@example.org')).statusCode, 429)
      later(1)
      assert.equal((await ask('ann@example.org')).statusCode, 200)
    })

    test('is limited to 20 per minute and IP address', async () => {
      for (let i = 0; i < 20; i++) assert.equal((await ask(`nobody${i}@example.org`)).statusCode, 200)
      const late = await ask('ann@example.org')
      assert.equal(late.statusCode, 429)
      assert.match(late.body, /Too many links were requested from your network\. Try again in 60 seconds\./)
      assert.equal((await ask('ann@example.org', new Browser(setup.server, { ip: '192.0.2.2' }))).statusCode, 200)
    })

    test('cannot be forged', async () => {
      const browser = new Browser(setup.server)
      await browser.get(RESET)
      const form = { email: 'ann@example.org' }
      assert.equal((await browser.post(RESET, { form, token: undefined })).statusCode, 403)
      assert.equal((await browser.post(RESET, { form, headers: { 'sec-fetch-site': 'cross-site' } })).statusCode, 403)
      assert.deepEqual(await findJobs(setup.db, 'account_mail'), [])
    })

    test('is retried with a new link if the mail server fails', async () => {
      await ask('ann@example.org')
      outbox.broken = true
      await assert.rejects(deliver(), /mail server is down/)
      outbox.broken = false
      later(50)
      const [url] = await deliver()
      later(50)
      assert.equal((await new Browser(setup.server).get(url!)).statusCode, 200)
    })

    test('is dropped after a day', async () => {
      await ask('ann@example.org')
      later(24 * 60 + 1)
      assert.deepEqual(await deliver(), [])
    })
  })

  describe('a link to a new password', () => {
    test('sets the password, signs in, and revokes all other credentials', async () => {
      const [old, url] = [new Browser(setup.server), await linkFor()]
      await old.signIn()
      const browser = new Browser(setup.server)
      const form = await browser.get(url)
      assert.equal(form.statusCode, 200)
      assert.equal(form.headers['cache-control'], 'no-store')
      assert.deepEqual(checkMarkup(form.body), [])
      const done = await browser.post(url, { form: FORM })
      assert.deepEqual([done.statusCode, done.headers.location], [303, '/'])
      const home = await browser.get('/')
      assert.ok(home.body.includes('Home of Ann') && home.body.includes('Your new password is set. Strength: strong.'))
      assert.equal((await old.get('/')).statusCode, 303)
      assert.deepEqual(setup.ended, [setup.ann])
      const { password_hash, last_sign_in_at } = await setup.db.write
        .selectFrom('user_profile')
        .selectAll()
        .where('id', '=', setup.ann)
        .executeTakeFirstOrThrow()
      assert.equal((await checkPassword(NEW, password_hash!)).ok, true)
      assert.deepEqual(last_sign_in_at, setup.now)
      await deliver()
      assert.deepEqual(
        outbox.sent.map(({ subject }) => subject),
        ['Your password for Turnout was changed'],
      )
      const entry = await setup.db.write.selectFrom('journal').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
      assert.deepEqual(
        [entry.kind, entry.changes, entry.subject_id],
        ['user.password_changed', { by: 'reset_password' }, setup.ann],
      )
    })

    test('works once and invalidates other links of the person', async () => {
      const [first, second] = [await linkFor(), await linkFor()]
      const browser = new Browser(setup.server)
      await browser.get(second)
      assert.equal((await browser.post(second, { form: FORM })).statusCode, 303)
      assert.deepEqual([await isDead(second), await isDead(first)], [true, true])
    })

    test('works for an hour', async () => {
      const url = await linkFor()
      later(59)
      assert.equal((await new Browser(setup.server).get(url)).statusCode, 200)
      later(1)
      assert.equal(await isDead(url), true)
    })

    test('is invalid for inactive people, with an unknown token, and under the path of another purpose', async () => {
      const url = await linkFor()
      assert.equal(await isDead(url.replace('reset', 'welcome')), true)
      assert.equal(await isDead(`${RESET}invented/`), true)
      await change({ is_active: false })
      assert.equal(await isDead(url), true)
      await change({ is_active: true })
      assert.equal(await isDead(url), false)
    })

    test('stays valid if the password is refused', async () => {
      const url = await linkFor()
      const browser = new Browser(setup.server)
      await browser.get(url)
      for (const [form, text] of [
        [{ password: 'short', password_again: 'short' }, 'at least 10 characters'],
        [{ password: NEW, password_again: '' }, 'The passwords do not match.'],
        [{ password: '', password_again: '' }, 'Please enter your password.'],
        [{ password: 'ann.example.org', password_again: 'ann.example.org' }, 'too similar to your name'],
      ] as const) {
        const refused = await browser.post(url, { form })
        assert.equal(refused.statusCode, 422)
        assert.ok(refused.body.includes(text), text)
        assert.deepEqual(checkMarkup(refused.body), [])
      }
      assert.equal((await browser.post(url, { form: FORM, token: undefined })).statusCode, 403)
      assert.equal((await browser.post(url, { form: FORM })).statusCode, 303)
    })

    test('does not accept a session id chosen by the client', async () => {
      const url = await linkFor()
      const browser = new Browser(setup.server)
      const planted = 'planted0planted0planted0planted0planted0abc'
      browser.cookies.set('__Host-turnout_session', planted)
      await browser.get(url)
      await browser.post(url, { form: FORM })
      assert.notEqual(browser.session, planted)
      assert.equal((await browser.get('/')).statusCode, 200)
    })
  })

  describe('a welcome mail', () => {
    const welcome = async (): Promise<string | undefined> => {
      await setup.db.write.transaction().execute((tx) => queueWelcomeMail(tx, contextIn(setup), setup.ann))
      return (await deliver())[0]
    }

    test('contains a link to choose the first password, valid for four weeks', async () => {
      await change({ password_hash: null, preferred_language: 'de' })
      const url = (await welcome())!
      assert.match(url, /^\/accounts\/welcome\/\w{43}\/$/)
      assert.equal(outbox.sent[0]!.subject, 'Willkommen bei Turnout')
      assert.ok(outbox.sent[0]!.text.includes('Ann@Example.org'))
      later(28 * 24 * 60 - 1)
      const browser = new Browser(setup.server, { language: 'de' })
      const form = await browser.get(url)
      assert.ok(form.body.includes('<h1>Willkommen, Ann</h1>'))
      assert.deepEqual(checkMarkup(form.body), [])
      const done = await browser.post(url, { form: FORM })
      assert.equal(done.statusCode, 303)
      assert.ok((await browser.get('/')).body.includes('Dein Konto ist bereit. Stärke deines Passworts: stark.'))
    })

    test('contains a link that expires, and is sent to active people only', async () => {
      const url = (await welcome())!
      later(28 * 24 * 60)
      assert.equal(await isDead(url), true)
      await change({ is_active: false })
      assert.equal(await welcome(), undefined)
    })

    test('is not sent if the transaction is rolled back', async () => {
      const taken = setup.db.write.transaction().execute(async (tx) => {
        await queueWelcomeMail(tx, contextIn(setup), setup.ann)
        throw new Error('changed my mind')
      })
      await assert.rejects(taken, /changed my mind/)
      assert.deepEqual(await deliver(), [])
    })
  })

  describe('mails that wait when somebody is erased', () => {
    test('are deleted if they are about or to this person, by whatever name, and no others', async () => {
      const [context, { write }] = [contextIn(setup), setup.db]
      await change({ username: 'ann.1' })
      const ben = { email: 'ben@example.org', display_name: 'Ben', username: 'ben.1' }
      const { id: benId } = await write.insertInto('user_profile').values(ben).returning('id').executeTakeFirstOrThrow()
      const at = setup.now.toISOString()
      const reset = (address: string) => ({
        kind: 'reset_password' as const,
        sealedEmail: context.site.keyring.seal(address),
        at,
      })
      const [about, to] = [
        (userId: number) => [
          { kind: 'welcome' as const, userId },
          { kind: 'password_changed' as const, userId, at },
        ],
        (...names: string[]) => names.map(reset),
      ]
      const hers = [...about(setup.ann), ...to('ANN@example.ORG', 'Ann.1')]
      const others = [...about(benId), ...to('ben@example.org', 'ben.1', 'nobody@example.org')]
      await write.transaction().execute(async (tx) => {
        for (const mail of [...hers, ...others]) await queueAccountMail(tx, mail)
        await sql`select graphile_worker.add_job('another_task', ${JSON.stringify({ userId: setup.ann })}::json)`.execute(tx)
      })
      await write.transaction().execute((tx) => deleteAccountMailsOf(tx, context, setup.ann))
      assert.deepEqual(
        (await findJobs(setup.db, 'account_mail')).map(({ payload }) => payload),
        others,
      )
      assert.equal((await findJobs(setup.db, 'another_task')).length, 1)
    })
  })
})
