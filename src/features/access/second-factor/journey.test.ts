import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { LOGIN, PASSWORD } from '#test/support/http-browser.ts'
import { serve, TRY_OUT, useSignInServer } from '#test/support/sign-in-server.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the journey with a passkey is skipped, ${skip}`)

describe('a passkey on a phone', { skip }, () => {
  const setup = useSignInServer()
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())

  /** The authenticator of the phone, which recognises its owner. */
  async function addAuthenticator(session: CDPSession): Promise<string> {
    const options = {
      protocol: 'ctap2' as const,
      transport: 'internal' as const,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    }
    return (await session.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
  }
  const isFine = async (page: Page, what: string) =>
    assert.deepEqual([await axeProblems(page), await overflowing(page)], [[], []], what)
  const signInWithPassword = async (page: Page, origin: string) => {
    await page.goto(`${origin}${LOGIN}`)
    await page.fill('input[name=email]', 'ann@example.org')
    await page.fill('input[name=password]', PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  test('is set up, signs in alone, gets lost, and a recovery code replaces it', async () => {
    // Browsers have passkeys for names, and the server expects the origin of its own address.
    const port = 20_000 + Math.floor(process.pid % 20_000)
    const url = TRY_OUT.replace('8123', String(port))
    await serve(setup, { url, port })
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, reducedMotion: 'reduce', locale: 'en' })
    try {
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('WebAuthn.enable')
      const phone = await addAuthenticator(session)
      await signInWithPassword(page, url)
      await page.waitForURL(`${url}/`)
      await page.goto(`${url}/settings/security/`)
      await page.getByRole('link', { name: 'Add passkey' }).click()
      await isFine(page, 'add a passkey')
      await page.fill('input[name=name]', 'My phone')
      await page.getByRole('button', { name: 'Create passkey' }).click()
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
      await page.waitForLoadState()
      const codes = await page.locator('.recovery-codes code').allTextContents()
      assert.equal(codes.length, 10)
      await isFine(page, 'recovery codes')
      await page.getByRole('link', { name: 'I have kept the codes' }).click()
      await page.getByText('My phone').waitFor()
      await isFine(page, 'security')
      await page.getByRole('link', { name: 'Rename My phone' }).click()
      await isFine(page, 'rename')
      await page.goto(`${url}/settings/security/`)
      await page.getByRole('link', { name: 'Remove My phone' }).click()
      await page.getByRole('heading', { name: /Remove the passkey/ }).waitFor()
      await isFine(page, 'remove')

      await context.clearCookies()
      // Otherwise the phone chooses the passkey in the list of the field by itself.
      const touch = (enabled: boolean) =>
        session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: phone, enabled })
      await touch(false)
      await page.goto(`${url}${LOGIN}`)
      await isFine(page, 'sign-in')
      await touch(true)
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      await page.waitForURL(`${url}/`)
      await page.getByText('Home of Ann').waitFor()

      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: phone })
      await addAuthenticator(session)
      await context.clearCookies()
      await signInWithPassword(page, url)
      await page.waitForURL(`${url}/accounts/second-step/`)
      await isFine(page, 'second step')
      await page.getByRole('link', { name: /recovery code/ }).click()
      await isFine(page, 'recovery code')
      await page.fill('input[name=code]', codes[4]!)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${url}/`)
      await page.getByText('Home of Ann').waitFor()
    } finally {
      await context.close()
    }
  })

  test('is explained without scripts, and a recovery code works', async () => {
    const server = await serve(setup, { url: TRY_OUT })
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false, locale: 'en' })
    try {
      const page = await context.newPage()
      await page.goto(`http://127.0.0.1:${server.port}${LOGIN}`)
      assert.equal(await page.getByRole('button', { name: 'Use a passkey' }).count(), 0)
      await page.fill('input[name=email]', 'ann@example.org')
      await page.fill('input[name=password]', PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.goto(`http://127.0.0.1:${server.port}/settings/security/passkeys/add/`)
      await page.getByText('Passkeys need JavaScript').waitFor()
      await page.getByRole('link', { name: /authenticator app instead/ }).waitFor()
    } finally {
      await context.close()
    }
  })
})
