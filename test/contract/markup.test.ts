import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDemoDatabase } from '#test/support/demo-instance.ts'
import { openTestApp } from '#test/support/every-page.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { readEveryPage } from '#test/support/page-sources.ts'

/** What `npm run check:html` finds with the checker of the W3C is more; this needs no Java. */
test('the markup of every page is sound', async () => {
  const testApp = await openTestApp(await freshDemoDatabase(), { isUnlimited: true })
  try {
    const pages = await readEveryPage(testApp)
    for (const reader of ['ann', 'paul', 'olga', 'nobody'])
      assert.ok(pages.filter((page) => page.reader === reader).length >= 10, `few pages of ${reader}`)
    const problems = pages.flatMap(({ reader, address, markup }) =>
      checkMarkup(markup).map((problem) => `${address} of ${reader}: ${problem}`),
    )
    assert.deepEqual(problems, [])
  } finally {
    await testApp.close()
  }
})
