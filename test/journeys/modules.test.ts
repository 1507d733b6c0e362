import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { type DemoInstance, enterAs, openDemoInstance } from '#test/support/demo-instance.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`modules in a browser are skipped, ${skip}`)

const LOOKS = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]

describe('modules in a browser', { skip }, () => {
  let instance: DemoInstance
  before(async () => {
    instance = await openDemoInstance()
    await instance.db.write.updateTable('user_profile').set({ preferred_language: 'en' }).execute()
  })
  after(() => instance?.close())

  const enter = (name: 'olga' | 'ann' | 'paul', viewport: { width: number; height: number }) =>
    enterAs(name, { browser: instance.browser, origin: instance.origin, look: { viewport }, expected: /404 \(Not Found\)/ })
  const switchTo = (on: readonly string[]) =>
    instance.db.write
      .insertInto('setting')
      .values({ name: 'modules', value: JSON.stringify(on) })
      .onConflict((same) => same.column('name').doUpdateSet({ value: JSON.stringify(on) }))
      .execute()

  for (const viewport of LOOKS)
    test(`files are switched off and on again with nothing lost, at ${viewport.width} pixels`, async () => {
      const { db, origin } = instance
      await db.write.deleteFrom('setting').where('name', '=', 'modules').execute()
      const { page, close } = await enter('olga', viewport)
      const { event_id: event } = await db.read.selectFrom('event_attachment').select('event_id').executeTakeFirstOrThrow()
      const filesOf = async () => {
        await page.goto(`${origin}/events/${event}/`)
        return page
          .locator(`main a[href*="/events/${event}/files/"]`)
          .evaluateAll((links) => links.map((link) => link.textContent))
      }
      const before = await filesOf()
      assert.ok(before.length > 0)
      await page.goto(`${origin}/manage/`)
      await page.getByRole('link', { name: /^Modules/ }).click()
      await page.getByRole('heading', { name: 'Modules', level: 1 }).waitFor()
      assert.deepEqual(await axeProblems(page), [])
      assert.deepEqual(await overflowing(page), [])
      await page.getByRole('button', { name: 'Switch off: Files' }).press('Enter')
      await page.getByText('Files is off. Everything stored stays').waitFor()
      assert.deepEqual(await filesOf(), [])
      assert.equal((await page.goto(`${origin}/manage/files/`))?.status(), 404)
      await page.getByText('does not use this part of Turnout').waitFor()
      await page.goto(`${origin}/manage/modules/`)
      await page.getByRole('button', { name: 'Switch on: Files' }).press('Enter')
      await page.getByText('Files is on.').waitFor()
      assert.deepEqual(await filesOf(), before)
      await page.goto(`${origin}/manage/modules/`)
      await page.getByRole('button', { name: 'Switch off: Waiting lists' }).press('Enter')
      await page.getByText('Waiting lists is off, and Stand-ins and swaps').waitFor()
      await page.getByRole('button', { name: 'Undo' }).first().press('Enter')
      await page.getByText('Undone.').waitFor()
      await page.getByText('22 of 22 modules are on').waitFor()
      await close()
    })

  test('an administrator chooses a kind of organisation and changes its list', async () => {
    const { origin } = instance
    const { page, close } = await enter('olga', LOOKS[0]!)
    await page.goto(`${origin}/manage/modules/start/`)
    assert.deepEqual(await axeProblems(page), [])
    await page.getByRole('link', { name: /^Club or youth group/ }).click()
    await page.getByRole('checkbox', { name: /^Families/ }).uncheck()
    assert.deepEqual(await axeProblems(page), [])
    assert.deepEqual(await overflowing(page), [])
    await page.getByRole('button', { name: 'Use these modules' }).press('Enter')
    await page.getByText('6 modules are on.').waitFor()
    await close()
  })

  /** What a person sees of the navigation, with what is behind “More”. */
  const navigationOf = (page: Page) =>
    page
      .locator('header nav')
      .first()
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))

  for (const viewport of LOOKS)
    test(`without modules, navigation and event form are small, at ${viewport.width} pixels`, async () => {
      await switchTo([])
      const ann = await enter('ann', viewport)
      const places = new Set(await navigationOf(ann.page))
      assert.ok(places.size <= 4, [...places].join())
      await ann.close()
      const paul = await enter('paul', viewport)
      await paul.page.goto(`${instance.origin}/events/new/`)
      const height = await paul.page.evaluate(() => document.documentElement.scrollHeight)
      assert.ok(height <= 2 * viewport.height, `${height} px`)
      await paul.close()
    })
})
