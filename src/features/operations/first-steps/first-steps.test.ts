import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { installationHooks } from '#features/operations/settings/points.ts'
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

type Installation = { hasMail?: boolean; isTimeZoneSet?: boolean; getLastBackup?: () => Promise<Date | undefined> }

const doneIn = (body: string) => [...body.matchAll(/tone-good" data-step="(\w+)"/g)].map(([, step]) => step)

describe('the first steps of an administrator', async () => {
  const world = await openWorld({ empty: true })
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const admin = await browserOf(world, stella)
  const home = async () => (await admin.get('/')).body
  /** With other settings of the server. */
  const listWith = async ({ hasMail = false, isTimeZoneSet = false, getLastBackup }: Installation) => {
    const context = { ...contextOf(world, actorOf(stella, { isStaff: true })), words: wordsFor('en', 'UTC') }
    const config = { mode: 'serve', isTimeZoneSet, backupDir: getLastBackup && '/backups' }
    const site = siteWith(context.site, installationHooks, getLastBackup ? [{ getLastBackup }] : [])
    const load = firstStepsIntro({ config, site, hasMail } as unknown as Runtime)
    const list = await load({ context, csrfToken: 'x' } as unknown as PageRequest)
    return list ? renderHtml(list) : ''
  }

  test('are all open in an empty instance', async () => {
    await sql`delete from user_group`.execute(world.db.write)
    await sql`delete from qualification`.execute(world.db.write)
    await sql`insert into setting (name, value, changed_at) values ('modules', '[]', now())`.execute(world.db.write)
    const body = await listWith({})
    assert.deepEqual([doneIn(body), [...body.matchAll(/data-step="(\w+)"/g)].length], [[], 8])
    assert.deepEqual(checkMarkup(await home()), [])
  })

  for (const [step, perform] of [
    [
      'name',
      () =>
        sql`insert into setting (name, value, changed_at) values ('organization_name', '"Club"', now()), ('time_zone', '"Europe/Berlin"', now())`.execute(
          world.db.write,
        ),
    ],
    [
      'modules',
      () => sql`insert into setting (name, value, changed_at) values ('modules_chosen', 'true', now())`.execute(world.db.write),
    ],
    ['groups', () => world.addGroup('Helpers', [])],
    ['qualifications', () => world.addQualification('First aid')],
    ['people', () => world.addPerson({ name: 'Second' })],
    ['event', async () => world.addEvent({ type: await world.addType(), shifts: [{}] })],
  ] as const)
    test(`${step} ticks itself`, async () => {
      assert.ok(!doneIn(await home()).includes(step))
      await perform()
      assert.ok(doneIn(await home()).includes(step))
    })

  test('mail, time zone and backup are settings of the server', async () => {
    assert.ok(!doneIn(await listWith({})).includes('mail'))
    assert.ok(doneIn(await listWith({ hasMail: true })).includes('mail'))
    assert.ok(!doneIn(await listWith({ getLastBackup: async () => undefined })).includes('backup'))
    assert.ok(doneIn(await listWith({ getLastBackup: async () => world.now })).includes('backup'))
    await sql`delete from setting where name = 'time_zone'`.execute(world.db.write)
    assert.ok(!doneIn(await listWith({})).includes('name'))
    assert.ok(doneIn(await listWith({ isTimeZoneSet: true })).includes('name'))
  })

  test('disappear when all is done', async () =>
    assert.equal(await listWith({ hasMail: true, isTimeZoneSet: true, getLastBackup: async () => world.now }), ''))

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
  })
})
