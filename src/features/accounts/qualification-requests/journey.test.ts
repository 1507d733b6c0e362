import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { cookieNames } from '#platform/http/cookies.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, OLGA, type Person } from '#test/support/people.ts'
import { MAX_PROOF_BYTES } from './schema.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the browser test of qualification requests is skipped, ${skip}`)

const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('a qualification on a phone', { skip }, async () => {
  const instance = await openInstance()
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    const category = await instance.db.write
      .insertInto('qualification_category')
      .values({ title: 'Medical' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await instance.db.write
      .insertInto('qualification')
      .values({ title: 'Medic', abbreviation: 'M', category_id: category.id })
      .execute()
  })
  after(() => browser?.close())

  async function visit(person: Person, journey: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' })
    const { sessionId } = await instance.browserOf(person)
    await context.addCookies([{ name: cookieNames(instance.base).session, value: sessionId, url: instance.base }])
    try {
      await journey(await context.newPage())
    } finally {
      await context.close()
    }
  }

  const check = async (page: Page) => {
    assert.deepEqual(await axeProblems(page), [])
    assert.deepEqual(await overflowing(page), [])
  }

  test('is asked for with a photo, approved, and then shown to the person', async () => {
    await visit(ANN, async (page) => {
      await page.goto(`${instance.base}/settings/qualifications/`)
      await check(page)
      await page.getByRole('link', { name: 'Request a qualification' }).click()
      await page.getByLabel('Qualification').selectOption({ label: 'Medic (Medical)' })
      await page.getByLabel('Acquired on').fill('2024-05-01')
      const proof = page.getByLabel('Proof')
      await proof.setInputFiles({ name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(MAX_PROOF_BYTES + 1) })
      await page.getByText('This file is too large').waitFor()
      await page.getByRole('button', { name: 'Send request' }).click()
      assert.equal(await proof.evaluate((input) => input === document.activeElement), true, 'nothing is sent')
      await check(page)
      await proof.setInputFiles({ name: 'IMG_0001.png', mimeType: 'image/png', buffer: PHOTO })
      assert.equal(await page.getByText('This file is too large').count(), 0)
      await check(page)
      await page.getByRole('button', { name: 'Send request' }).click()
      await page.getByText('Waiting for a decision').waitFor()
      await check(page)
    })
    await visit(OLGA, async (page) => {
      await page.goto(`${instance.base}/manage/requests/`)
      await check(page)
      const proof = await page.getByRole('link', { name: 'Proof: IMG_0001.png' }).getAttribute('href')
      assert.equal((await page.request.get(instance.base + proof!)).headers()['content-type'], 'image/png')
      await page.getByRole('button', { name: 'Approve the request of Ann' }).click()
      await page.getByText('The request is approved').first().waitFor()
    })
    await visit(ANN, async (page) => {
      await page.goto(`${instance.base}/settings/qualifications/`)
      await page.getByRole('rowheader', { name: 'Medic' }).waitFor()
      await page.getByText('Approved').waitFor()
    })
  })
})
