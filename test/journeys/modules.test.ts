import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { modulesOf, presetOf } from '#platform/features/modules.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { type DemoInstance, enterAs, openDemoInstance } from '#test/support/demo-instance.ts'
import { chooseVariants } from '#test/support/sizes.ts'
import { FEATURES } from '../../src/features.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`modules in a browser are skipped, ${skip}`)

/** `mostForm`: of the event form without modules; two screens of a desktop. */
const LOOKS = [
  { width: 360, height: 740, mostForm: 2800 },
  { width: 1280, height: 800, mostForm: 1600 },
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

  for (const viewport of chooseVariants(LOOKS, 1))
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
      await page.getByText(`${MODULES.length} of ${MODULES.length} modules are on`).waitFor()
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

  /** Links of the navigation, each place once: phones have it at the bottom, too. */
  const countNavigation = async (page: Page) => {
    const links = page.locator('header nav a, nav.bottom-bar a')
    return new Set(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).size
  }
  /** The form of a new event with one shift, as it is opened; folded parts stay folded. */
  const measureForm = async (page: Page) => {
    const type = await instance.db.read.selectFrom('event_type').select('id').orderBy('id').executeTakeFirstOrThrow()
    await page.goto(`${instance.origin}/events/new/?type=${type.id}`)
    await page.locator('form#plan').waitFor()
    return page.evaluate(() => document.documentElement.scrollHeight)
  }
  const countSettings = async (page: Page) => {
    await page.goto(`${instance.origin}/manage/instance/`)
    return page.locator('main form[action="/manage/instance/"] :is(input:not([type=hidden]), select, textarea)').count()
  }
  const countPlaces = async (page: Page) => {
    await page.goto(`${instance.origin}/manage/`)
    return page.locator('main a.place').count()
  }

  async function measure(on: readonly string[], viewport: { width: number; height: number }) {
    await switchTo(on)
    const [ann, paul, olga] = [await enter('ann', viewport), await enter('paul', viewport), await enter('olga', viewport)]
    const found = {
      navigation: await countNavigation(ann.page),
      form: await measureForm(paul.page),
      places: await countPlaces(olga.page),
      settings: await countSettings(olga.page),
    }
    for (const { close } of [ann, paul, olga]) await close()
    return found
  }

  /** The numbers of a row of the table in the documentation. */
  function readDocumented(name: string): number[] {
    const text = readFileSync(new URL('../../docs/modules.md', import.meta.url), 'utf8')
    const row = text.split('\n').find((line) => line.startsWith(`| ${name}`))
    assert.ok(row, name)
    return row
      .split('|')
      .slice(2, 5)
      .map((cell) => Number(cell.replace(/\D/g, '')))
  }

  const MODULES = modulesOf(FEATURES)
  for (const viewport of chooseVariants(LOOKS, 0))
    test(`without modules, there is little to see, at ${viewport.width} pixels`, async () => {
      const none = await measure([], viewport)
      const brigade = await measure([...presetOf(MODULES, 'brigade')], viewport)
      const all = await measure(
        MODULES.map(({ name }) => name),
        viewport,
      )
      console.log(JSON.stringify({ width: viewport.width, none, brigade, all }))
      const found = (what: keyof typeof none) => [none[what], brigade[what], all[what]]
      assert.deepEqual(readDocumented('places of management'), found('places'))
      assert.deepEqual(readDocumented('entries of the navigation'), found('navigation'))
      assert.deepEqual(readDocumented('settings of the organisation'), found('settings'))
      // Heights differ with the fonts of the machine, by a line here and there.
      const heights = readDocumented(viewport.width === 360 ? 'the same, 360 px' : 'height of the form')
      for (const [index, height] of found('form').entries())
        assert.ok(Math.abs(height - heights[index]!) < 0.1 * height, `docs/modules.md: ${heights[index]} px, found ${height} px`)
      assert.ok(none.navigation <= 4, `${none.navigation} entries`)
      assert.ok(none.form <= viewport.mostForm, `${none.form} px`)
      for (const what of ['places', 'settings'] as const)
        assert.ok(
          none[what] < brigade[what] && brigade[what] < all[what],
          `${what}: ${none[what]}, ${brigade[what]}, ${all[what]}`,
        )
    })
})
