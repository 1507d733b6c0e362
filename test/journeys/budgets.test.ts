import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { findBrowser } from '#test/support/browser.ts'
import { enterAs, openDemoInstance } from '#test/support/demo-instance.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`budgets are skipped, ${skip}`)

/** Words and controls of the page itself, without header, navigation and footer; the height of everything. */
type Budget = { words: number; controls: number; height: number; firstAction: number }

/** What people who take part meet on a phone, with the sample data. A page that needs more shows too much at once. */
const BUDGETS: Record<string, { path: string; first: RegExp; most: Budget }> = {
  home: {
    path: '/',
    first: /^My shifts/,
    most: { words: 150, controls: 20, height: 1800, firstAction: 240 },
  },
  'my shifts': {
    path: '/my-shifts/',
    first: /Blutspende im Rathaus/,
    most: { words: 200, controls: 25, height: 2000, firstAction: 240 },
  },
}

/** Folded and hidden parts do not count. */
const measure = (page: Page): Promise<Budget & { first: string }> =>
  page.evaluate(() => {
    const main = document.querySelector('main')!
    const controls = [
      ...main.querySelectorAll<HTMLElement>('a[href], button, summary, input:not([type=hidden]), select, textarea'),
    ]
    const shown = controls.filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 1)
    return {
      words: main.innerText.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
      controls: shown.length,
      height: document.documentElement.scrollHeight,
      firstAction: Math.round(shown[0]!.getBoundingClientRect().top + scrollY),
      first: shown[0]!.innerText.replaceAll(/\s+/g, ' '),
    }
  })

describe('what people meet on a phone', { skip }, () => {
  let browser: Browser
  let origin: string
  let close: () => Promise<void>

  before(async () => {
    ;({ browser, origin, close } = await openDemoInstance({ hasMail: true }))
  })
  after(() => close?.())

  const enter = () => enterAs('ann', { browser, origin, look: { viewport: { width: 360, height: 740 } } })

  for (const [name, { path, first, most }] of Object.entries(BUDGETS))
    test(`${name} stays within its budget`, async () => {
      const { page, close: leave } = await enter()
      await page.goto(origin + path)
      const { first: text, ...found } = await measure(page)
      console.log(name, JSON.stringify(found))
      for (const key of Object.keys(most) as (keyof Budget)[]) assert.ok(found[key] <= most[key], `${key}: ${found[key]}`)
      assert.match(text, first)
      await leave()
    })
})
