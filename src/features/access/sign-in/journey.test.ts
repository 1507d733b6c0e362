import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { LOGIN, PASSWORD, type Server } from '#test/support/http-browser.ts'
import { contextIn, serve, TRY_OUT, useSignInServer } from '#test/support/sign-in-server.ts'
import { chooseVariants } from '#test/support/sizes.ts'
import { createFirstAdministratorLink } from './commands/administrators.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`journeys of signing in are skipped, ${skip}`)

type Look = { width: number; colorScheme: 'light' | 'dark'; locale?: string; javaScriptEnabled?: boolean }

describe('signing in with a browser', { skip }, () => {
  const setup = useSignInServer()
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())

  async function visit(
    look: Look,
    journey: (page: Page, open: (path: string) => Promise<unknown>) => Promise<void>,
  ): Promise<void> {
    const server: Server = await serve(setup, { url: TRY_OUT })
    const { width, ...rest } = look
    const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', ...rest })
    const page = await context.newPage()
    try {
      await journey(page, (path) => page.goto(`http://127.0.0.1:${server.port}${path}`))
    } finally {
      await context.close()
    }
  }

  const LOOKS: Look[] = [
    { width: 360, colorScheme: 'light', locale: 'en' },
    { width: 360, colorScheme: 'dark', locale: 'de' },
    { width: 1280, colorScheme: 'light', locale: 'de' },
    { width: 1280, colorScheme: 'dark', locale: 'en' },
  ]
  for (const look of chooseVariants(LOOKS, 3)) {
    test(`is accessible at ${look.width} px, ${look.colorScheme}, ${look.locale}`, async () => {
      const { token } = (await createFirstAdministratorLink(contextIn(setup)))!
      await visit(look, async (page, open) => {
        for (const path of [LOGIN, `/accounts/first-administrator/${token}/`, '/accounts/first-administrator/dead/']) {
          await open(path)
          assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], path)
          if (path.includes('dead')) continue
          await page.click('main form button.primary')
          await page.waitForSelector('.error-summary')
          assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], `${path} refused`)
        }
      })
    })
  }

  test('works by keyboard', async () => {
    await visit({ width: 1280, colorScheme: 'light' }, async (page, open) => {
      await open(`${LOGIN}?next=/change/`)
      // Browsers set the focus at the first paint, which may be after the load event.
      await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'email')
      await page.keyboard.type('ann@example.org')
      await page.keyboard.press('Tab')
      await page.keyboard.type(PASSWORD)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/change/')
    })
  })

  test('leaves nothing of the person behind the back button after sign-out', async () => {
    await visit({ width: 1280, colorScheme: 'light' }, async (page, open) => {
      await open(LOGIN)
      await page.fill('[name=email]', 'ann@example.org')
      await page.fill('[name=password]', PASSWORD)
      await page.click('main form button')
      await page.waitForURL('**/')
      assert.equal(await page.textContent('h1'), 'Home of Ann')
      await open('/change/')
      await page.evaluate(() => {
        const form = Object.assign(document.createElement('form'), { method: 'post', action: '/accounts/logout/' })
        form.append(document.querySelector('[name=csrf_token]')!)
        document.body.append(form)
        form.submit()
      })
      await page.waitForURL(`**${LOGIN}`)
      for (let steps = 0; steps < 2; steps++) {
        await page.goBack()
        assert.ok(!(await page.textContent('body'))!.includes('Ann'))
        assert.ok(page.url().includes(LOGIN), page.url())
      }
    })
  })

  test('works without scripts', async () => {
    await visit({ width: 360, colorScheme: 'light', javaScriptEnabled: false }, async (page, open) => {
      await open('/')
      await page.fill('[name=email]', 'ann@example.org')
      await page.fill('[name=password]', 'wrong')
      await page.click('main form button')
      await page.waitForLoadState()
      assert.ok((await page.textContent('.error-summary'))!.includes('Email address or password is wrong'))
      assert.equal(await page.inputValue('[name=email]'), 'ann@example.org')
      await page.fill('[name=password]', PASSWORD)
      await page.click('main form button')
      await page.waitForLoadState()
      assert.equal(await page.textContent('h1'), 'Home of Ann')
    })
  })
})
