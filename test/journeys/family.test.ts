import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transaction.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { actorOf } from '#test/support/command-context.ts'
import { demoOptions, enterAs, getDemoPerson, NOW, openDemoInstance } from '#test/support/demo-instance.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import type { Person } from '#test/support/people.ts'
import { ADDED } from '../../src/features.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`a family in a browser is skipped, ${skip}`)

describe('a mother on her phone', { skip }, () => {
  let browser: Browser
  let db: Database
  let origin: string
  let close: () => Promise<void>
  before(async () => {
    ;({ browser, db, origin, close } = await openDemoInstance())
    await sql`insert into setting (name, value) values ('people_add_children', 'true')
      on conflict (name) do update set value = excluded.value`.execute(db.write)
  })
  after(() => close?.())

  const check = async (page: Page) => assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], page.url())
  const textOf = async (page: Page) => ((await page.textContent('main')) ?? '').replaceAll(/\s+/g, ' ')

  test('adds a child, signs it up, reads one mail about it, finds the shift, and declines for it', async () => {
    const { page, close: leave } = await enterAs('ann', { browser, origin, look: PHONE })
    await page.goto(`${origin}/family/`)
    await check(page)
    await page.fill('[name=name]', 'Lena Sommer')
    await page.fill('[name=date_of_birth]', '2015-03-04')
    await page.locator('main form button.primary').click()
    await page.waitForURL(/\/family\/\d+\/$/)
    await check(page)
    const childId = Number(/\/family\/(\d+)\/$/.exec(page.url())![1])
    const ann = await getDemoPerson(db, 'ann')
    const olga = await getDemoPerson(db, 'olga')
    const lena: Person = { ...ann, id: childId, name: 'Lena Sommer' }
    const shift = {
      label: 'Stall',
      start: '2026-05-30T10:00:00+02:00',
      end: '2026-05-30T14:00:00+02:00',
      flow: 'request_confirm',
      flowConfiguration: { user_can_decline_confirmed: true },
    }
    const { id: eventId, shifts } = await addEvent(
      db.write,
      { title: 'School fair', seenBy: [ann, lena], responsible: [olga], shifts: [shift] },
      NOW,
    )
    const shiftId = shifts[0]!
    await transact(db.write, (tx) => refreshStatistics(tx, shifts))
    const stateOf = async () =>
      (
        await db.read
          .selectFrom('participation')
          .select('state')
          .where('shift_id', '=', shiftId)
          .where('user_id', '=', childId)
          .executeTakeFirst()
      )?.state

    await page.goto(`${origin}/events/${eventId}/`)
    await check(page)
    await page.locator(`form[action="/family/${childId}/shifts/${shiftId}/signup/"] button`).first().click()
    await page.locator('.shift-child .badge').first().waitFor()
    assert.equal(await stateOf(), 0)
    await check(page)

    const { keyring } = demoOptions('', db)
    const site = { url: origin, timeZone: 'Europe/Berlin', keyring, added: ADDED }
    const context = { db: db.write, actor: actorOf(olga, { isStaff: true }), now: NOW, site, requestId: null }
    await moveOnBoard(context as never, { shiftId, who: { kind: 'local', id: childId }, to: 1 })
    const outbox = new NotificationOutbox({ db, now: NOW, app: { site }, logLines: [] } as never)
    const mails = (await outbox.deliver()).filter(({ to }) => to === ann.email)
    assert.deepEqual(
      mails.map(({ subject }) => / \(for (.*)\)$|\(für (.*)\)$/.exec(subject)?.slice(1).find(Boolean)),
      ['Lena Sommer'],
    )

    await page.goto(origin)
    assert.match(await textOf(page), /Shifts of your children\s*1/)
    await check(page)
    for (const path of ['/my-shifts/', `/my-shifts/?who=${childId}`, '/family/', '/notifications/']) {
      await page.goto(`${origin}${path}`)
      assert.match(await textOf(page), /School fair.*Lena Sommer/, path)
      await check(page)
    }

    await page.goto(`${origin}/events/${eventId}/`)
    await page.locator(`a[href^="/family/${childId}/shifts/${shiftId}/decline/"]`).first().click()
    await page.waitForURL(/\/decline\//)
    assert.match(await textOf(page), /Lena Sommer/)
    await check(page)
    assert.equal(await stateOf(), 1, 'asked before')
    await page.locator('main form button[type=submit], main form button').first().click()
    await page.waitForURL((url) => !url.pathname.endsWith('/decline/'))
    assert.equal(await stateOf(), 2)
    await page.goto(`${origin}/my-shifts/?who=${childId}`)
    assert.doesNotMatch(await textOf(page), /School fair/)
    await leave()
  })
})
