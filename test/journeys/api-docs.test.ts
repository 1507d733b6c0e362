import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { ENDPOINTS } from '#endpoints'
import { findBrowser, openBrowser } from '#test/support/browser.ts'
import { addPerson, addToken, openTestApp, type TestApp } from '#test/support/federation-setup.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the page of the API's description is skipped, ${skip}`)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('the API documentation in a browser', { skip }, () => {
  let browser: Browser
  let testApp: TestApp
  let origin: string
  let visited: Visit

  before(async () => {
    const port = await freePort()
    origin = `http://localhost:${port}`
    testApp = await openTestApp({ SITE_URL: origin })
    await testApp.app.app.listen({ host: '127.0.0.1', port })
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    visited = await visit()
  })
  after(async () => {
    await browser?.close()
    await testApp.close()
  })

  type Visit = { page: Page; problems: string[] }

  /** Loading the page and opening all headings take most of the time, so the tests share the page. */
  async function visit(): Promise<Visit> {
    const page = await (await browser.newContext()).newPage()
    const problems: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) problems.push(`asks ${request.url()}`)
    })
    return { page, problems }
  }

  /** The page chooses its colours when it is loaded. */
  async function load(page: Page, { width, colorScheme }: { width: number; colorScheme: 'light' | 'dark' }): Promise<void> {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    await page.goto(`${origin}/api/schema/swagger-ui/`)
    await page.locator('.opblock-tag').first().waitFor()
  }

  const headingOf = (page: Page, tag: string) => page.locator(`#operations-tag-${tag}`)

  /** Opens one heading after the other. */
  async function countOperations(page: Page): Promise<number> {
    let count = 0
    for (const section of await page.locator('.opblock-tag-section').all()) {
      const heading = section.locator('.opblock-tag')
      await heading.click()
      await section.locator('.opblock').first().waitFor()
      count += await section.locator('.opblock').count()
      await heading.click()
    }
    return count
  }

  async function checkLook({ page, problems }: Visit, colorScheme: 'light' | 'dark'): Promise<void> {
    const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    assert.equal(background === 'rgb(28, 32, 34)', colorScheme === 'dark')
    const operation = page.locator('#operations-events-events_list')
    await headingOf(page, 'events').click()
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.parameters-col_description').first().waitFor()
    await operation.locator('.highlight-code').first().waitFor()
    assert.match(await operation.innerText(), /Harbour run/)
    assert.deepEqual(problems, [])
  }

  test('shows every operation, light, 1280 px wide, without errors', async () => {
    await load(visited.page, { width: 1280, colorScheme: 'light' })
    assert.equal(await countOperations(visited.page), ENDPOINTS.length)
    await checkLook(visited, 'light')
  })

  test('shows an operation, dark, 360 px wide, without errors', async () => {
    await load(visited.page, { width: 360, colorScheme: 'dark' })
    await checkLook(visited, 'dark')
  })

  test('links to the guide, and tries writes without changing anything', async () => {
    const { page } = visited
    await load(page, { width: 1280, colorScheme: 'light' })
    assert.equal(new URL((await page.getByRole('link', { name: 'The guide' }).getAttribute('href'))!).pathname, '/help/api/')
    const operation = page.locator('#operations-events-events_create')
    await headingOf(page, 'events').click()
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('button.try-out__btn').click()
    assert.equal(await operation.locator('tr[data-param-name="dry_run"] select').inputValue(), 'true')
  })

  test('sends a request with a token', async () => {
    const token = await addToken(testApp, await addPerson(testApp, 'Ann'), 'PUBLIC_READ')
    const { page, problems } = visited
    await page.locator('.auth-wrapper .authorize').click()
    const dialog = page.locator('.modal-ux')
    await dialog.locator('input').first().fill(token)
    await dialog.locator('button.authorize').first().click()
    await dialog.locator('button.close-modal, button.btn-done').first().click()
    const operation = page.locator('#operations-buildingblocks-buildingblocks_list')
    await headingOf(page, 'buildingblocks').click()
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('button.try-out__btn').click()
    await operation.locator('button.execute').click()
    const status = operation.locator('.live-responses-table .response-col_status').first()
    await status.waitFor()
    assert.match(await operation.locator('.live-responses-table').innerText(), /"count": 0/)
    assert.deepEqual(problems, [])
  })
})
