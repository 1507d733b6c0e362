import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { type DemoInstance, openDemoInstance, signInAs } from '#test/support/demo-instance.ts'
import { SMALL_PNG } from '#test/support/pictures.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`files in a browser are skipped, ${skip}`)

describe('files in a browser', { skip }, () => {
  let instance: DemoInstance
  before(async () => {
    instance = await openDemoInstance()
    await instance.db.write.updateTable('user_profile').set({ preferred_language: 'en' }).execute()
  })
  after(() => instance?.close())

  test('a planner adds two files and removes one, at 360 pixels', async () => {
    const { browser, db, origin } = instance
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await signInAs(page, origin, 'olga')
    const { event_id: event } = await db.read
      .selectFrom('event_attachment')
      .selectAll()
      .orderBy('event_id')
      .executeTakeFirstOrThrow()
    await page.goto(`${origin}/events/${event}/`)
    await page.getByRole('link', { name: 'Add or remove files' }).click()
    const field = page.locator('[name=files]')
    await field.setInputFiles({ name: 'setup.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ\0') })
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('setup.pdf is not a PDF').first().waitFor()
    assert.deepEqual(await axeProblems(page), [])
    assert.deepEqual(await overflowing(page), [])
    await field.setInputFiles([
      { name: 'map.png', mimeType: 'image/png', buffer: SMALL_PNG },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Bring gloves') },
    ])
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByText('2 files were added.').waitFor()
    await page.getByRole('link', { name: 'map.png' }).waitFor()
    assert.deepEqual(await overflowing(page), [])
    await page.getByRole('link', { name: 'Add or remove files' }).click()
    await page.getByRole('link', { name: 'Remove map.png' }).click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('map.png was removed.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'notes.txt', exact: true }).count(), 1)
    await context.close()
  })
})
