import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { CHAPTERS, chapterPath } from '#features/operations/handbook/rules/contents.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { addEvent, addParticipation } from '#test/support/fixtures.ts'
import { openInstance } from '#test/support/instance.ts'
import { ANN, HELPERS, PAUL, type Person } from '#test/support/people.ts'

const skip = findBrowser({ isComplete: true }) ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`browser tests of the installable app are skipped, ${skip}`)

const MOST_ATTEMPTS = 5000
const ATTEMPTS_PER_PAGE = 200

describe('the installable app on a phone', { skip }, async () => {
  const instance = await openInstance()
  const { write } = instance.db
  let browser: Browser
  let context: BrowserContext
  let page: Page

  before(async () => {
    const found = await openBrowser({ isComplete: true })
    assert.ok(found.browser, found.reason)
    browser = found.browser
    await write.insertInto('event_type').values({ title: 'Service' }).execute()
    const soon = (hours: number) => new Date(instance.now.getTime() + hours * 3600_000).toISOString()
    const { shifts } = await addEvent(
      write,
      {
        title: 'City marathon',
        seenBy: [HELPERS],
        responsible: [PAUL],
        shifts: [{ label: 'First aid', start: soon(48), end: soon(56) }],
      },
      instance.now,
    )
    await addParticipation(write, { who: ANN, shift: shifts[0]!, state: 1 }, instance.now)
    context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      serviceWorkers: 'allow',
      permissions: ['notifications'],
    })
    const { sessionId } = await instance.browserOf(ANN)
    await context.addCookies([{ name: cookieNames(instance.base).session, value: sessionId, url: instance.base }])
    page = await context.newPage()
  })
  after(() => browser?.close())

  /** What a loaded machine did not finish on one page is repeated by the next page, as for people. */
  async function repeatUntil(isDone: () => Promise<boolean>, repeat: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; !(await isDone()); attempt++) {
      assert.ok(attempt < MOST_ATTEMPTS, 'it did not happen')
      if (attempt % ATTEMPTS_PER_PAGE === 0) await repeat()
      await page.waitForTimeout(50)
    }
  }

  const hasCopy = () => page.evaluate(async () => (await caches.match('/my-shifts/offline/')) !== undefined)
  const waitForCopy = (wanted: boolean) =>
    repeatUntil(
      async () => (await hasCopy()) === wanted,
      () => page.reload(),
    )

  const cachedPages = () =>
    page.evaluate(async () => {
      const found = []
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
      return found.filter((path) => !path.startsWith('/assets/')).sort()
    })

  test('the own shifts can be read without a connection', async () => {
    await page.goto(`${instance.base}/`)
    await waitForCopy(true)
    assert.deepEqual(await cachedPages(), ['/copied-at/', '/copies-of/', '/my-shifts/offline/', '/offline/'])
    await context.setOffline(true)
    await page.goto(`${instance.base}/events/`)
    assert.match(await page.innerText('main'), /No connection[\s\S]*City marathon/)
    // The style sheets come from the worker, too.
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).fontFamily), 'Times')
    assert.deepEqual(await overflowing(page), [])
    await context.setOffline(false)
    await page.goto(`${instance.base}/events/`)
    assert.doesNotMatch(await page.innerText('main'), /No connection/)
  })

  test('a push message is shown', async () => {
    const protocol = await context.newCDPSession(page)
    const registrations: { registrationId: string; scopeURL: string }[] = []
    protocol.on('ServiceWorker.workerRegistrationUpdated', (event) => registrations.push(...event.registrations))
    await protocol.send('ServiceWorker.enable')
    await page.goto(`${instance.base}/`)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const { registrationId } = registrations.at(-1)!
    const data = JSON.stringify({ title: 'City marathon', body: 'You are confirmed', url: '/notifications/', tag: 'n-1' })
    const deliver = () => protocol.send('ServiceWorker.deliverPushMessage', { origin: `${instance.base}/`, registrationId, data })
    const shownNow = () =>
      page.evaluate(async () => {
        const [notification] = await (await navigator.serviceWorker.ready).getNotifications()
        return notification && [notification.title, notification.body, notification.data.url]
      })
    await deliver()
    await repeatUntil(async () => (await shownNow()) !== undefined, deliver)
    const shown = await shownNow()
    assert.deepEqual(shown, ['City marathon', 'You are confirmed', '/notifications/'])
  })

  test('signing out deletes the copy', async () => {
    await page.goto(`${instance.base}/`)
    await waitForCopy(true)
    await page.click('details.person > summary')
    await page.click('form[action="/accounts/logout/"] button')
    await page.waitForURL(/accounts\/login/)
    await waitForCopy(false)
    await context.setOffline(true)
    await page.goto(`${instance.base}/`)
    assert.match(await page.innerText('main'), /needs a connection/)
    assert.doesNotMatch(await page.innerText('main'), /City marathon/)
    await context.setOffline(false)
  })

  const signIn = async (who: Person) => {
    const { sessionId } = await instance.browserOf(who)
    await context.addCookies([{ name: cookieNames(instance.base).session, value: sessionId, url: instance.base }])
  }
  const readOffline = async () => {
    await context.setOffline(true)
    await page.goto(`${instance.base}/events/`)
    const text = await page.innerText('main')
    await context.setOffline(false)
    return text
  }

  test('signing in again within ten minutes makes a new copy', async () => {
    await signIn(ANN)
    await page.goto(`${instance.base}/`)
    await waitForCopy(true)
    assert.match(await readOffline(), /City marathon/)
  })

  test('somebody who comes in by a link for a new password reads nothing of the person before, also if no script has run', async () => {
    await signIn(ANN)
    await page.goto(`${instance.base}/`)
    await waitForCopy(true)
    const token = randomSecret(43)
    const link = { token_hash: hashSecret(token), purpose: 'reset_password', user_id: PAUL.id, created_at: instance.now }
    await write
      .insertInto('one_time_link')
      .values({ ...link, expires_at: new Date(instance.now.getTime() + 3600_000) })
      .execute()
    // The script of this window never talks to the worker.
    await page.close()
    page = await context.newPage()
    await page.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
    })
    await page.goto(`${instance.base}/accounts/reset/${token}/`)
    await page.fill('[name=password]', 'four green umbrellas')
    await page.fill('[name=password_again]', 'four green umbrellas')
    await page.click('main form button')
    await page.waitForURL(`${instance.base}/`)
    assert.equal(await hasCopy(), false)
    const offline = await readOffline()
    assert.match(offline, /needs a connection/)
    assert.doesNotMatch(offline, /City marathon/)
    await page.close()
    page = await context.newPage()
  })

  test('they get a copy of their own at once', async () => {
    await page.goto(`${instance.base}/`)
    await waitForCopy(true)
    const offline = await readOffline()
    assert.match(offline, /You have no upcoming shifts/)
    assert.doesNotMatch(offline, /City marathon/)
  })

  test('a response that was requested by the person before is not kept for the next one', async () => {
    await signIn(ANN)
    await page.goto(`${instance.base}/`)
    await waitForCopy(true)
    const worker = context.serviceWorkers()[0]!
    // As if Paul had come in while the copy of Ann was on its way.
    const isKept = await worker.evaluate(async () => {
      const scope = self as unknown as {
        claimCopies: (marker: string) => Promise<void>
        keepCopy: (path: string, response: Response) => Promise<unknown>
      }
      const response = await fetch('/my-shifts/offline/')
      await scope.claimCopies('paul.session')
      return (await scope.keepCopy('/my-shifts/offline/', response)) !== undefined
    })
    assert.equal(isKept, false)
    assert.equal(await hasCopy(), false)
  })

  test('after one chapter of the handbook all of its language are there without a connection, and the address without a language', async () => {
    await page.goto(`${instance.base}/`)
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const read = '/help/en/volunteers/'
    const wanted = ['/help/en/', ...CHAPTERS.map((name) => chapterPath('en', name))]
    await page.goto(instance.base + read)
    await repeatUntil(
      async () => (await cachedPages()).filter((path) => wanted.includes(path)).length === wanted.length,
      () => page.reload(),
    )
    await context.setOffline(true)
    for (const [path, heading] of [
      [read, /Taking part/],
      ['/help/en/series/', /Series/],
      ['/help/', /Handbook/],
    ] as const) {
      await page.goto(instance.base + path)
      assert.match(await page.innerText('h1'), heading)
    }
    await page.goto(`${instance.base}/help/de/series/`)
    assert.doesNotMatch(await page.innerText('h1'), /Serien/)
    await context.setOffline(false)
  })
})
