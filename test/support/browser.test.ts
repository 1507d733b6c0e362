import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findBrowser, openBrowser } from './browser.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'

async function open() {
  const { browser, reason } = await openBrowser()
  assert.ok(browser, reason)
  const page = await (await browser.newContext()).newPage()
  return { browser, page, isUsable: async () => (await page.evaluate('1 + 1')) === 2 }
}

describe('browsers of one process', { skip }, () => {
  test('have their own contexts, and closing one leaves those of the others', async () => {
    const first = await open()
    const second = await open()
    assert.deepEqual([first.browser.contexts().length, second.browser.contexts().length], [1, 1])
    await first.browser.close()
    assert.equal(first.page.isClosed(), true)
    assert.equal(await second.isUsable(), true)
    await second.browser.close()
  })

  test('can be opened again after all were closed', async () => {
    const first = await open()
    await first.browser.close()
    const again = await open()
    assert.equal(await again.isUsable(), true)
    await again.browser.close()
  })
})
