import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { peopleActionTasks } from '#features/accounts/people-actions/jobs.ts'
import { systemClock } from '#platform/clock.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { openInstance } from '#test/support/instance.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { OLGA } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the journey with many people is skipped, ${skip}`)

const PEOPLE = 200

describe('many people at once', { skip }, async () => {
  const instance = await openInstance({ hasMail: true })
  const { base, db } = instance
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    await sql`
      insert into user_profile (display_name, email, created_at)
      select 'Club ' || n, 'club' || n || '@club.example', now() from generate_series(1, ${PEOPLE}) n`.execute(db.write)
  })
  after(() => browser?.close())

  const work = async () => {
    const [task] = peopleActionTasks({ db, clock: systemClock, site: instance.app.site })
    for (const { id, payload } of await findJobs(db, 'people_action')) {
      await task!.run(payload)
      await sql`delete from graphile_worker._private_jobs where id = ${id}`.execute(db.write)
    }
  }

  for (const [n, width] of chooseVariants([360, 1280], 1).entries())
    test(`${PEOPLE} people are added to a group and taken out again, then invited, at ${width} pixels`, async () => {
      const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', locale: 'en' })
      const { sessionId } = await instance.browserOf(OLGA)
      await context.addCookies([{ name: cookieNames(base).session, value: sessionId, url: base }])
      const page = await context.newPage()
      const { id: group } = await db.write
        .insertInto('user_group')
        .values({ name: `Club of ${width}` })
        .returning('id')
        .executeTakeFirstOrThrow()
      const countMembers = async () =>
        (await db.read.selectFrom('user_group_member').select('user_id').where('group_id', '=', group).execute()).length
      const looksRight = async () => {
        assert.deepEqual(await axeProblems(page), [], page.url())
        assert.deepEqual(await overflowing(page), [], page.url())
      }
      const select = async (kind: string) => {
        await page.goto(`${base}/manage/people/?q=club`)
        await page.getByRole('link', { name: 'Select people …' }).click()
        await page.getByLabel('What should happen?').selectOption({ label: kind })
        await page.getByLabel(`Everybody whom the filter finds: ${PEOPLE} people`).check()
        await looksRight()
        await page.getByRole('button', { name: 'Go on' }).click()
      }
      /** Presses the button, sees that it is being worked on, and waits for the result. */
      const perform = async (name: RegExp, result: RegExp) => {
        await looksRight()
        await page.locator('main').getByRole('button', { name }).click()
        await page.locator('progress').waitFor()
        await work()
        await page.getByText(result).first().waitFor()
        await looksRight()
      }

      await select('Add to a group')
      await page.getByRole('heading', { name: `Add ${PEOPLE} people to a group?` }).waitFor()
      await page.getByLabel('Group').selectOption(String(group))
      await perform(/^Add to/, /^200 people: done\./)
      assert.equal(await countMembers(), PEOPLE)
      await perform(/^Undo/, /^Undone for 200 people\./)
      assert.equal(await countMembers(), 0)

      await sql`delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
        where t.id = j.task_id and t.identifier = 'account_mail'`.execute(db.write)
      await select('Invite')
      await page.getByRole('heading', { name: `Invite ${PEOPLE} people?` }).waitFor()
      await perform(/^Invite/, /^200 people get an email\./)
      const welcome = (await findJobs(db, 'account_mail')).filter(({ payload }) => payload.kind === 'welcome')
      assert.equal(new Set(welcome.map(({ payload }) => payload.userId)).size, PEOPLE)

      // One entry that names everybody, not one for each.
      const { rows } = await sql<{ users: number }>`
        select jsonb_array_length(changes -> 'users') as users from journal where kind = 'user.many_welcomed' order by id desc limit 1`.execute(
        db.read,
      )
      assert.deepEqual(rows, [{ users: PEOPLE }])
      await page.goto(`${base}/manage/log/`)
      assert.equal(
        await page
          .locator('main')
          .getByText(/invited several people/)
          .count(),
        n + 1,
      )
      await context.close()
    })
})
