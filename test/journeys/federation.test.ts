import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { syncHost } from '#features/sharing/federation/commands/sync-host.ts'
import { pageProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser } from '#test/support/browser.ts'
import { ALLOW, addShared, contactOf, contextAt, link } from '#test/support/federation.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, BEN, VERA } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`visiting in a browser is skipped, ${skip}`)

describe('visiting another instance in a browser', { skip }, async () => {
  if (skip) return
  const { browser, reason } = await openBrowser()
  assert.ok(browser, reason)
  after(() => browser.close())
  const host = await openInstance({ host: 'a.localhost', allow: ALLOW })
  const home = await openInstance({ host: 'b.localhost', allow: ALLOW })
  const { hostId, guestId } = await link(host, home)
  await host.db.write.updateTable('federated_guest').set({ name: 'Nord' }).where('id', '=', guestId).execute()
  await home.db.write.updateTable('user_profile').set({ display_name: 'Nina Nord' }).where('id', '=', ANN.id).execute()

  type Look = { width: number; javaScriptEnabled?: boolean; colorScheme?: 'dark' }
  async function openHome({ width, ...look }: Look, person = ANN) {
    const context = await browser!.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', ...look })
    const { jar } = await home.browserOf(person)
    await context.addCookies([...jar.values()].map(({ name, value }) => ({ name, value, url: home.base })))
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => void problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    return { context, page, problems }
  }

  async function looksWell(page: Page) {
    assert.equal(await page.locator('h1').count(), 1)
    assert.deepEqual(await pageProblems(page), [], page.url())
  }

  test('Nina finds an event of a partner, consents at her home instance, signs up at the host and sees her state', async () => {
    const { id, shifts } = await addShared(
      host,
      { title: 'Harbour run', shifts: [{ label: 'North', configuration: { minimum_number_of_participants: 2 } }] },
      [guestId],
    )
    await syncHost(contextAt(home), contactOf(home), hostId)
    const { context, page, problems } = await openHome({ width: 360 })
    await page.goto(`${home.base}/events/external/`)
    await page.locator(`a[href*="/events/shared/${id}/${guestId}/"]`).first().click()
    await page.waitForURL(`${home.base}/accounts/authorize/**`)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${host.base}/events/shared/${id}/${guestId}/`)
    await page.getByText('You are here as Nina Nord of Nord').waitFor()
    await looksWell(page)
    await page.locator('summary', { hasText: 'More about' }).click()
    await page.getByRole('link', { name: /Sign up with times/ }).click()
    await page.waitForURL(`${host.base}/shifts/shared/${shifts[0]}/${guestId}/signup/`)
    await looksWell(page)
    await page.getByLabel('Comment').fill('I bring the van')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.waitForURL(`${host.base}/events/shared/${id}/${guestId}/`)
    await page.getByText('You requested a place at Harbour run, North').waitFor()
    await page.locator('summary', { hasText: 'More about' }).click()
    await page.getByText('Nina Nord', { exact: true }).waitFor()
    await looksWell(page)
    await page.getByRole('button', { name: /^Withdraw/ }).click()
    await page.getByText('You declined: Harbour run, North').waitFor()
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await page.getByText('Undone. Your answer for Harbour run, North is as it was before', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'End visit' }).click()
    await page.waitForURL(`${home.base}/events/external/`)
    assert.deepEqual(problems, [])
    const rows = await host.db.read.selectFrom('participation').select(['kind', 'state']).where('event_id', '=', id).execute()
    assert.deepEqual(rows, [{ kind: 'visitor', state: 0 }])
    await context.close()
  })

  test('works without scripts and in the dark theme', async () => {
    const { id } = await addShared(host, { title: 'City fair', shifts: [{ flow: 'instant_confirmation' }] }, [guestId])
    const { context, page } = await openHome({ width: 360, javaScriptEnabled: false, colorScheme: 'dark' }, BEN)
    await page.goto(`${host.base}/events/shared/${id}/${guestId}/`)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${host.base}/events/shared/${id}/${guestId}/`)
    await page.getByRole('button', { name: /Sign up/ }).click()
    await page.getByText('You are confirmed for City fair').waitFor()
    await page.getByRole('button', { name: 'End visit' }).click()
    await page.waitForURL(`${home.base}/events/external/`)
    await context.close()
  })

  test('refusing consent returns to the home instance with a message, and an unknown callback shows a page', async () => {
    const { id } = await addShared(host, { title: 'Night watch' }, [guestId])
    const { context, page } = await openHome({ width: 360 }, VERA)
    await page.goto(`${host.base}/events/shared/${id}/${guestId}/`)
    await page.getByRole('button', { name: /Don’t allow|Deny/ }).click()
    await page.waitForURL(`${home.base}/events/external/?error=oauth_error`)
    const answer = await page.goto(`${host.base}/api/federation/oauth-callback/?code=x&state=y`)
    assert.equal(answer!.status(), 403)
    await looksWell(page)
    await context.close()
  })
})
