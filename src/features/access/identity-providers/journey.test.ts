import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { hashPassword } from '#platform/auth/passwords.ts'
import { pageProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser } from '#test/support/browser.ts'
import { ALLOW } from '#test/support/federation.ts'
import { PASSWORD } from '#test/support/http-browser.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`signing in at a provider in a browser is skipped, ${skip}`)

describe('signing in at a provider in a browser', { skip }, async () => {
  if (skip) return
  const { browser, reason } = await openBrowser()
  assert.ok(browser, reason)
  after(() => browser.close())
  // The provider is another instance.
  const provider = await openInstance({ host: 'a.localhost', allow: ALLOW })
  const instance = await openInstance({ host: 'b.localhost', allow: ALLOW })
  const client = await provider.addClient({
    redirectUris: [`${instance.base}/oidc/callback/`],
    scopes: ['openid', 'profile', 'email'],
    name: 'Nord',
  })
  await provider.db.write
    .updateTable('user_profile')
    .set({ password_hash: await hashPassword(PASSWORD), display_name: 'Nina Nord', email: 'nina@nord.example' })
    .where('id', '=', ANN.id)
    .execute()
  await instance.db.write
    .insertInto('identity_provider')
    .values({
      internal_name: 'city',
      label: 'the account of the city of Musterstadt at the Elbe',
      client_id: client.clientId,
      client_secret_sealed: instance.app.site.keyring.seal(client.secret),
      issuer: provider.base,
      authorization_endpoint: `${provider.base}/api/oauth/authorize/`,
      token_endpoint: `${provider.base}/api/oauth/token/`,
      userinfo_endpoint: `${provider.base}/api/oauth/userinfo/`,
      jwks_uri: `${provider.base}/api/oauth/jwks/`,
      trusts_email: true,
      enabled: true,
    })
    .execute()

  async function looksWell(page: Page) {
    assert.equal(await page.locator('h1').count(), 1)
    assert.deepEqual(await pageProblems(page), [], page.url())
  }

  test('Nina presses the button, signs in at the other instance, consents, and has an account here', async () => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(`${instance.base}/settings/security/`)
    await looksWell(page)
    await page.getByRole('link', { name: /Sign in with the account of the city/ }).click()
    await page.getByLabel('Email').fill('nina@nord.example')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${provider.base}/accounts/authorize/**`)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.waitForURL(`${instance.base}/settings/security/`)
    await page.getByText('You have no password yet').waitFor()
    await looksWell(page)
    await page.goto(`${instance.base}/oidc/callback/?code=x&state=y`)
    await page.getByText('Please sign in again').waitFor()
    await looksWell(page)
    assert.deepEqual(problems, [])
    await context.close()
  })
})
