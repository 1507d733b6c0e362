import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { axeProblems } from '#test/support/accessibility.ts'
import { openBrowser, overflowing } from '#test/support/browser.ts'
import { namedExtensions } from '#test/support/extensions.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, PAUL } from '#test/support/people.ts'

const SCREEN = '/x/wall_display/'
const HOUR_MS = 3_600_000
/** In the morning, so that the day does not end during the test. */
const secondsUntilMorning = () => (new Date(new Date().toISOString().slice(0, 10)).getTime() + 32 * HOUR_MS - Date.now()) / 1000

const found = await openBrowser({ isComplete: true })
const skip = found.browser ? false : found.reason
if (skip) console.log(`the wall display in a browser is skipped, ${skip}`)

describe('a wall display', { skip }, async () => {
  const browser = found.browser!
  const instance = await openInstance({
    extensions: namedExtensions(['extensions/wall-display']),
    ahead: secondsUntilMorning(),
    language: 'de',
  })
  const { write } = instance.db
  const type = await write.insertInto('event_type').values({ title: 'Dienst' }).returning('id').executeTakeFirstOrThrow()
  const start = (hours: number) => new Date(instance.now.getTime() + hours * HOUR_MS).toISOString()
  const shifts = Array.from({ length: 14 }, (_, index) => ({
    label: `Posten ${index + 1}`,
    start: start(index - 1),
    end: start(index + 3),
    stats: { missing: index % 3 },
  }))
  const made = await addEvent(write, { title: 'Hafenlauf', type: type.id, responsible: [PAUL], shifts }, instance.now)
  const place = await addParticipation(write, { who: ANN, shift: made.shifts[0]! }, instance.now)
  await write.insertInto('attendance').values({ participation_id: place, arrived_at: instance.now }).execute()
  let context: BrowserContext
  let page: Page

  before(async () => {
    context = await browser.newContext({ viewport: { width: 1920, height: 1080 }, serviceWorkers: 'allow' })
    await context.clock.install({ time: instance.now })
    page = await context.newPage()
  })
  after(() => browser.close())

  const rows = () => page.locator('.board .shift')
  const pass = async (ms: number) => {
    instance.pass(ms / 1000)
    await page.clock.fastForward(ms)
  }
  const check = async () => assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []])

  test('shows a code, and the shifts as soon as somebody has entered it', async () => {
    await page.goto(instance.base + SCREEN)
    const code = (await page.locator('.code').textContent())!
    assert.match(await page.locator('main').innerText(), /Bildschirm verbinden[\s\S]*\/device\//)
    await check()
    const paul = await instance.browserOf(PAUL)
    await paul.go('/device/')
    assert.match((await paul.post('/device/', { user_code: code })).text, /Wall display/)
    assert.equal((await paul.post('/device/', { user_code: code, decision: 'allow' })).status, 200)
    await pass(6_000)
    await rows().first().waitFor()
    const first = await rows().first().innerText()
    assert.match(first, /Hafenlauf[\s\S]*Posten 1 · Pier 3[\s\S]*besetzt[\s\S]*1 von \d da/)
    assert.doesNotMatch(first, /Ann/)
    await check()
  })

  test('shows the rest of long days in turn, each part with its day', async () => {
    const seen = new Set<string>()
    const parts = Number(/von (\d+)/.exec(await page.locator('.part').innerText())![1])
    assert.ok(parts > 1)
    for (let part = 0; part < parts; part++) {
      for (const row of await rows().allInnerTexts()) seen.add(/Posten \d+/.exec(row)![0])
      assert.equal(await page.locator('.board > li').first().getAttribute('class'), 'day')
      const { inner, outer } = await page
        .locator('.board')
        .evaluate((list) => ({ inner: list.scrollHeight, outer: list.clientHeight }))
      assert.ok(inner <= outer, `${inner} px of rows in ${outer} px`)
      const before = await page.locator('.part').innerText()
      await pass(12_000)
      await page.waitForFunction((text) => document.querySelector('.part')?.textContent !== text, before)
    }
    assert.equal(seen.size, 14)
  })

  test('can be read from five metres: what matters is 5 % of the height', async () => {
    for (const part of ['.time', '.title', '.state > :first-child', '.clock']) {
      const size = await page
        .locator(part)
        .first()
        .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
      assert.ok(size >= 0.05 * 1080, `${part}: ${size} px`)
    }
  })

  test('shows the last shifts for an hour without a connection, also after a restart, and then none', async () => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
    await page.reload()
    await rows().first().waitFor()
    await context.setOffline(true)
    await pass(60_000)
    await page.locator('.notice').waitFor()
    assert.match(await page.locator('.notice').innerText(), /Keine Verbindung\. Stand \d\d:\d\d/)
    await check()
    await page.reload()
    await page.locator('.notice').waitFor()
    assert.ok((await rows().count()) > 0)
    await pass(HOUR_MS)
    await page.getByText('Keine Verbindung seit').waitFor()
    assert.equal(await rows().count(), 0)
    await context.setOffline(false)
    await pass(60_000)
    await rows().first().waitFor()
    assert.equal(await page.locator('.notice').count(), 0)
  })

  test('asks for a new code and forgets the shifts when its access was ended', async () => {
    const { id } = await write
      .selectFrom('oauth_application')
      .select('id')
      .where('client_id', '=', 'x_wall_display')
      .executeTakeFirstOrThrow()
    const paul = await instance.browserOf(PAUL)
    const list = await paul.go('/settings/applications/')
    const action = new RegExp(`action="(/settings/applications/${id}/[^"]+)"`).exec(list.text)![1]!
    assert.equal((await paul.post(action, {})).status, 303)
    await pass(60_000)
    await page.locator('.code').waitFor()
    assert.equal(await rows().count(), 0)
    assert.equal(await page.evaluate(() => localStorage.getItem('wall-display.board')), null)
  })
  test('says so while it cannot be connected, and tries again', async () => {
    const setDisabled = (disabled_at: Date | null) =>
      write.updateTable('oauth_application').set({ disabled_at }).where('client_id', '=', 'x_wall_display').execute()
    await setDisabled(instance.now)
    await page.reload()
    await page.getByText('kann gerade nicht verbunden werden').waitFor()
    assert.equal(await page.locator('.code').count(), 0)
    await setDisabled(null)
    await pass(60_000)
    await page.locator('.code').waitFor()
  })
})
