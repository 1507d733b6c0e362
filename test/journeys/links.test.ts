import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { pageProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser } from '#test/support/browser.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { type Instance, openInstance } from '#test/support/instance.ts'
import { ANN, OLGA, type Person } from '#test/support/people.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`linking two instances is skipped, ${skip}`)

const ALLOW = 'a.localhost,b.localhost'
const DAY = 86_400_000

describe('two organisations link their instances', { skip }, async () => {
  if (skip) return
  const a = await openInstance({ host: 'a.localhost', allow: ALLOW })
  const b = await openInstance({ host: 'b.localhost', allow: ALLOW })
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    for (const { db } of [a, b]) await db.write.deleteFrom('federated_guest').execute()
    const setting = (instance: Instance, name: string) =>
      instance.db.write
        .insertInto('setting')
        .values({ name: 'organization_name', value: JSON.stringify(name) })
        .execute()
    await setting(a, 'Nord')
    await setting(b, 'Sued')
    const { id: type } = await a.db.write
      .insertInto('event_type')
      .values({ title: 'Race' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [index, title] of ['Harbour run', 'Night market', 'For us alone'].entries()) {
      const start = new Date(a.now.getTime() + (index + 1) * DAY)
      const end = new Date(start.getTime() + 3 * 3_600_000)
      const shifts = [{ start: start.toISOString(), end: end.toISOString() }]
      await addEvent(a.db.write, { title, type, location: 'Pier 3', shifts }, a.now)
    }
  })
  after(() => browser?.close())

  async function open(instance: Instance, person: Person): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en' })
    const signedIn = await instance.browserOf(person)
    const cookies = [...signedIn.jar.values()].map(({ name, value }) => ({ name, value, url: instance.base }))
    await context.addCookies(cookies)
    return context.newPage()
  }

  /** Checks accessibility and overflow on a phone and on a desktop, light and dark. */
  async function check(page: Page, what: string): Promise<void> {
    assert.deepEqual(await pageProblems(page), [], what)
  }

  test('an invitation is sent, redeemed on a phone, and shared events are shown at the guest', async () => {
    const host = await open(a, OLGA)
    await host.goto(`${a.base}/manage/federation/`)
    await check(host, 'nothing linked')
    await host.getByRole('link', { name: 'Invite an organisation' }).click()
    await check(host, 'invite')
    await host.getByLabel('Address of the other instance').fill(b.base)
    await host.getByRole('button', { name: 'Create invitation' }).click()
    await host.getByRole('img', { name: /QR code/ }).waitFor()
    await check(host, 'invitation')
    const link = await host.getByLabel('Or as a link').inputValue()

    // The URL of the scanned QR code.
    const guest = await open(b, OLGA)
    await guest.goto(link)
    await guest.getByRole('heading', { level: 1, name: /Link with a\.localhost/ }).waitFor()
    await check(guest, 'preview')
    await guest.getByRole('button', { name: /Link with/ }).click()
    await guest.getByText('You are now linked with Nord').waitFor()
    await check(guest, 'host')

    await host.goto(`${a.base}/manage/federation/`)
    await check(host, 'linked')
    await host.getByRole('link', { name: 'Sued' }).click()
    await check(host, 'shares')
    await host.getByRole('checkbox', { name: /Harbour run/ }).check()
    await host.getByRole('checkbox', { name: /Night market/ }).check()
    await host.getByRole('button', { name: 'Save selection' }).click()
    await host.getByText('Sued: 2 events changed.').waitFor()

    await guest.getByRole('button', { name: 'Sync now' }).click()
    await guest.getByText('Nord responded: 2 events.').waitFor()
    const ann = await open(b, ANN)
    await ann.goto(`${b.base}/events/external/`)
    await check(ann, 'external events')
    assert.deepEqual(await ann.locator('.event-title').allTextContents(), ['Harbour run', 'Night market'])
    await ann.goto(`${b.base}/events/?whose=others`)
    await check(ann, 'list of events')
    assert.equal(await ann.getByText('at Nord').count(), 2)

    await guest.getByRole('link', { name: 'End link' }).click()
    await guest.getByText('2 of their events are no longer shown here.').waitFor()
    await check(guest, 'end')
    await guest.getByRole('button', { name: 'End link' }).click()
    await guest.getByText('The link with Nord has ended.').waitFor()
    await host.goto(`${a.base}/manage/federation/`)
    await host.getByText('You are not linked with any other organisation yet', { exact: false }).waitFor()
  })
})
