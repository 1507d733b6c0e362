import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { cookieNames } from '#platform/http/cookies.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing, readMain } from '#test/support/browser.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, HELPERS, OLGA, type Person } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`journeys of questionnaires are skipped, ${skip}`)

const FLOW = { flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: true } }

describe('questions of shifts in a browser', { skip }, async () => {
  const instance = await openInstance()
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())

  async function openAs(person: Person): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' })
    const { sessionId } = await instance.browserOf(person)
    await context.addCookies([{ name: cookieNames(instance.base).session, value: sessionId, url: instance.base }])
    return context.newPage()
  }

  test('a planner asks, a volunteer answers and saves, the next sign-up is one click, and the planner sees totals', async () => {
    const { base, db } = instance
    await db.write.insertInto('event_type').values({ id: 1, title: 'Service', color: '#336699' }).execute()
    const addShift = (title: string, day: number) =>
      addEvent(
        db.write,
        {
          title,
          seenBy: [HELPERS],
          responsible: [OLGA],
          shifts: [{ start: `2031-06-0${day}T08:00:00+02:00`, end: `2031-06-0${day}T12:00:00+02:00`, ...FLOW }],
        },
        instance.now,
      )
    const events = [await addShift('Fair', 1), await addShift('Run', 2)]
    const [olga, ann] = [await openAs(OLGA), await openAs(ANN)]
    const fine = async (page: Page, where: string) =>
      assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], where)
    const open = async (page: Page, path: string) => {
      await page.goto(`${base}${path}`)
      await fine(page, path)
    }

    await open(olga, '/manage/questions/new/')
    await olga.fill('[name=name]', 'T-shirt')
    await olga.fill('[name=text]', 'Which T-shirt size do you wear?')
    await olga.fill('[name=choices]', 'S\nM\nL')
    await olga.check('[name=required]')
    await olga.check('[name=use_saved_answers]')
    await olga.click('main form button.primary')
    await olga.waitForSelector('.flash')
    await fine(olga, 'the list of questions')
    for (const { shifts } of events) {
      await olga.goto(`${base}/shifts/${shifts[0]}/edit/`)
      await olga.getByText('Questions at sign-up').click()
      await olga.getByLabel('T-shirt').check()
      await fine(olga, 'the shift form')
      await olga.click('main form button[value=save]')
      await olga.waitForSelector('.flash')
    }

    await open(ann, `/events/${events[0]!.id}/`)
    assert.match(await readMain(ann), /Please answer when you sign up: T-shirt/)
    await ann.getByRole('link', { name: /^Sign up…/ }).click()
    await ann.waitForSelector('[name=save_answers]')
    await fine(ann, 'the sign-up form')
    await ann.getByLabel('M', { exact: true }).check()
    await ann.check('[name=save_answers]')
    await ann.click('main form button.primary')
    await ann.waitForSelector('.flash')
    assert.match(await readMain(ann), /You are confirmed/)

    await open(ann, `/events/${events[1]!.id}/`)
    await ann.getByRole('button', { name: /^Sign up:/ }).click()
    await ann.waitForFunction(() => /You are confirmed/.test(document.querySelector('main')?.textContent ?? ''))
    await open(ann, '/settings/answers/')
    assert.ok(await ann.getByLabel('M', { exact: true }).isChecked())

    await open(olga, `/shifts/${events[1]!.shifts[0]}/answers/`)
    assert.match((await readMain(olga)).replaceAll(/\s+/g, ' '), /S0M1L0/)
    await Promise.all([olga.context().close(), ann.context().close()])
  })
})
