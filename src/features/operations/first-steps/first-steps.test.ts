import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { installationHooks } from '#features/operations/settings/points.ts'
import { BUNDLES } from '#platform/auth/permissions.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { renderHtml } from '#platform/html/html.ts'
import type { PageRequest } from '#platform/http/page.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { siteWith } from '#test/support/added.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { firstStepsIntro } from './pages.ts'

type Installation = {
  hasMail?: boolean
  isTimeZoneSet?: boolean
  isLanguageSet?: boolean
  getLastBackup?: () => Promise<Date | undefined>
}

const doneIn = (body: string) => [...body.matchAll(/tone-good" data-step="(\w+)"/g)].map(([, step]) => step)

describe('the first steps of an administrator', async () => {
  const world = await openWorld({ empty: true })
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const admin = await browserOf(world, stella)
  const home = async () => (await admin.get('/')).body
  /** With other settings of the server. */
  const listWith = async ({ hasMail = false, isTimeZoneSet = false, isLanguageSet = false, getLastBackup }: Installation) => {
    const context = { ...contextOf(world, actorOf(stella, { isStaff: true })), words: wordsFor('en', 'UTC') }
    const config = { mode: 'serve', isTimeZoneSet, isLanguageSet, backupDir: getLastBackup && '/backups' }
    const site = siteWith(context.site, installationHooks, getLastBackup ? [{ getLastBackup }] : [])
    const load = firstStepsIntro({ config, site, hasMail } as unknown as Runtime)
    const list = await load({ context, csrfToken: 'x' } as unknown as PageRequest)
    return list ? renderHtml(list) : ''
  }

  const store = (name: string, value: unknown) =>
    world.db.write
      .insertInto('setting')
      .values({ name, value: JSON.stringify(value) })
      .execute()

  test('are all open in an instance that nobody has touched, with the group of its administrators', async () => {
    await sql`delete from user_group`.execute(world.db.write)
    await sql`delete from qualification`.execute(world.db.write)
    await world.addGroup('Administrators', [], [...BUNDLES.management])
    await store('modules', [])
    const body = await listWith({})
    assert.deepEqual([doneIn(body), [...body.matchAll(/data-step="(\w+)"/g)].length], [[], 10])
    const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!)
    assert.deepEqual(
      links.filter((link) => link.startsWith('/manage/people/') || link === '/manage/groups/'),
      ['/manage/people/import/', '/manage/people/new/', '/manage/groups/'],
    )
    for (const link of links) assert.equal((await admin.get(link)).statusCode, 200, link)
    assert.deepEqual(checkMarkup(await home()), [])
  })

  test('lead from the page of one to the next, before and after it is done', async () => {
    const noticeOf = async (path: string) => /First steps: [^<]*<a href="[^"]+">[^<]*/.exec((await admin.get(path)).body)?.[0]
    assert.equal(await noticeOf('/manage/groups/'), 'First steps: Groups. <a href="/manage/qualifications/">Next: Qualifications')
    await world.addGroup('Newcomers', [])
    assert.equal(
      await noticeOf('/manage/groups/'),
      'First steps: Groups is done. <a href="/manage/qualifications/">Next: Qualifications',
    )
    await sql`delete from user_group where name = 'Newcomers'`.execute(world.db.write)
    assert.deepEqual(
      [await noticeOf('/'), await noticeOf('/manage/'), await noticeOf('/manage/status/')],
      [undefined, undefined, undefined],
    )
    const hanna = await browserOf(
      world,
      await world.addPerson({ name: 'Hanna', permissions: ['view_group', 'change_group'], isVisible: false }),
    )
    assert.doesNotMatch((await hanna.get('/manage/groups/')).body, /First steps/)
  })

  for (const [step, perform] of [
    ['name', () => store('organization_name', 'Club')],
    [
      'region',
      async () => {
        await store('time_zone', 'Europe/Berlin')
        await store('default_language', 'de')
      },
    ],
    ['modules', () => store('modules_chosen', true)],
    ['groups', () => world.addGroup('Helpers', [])],
    ['qualifications', () => world.addQualification('First aid')],
    ['event_types', () => world.addType()],
    ['people', () => world.addPerson({ name: 'Second' })],
    ['event', async () => world.addEvent({ type: await world.addType(), shifts: [{}] })],
  ] as const)
    test(`${step} ticks itself`, async () => {
      assert.ok(!doneIn(await home()).includes(step))
      await perform()
      assert.ok(doneIn(await home()).includes(step))
    })

  test('mail needs a setting of the server and a mail that was sent', async () => {
    assert.match(await listWith({}), /setting MAIL_URL/)
    assert.match(await listWith({ hasMail: true }), /href="\/manage\/mail\/".*Send yourself a test mail/s)
    assert.ok(!doneIn(await listWith({ hasMail: true })).includes('mail'))
    await sql`insert into mail_state (id, sent_at, failed_at) values (1, now(), now())`.execute(world.db.write)
    assert.ok(!doneIn(await listWith({ hasMail: true })).includes('mail'))
    await sql`update mail_state set failed_at = null`.execute(world.db.write)
    assert.ok(doneIn(await listWith({ hasMail: true })).includes('mail'))
    assert.ok(!doneIn(await listWith({})).includes('mail'))
  })

  test('backup knows its setting, and waits for the first one', async () => {
    assert.match(await listWith({}), /href="\/manage\/status\/">Backups<.*needs the setting BACKUP_DIR/)
    const waiting = await listWith({ getLastBackup: async () => undefined })
    assert.match(waiting, /BACKUP_DIR is set\. The first backup is made tonight\./)
    assert.ok(!doneIn(waiting).includes('backup'))
    assert.ok(doneIn(await listWith({ getLastBackup: async () => world.now })).includes('backup'))
    const unreadable = async () => {
      throw new Error('EACCES: permission denied, scandir')
    }
    assert.equal(await listWith({ getLastBackup: unreadable }), waiting)
  })

  test('language and time zone can be settings of the server', async () => {
    await sql`delete from setting where name in ('time_zone', 'default_language')`.execute(world.db.write)
    assert.ok(!doneIn(await listWith({ isTimeZoneSet: true })).includes('region'))
    assert.ok(!doneIn(await listWith({ isLanguageSet: true })).includes('region'))
    assert.ok(doneIn(await listWith({ isTimeZoneSet: true, isLanguageSet: true })).includes('region'))
  })

  test('disappear when all is done', async () =>
    assert.equal(
      await listWith({ hasMail: true, isTimeZoneSet: true, isLanguageSet: true, getLastBackup: async () => world.now }),
      '',
    ))

  test('are shown to administrators only', async () => {
    const anna = await world.addPerson({ name: 'Anna' })
    const body = (await (await browserOf(world, anna)).get('/')).body
    assert.doesNotMatch(body, /First steps/)
    assert.match(await home(), /First steps/)
    assert.equal((await (await browserOf(world, anna)).post('/first-steps/dismiss/')).statusCode, 403)
  })

  test('can be hidden', async () => {
    await home()
    assert.equal((await admin.post('/first-steps/dismiss/')).statusCode, 303)
    assert.doesNotMatch(await home(), /First steps/)
    assert.doesNotMatch((await admin.get('/manage/groups/')).body, /First steps/)
  })
})
