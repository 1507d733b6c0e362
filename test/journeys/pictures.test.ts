import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, overflowing } from '#test/support/browser.ts'
import { type DemoInstance, openDemoInstance, signInAs } from '#test/support/demo-instance.ts'
import { makePicture, readPicture } from '#test/support/pictures.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`pictures in a browser are skipped, ${skip}`)

const MB = 1024 * 1024
const PICTURE = '/settings/profile/picture/'

describe('a picture of a phone', { skip }, () => {
  let instance: DemoInstance
  let photo: Buffer
  before(async () => {
    instance = await openDemoInstance()
    photo = await makePicture({ width: 4600, height: 3450, isNoisy: true, hasLocation: true, orientation: 6 })
    assert.ok(photo.length > 12 * MB && photo.length < 15 * MB, `${photo.length} bytes`)
    assert.match(photo.toString('latin1'), /Testphone/)
  })
  after(() => instance?.close())

  for (const javaScriptEnabled of chooseVariants([true, false], 0)) {
    test(`of 12 MB is stored small, upright and without its location, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const { browser, origin } = instance
      const context = await browser.newContext({
        viewport: { width: 360, height: 740 },
        reducedMotion: 'reduce',
        javaScriptEnabled,
      })
      const page = await context.newPage()
      await signInAs(page, origin, 'ann')
      await page.goto(`${origin}${PICTURE}`)
      const field = page.locator('[name=picture]')
      await field.setInputFiles({ name: 'broken.jpg', mimeType: 'image/jpeg', buffer: photo.subarray(0, 200_000) })
      await page.getByRole('button', { name: 'Upload picture' }).click()
      await page.getByText('damaged or incomplete').first().waitFor()
      if (javaScriptEnabled) assert.deepEqual(await axeProblems(page), [])
      assert.deepEqual(javaScriptEnabled ? await overflowing(page) : [], [])
      await field.setInputFiles({ name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: photo })
      if (javaScriptEnabled) {
        // Changed by the script: the file that is sent is already small and has no metadata.
        await page.waitForFunction(
          () => (document.querySelector('[name=picture]') as HTMLInputElement).files![0]!.size < 3_000_000,
        )
        const sent = await field.evaluate(async (input: HTMLInputElement) => [
          ...new Uint8Array(await input.files![0]!.arrayBuffer()),
        ])
        assert.doesNotMatch(Buffer.from(sent).toString('latin1'), /Testphone|at home/)
      }
      await page.getByRole('button', { name: 'Upload picture' }).click()
      await page.getByText('Your picture was saved.').waitFor()
      const src = await page.locator('img.profile-picture').first().getAttribute('src')
      const shown = await (await context.request.get(`${origin}${src}`)).body()
      const { width, height, format, metadata } = await readPicture(shown)
      assert.deepEqual([width, height, format, metadata], [768, 1024, 'jpeg', []])
      const { bytes } = await instance.db.read
        .selectFrom('stored_file')
        .innerJoin('profile_picture', 'file_id', 'stored_file.id')
        .select('bytes')
        .executeTakeFirstOrThrow()
      assert.equal(Number(bytes), shown.length)
      await context.close()
    })
  }

  test('that is larger than allowed is refused on the form, without scripts', async () => {
    const { browser, origin } = instance
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await signInAs(page, origin, 'ann')
    await page.goto(`${origin}${PICTURE}`)
    const large = Buffer.concat([photo, Buffer.alloc(4 * MB)])
    await page.locator('[name=picture]').setInputFiles({ name: 'large.jpg', mimeType: 'image/jpeg', buffer: large })
    await page.getByRole('button', { name: 'Upload picture' }).click()
    await page.getByText('The limit is 15 MB').first().waitFor()
    await context.close()
  })
})
