import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { cookieNames } from '#platform/http/cookies.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing, readMain } from '#test/support/browser.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { HELPERS, OLGA } from '#test/support/people.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`journeys of the catalogue are skipped, ${skip}`)

type Look = { width: number; colorScheme: 'light' | 'dark'; language: 'en' | 'de' }
const LOOKS: Look[] = [
  { width: 360, colorScheme: 'dark', language: 'de' },
  { width: 1280, colorScheme: 'light', language: 'en' },
]

describe('event types, qualifications and building blocks in a browser', { skip }, async () => {
  const instance = await openInstance()
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())

  async function visit({ width, language, colorScheme }: Look, journey: (page: Page) => Promise<void>): Promise<void> {
    const { db, base } = instance
    await db.write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', OLGA.id).execute()
    const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', colorScheme })
    const { sessionId } = await instance.browserOf(OLGA)
    await context.addCookies([{ name: cookieNames(base).session, value: sessionId, url: base }])
    const page = await context.newPage()
    const said: string[] = []
    page.on('console', (message) => message.type() === 'error' && !/422|409/.test(message.text()) && said.push(message.text()))
    page.on('pageerror', (error) => said.push(String(error)))
    try {
      await journey(page)
    } finally {
      await context.close()
    }
    assert.deepEqual(said, [])
  }
  const fine = async (page: Page, where: string) =>
    assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], where)

  for (const look of chooseVariants(LOOKS, 0)) {
    test(`are set up from nothing at ${look.width} px, ${look.colorScheme}, ${look.language}`, async () => {
      const { base, db } = instance
      const mark = String(look.width)
      await visit(look, async (page) => {
        const open = async (path: string) => {
          await page.goto(`${base}${path}`)
          await fine(page, path)
        }
        const press = async (selector: string) => {
          await page.click(`main ${selector}`)
          await page.waitForLoadState('load')
        }

        await open('/manage/qualifications/categories/new/')
        await page.fill('[name=title]', `Medical ${mark}`)
        await press('form button.primary')
        for (const title of ['First aid', 'Paramedic']) {
          await open('/manage/qualifications/new/')
          await page.fill('[name=title]', `${title} ${mark}`)
          await page.fill('[name=abbreviation]', title.slice(0, 2))
          await page.selectOption('[name=category]', { label: `Medical ${mark}` })
          if (title === 'Paramedic') await page.getByLabel(`First aid ${mark}`).check()
          await press('form button.primary')
        }
        await open('/manage/qualifications/')
        const qualification = await db.read
          .selectFrom('qualification')
          .select('id')
          .where('title', '=', `Paramedic ${mark}`)
          .executeTakeFirstOrThrow()
        for (const path of [`${qualification.id}/`, `${qualification.id}/delete/`, 'import/'])
          await open(`/manage/qualifications/${path}`)
        const exported = await page.request.get(`${base}/manage/qualifications/export/`)
        await page.setInputFiles('[data-file-into] input', {
          name: 'q.json',
          mimeType: 'application/json',
          buffer: await exported.body(),
        })
        await page.waitForFunction(() =>
          (document.getElementById('field-catalogue') as HTMLTextAreaElement).value.includes('uuid'),
        )
        await press('form button.primary')
        await fine(page, 'the preview of an import')

        await open('/manage/event-types/new/')
        await page.fill('[name=title]', `Training ${mark}`)
        await press('form button.primary')
        await fine(page, 'a new event type')
        await page.check('[name=show_participant_data][value="1"]')
        await page.getByLabel(`First aid ${mark}`).check()
        await press('form button.primary')
        await fine(page, 'the list of event types')

        await open('/manage/blocks/new/?kind=atomic')
        await page.fill('[name=name]', `Ambulance ${mark}`)
        await page.fill('[name="position.0.label"]', 'Driver')
        await press('button[value=add_position]')
        await page.waitForSelector('[name="position.1.label"]')
        assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), 'position.1.label')
        await page.keyboard.type('Medic')
        await page.locator('.block-row').nth(1).locator('summary').click()
        await page.locator('.block-row').nth(1).getByLabel(`Paramedic ${mark}`).check()
        await page.locator('[name="position.1.optional"]').check()
        // The script counts while typing; without it, the button does.
        await page.waitForFunction(() => /^1\D+2$/.test(document.querySelector('.head-count')?.textContent ?? ''))
        await fine(page, 'the editor, filled')
        await press('button[value=save]')
        await page.waitForSelector('.flash')
        const block = await db.read
          .selectFrom('building_block')
          .select('id')
          .where('name', '=', `Ambulance ${mark}`)
          .executeTakeFirstOrThrow()

        const configuration = { starting_blocks: [{ uuid: 'a', building_block: block.id }] }
        const start = new Date(instance.now.getTime() + 7 * 24 * 3600_000).toISOString()
        const type = (await db.read.selectFrom('event_type').select('id').executeTakeFirstOrThrow()).id
        const wish = {
          title: `Regatta ${mark}`,
          type,
          seenBy: [HELPERS],
          shifts: [{ structure: 'complex', configuration, start }],
        }
        await addEvent(db.write, wish, instance.now)
        await open(`/manage/blocks/${block.id}/`)
        await page.fill('[name=name]', `Boat ${mark}`)
        await press('button[value=save]')
        await page.waitForSelector('button[value=confirm]')
        assert.match(await readMain(page), new RegExp(`Regatta ${mark}`))
        await fine(page, 'the question before saving')
        await press('button[value=confirm]')
        await page.waitForSelector('.flash')
        assert.equal(await page.inputValue('[name=name]'), `Boat ${mark}`)
        for (const path of ['', 'new/?kind=composite', `new/?kind=composite&sub=${block.id}`, `${block.id}/delete/`])
          await open(`/manage/blocks/${path}`)
      })
    })
  }
})
