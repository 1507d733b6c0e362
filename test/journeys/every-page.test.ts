import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { createAdministrator } from '#features/access/sign-in/commands/administrators.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import {
  fitProblems,
  LOOKS,
  type Look,
  pageProblems,
  preloadAxe,
  translationProblems,
  useLook,
} from '#test/support/accessibility.ts'
import { findBrowser, openBrowser } from '#test/support/browser.ts'
import { freshDatabase } from '#test/support/database.ts'
import { freshDemoDatabase, NOW, PASSWORDS } from '#test/support/demo-instance.ts'
import { ELSEWHERE, findEveryPage, openAsOlga, openPlace, openTestApp, type TestApp } from '#test/support/every-page.ts'
import { chooseSize, IS_EXHAUSTIVE } from '#test/support/sizes.ts'

/** If set, the directory for a screenshot of every page in each layout. */
const SHOTS = process.env.SCREENSHOTS

/** Requested on purpose, or not written yet. */
const MAY_BE_MISSING = [/^\/events\/999999\//, /^\/logo\//, /^\/(imprint|privacy)\//, /^\/accounts\/register\//]

/** `openBrowser` blocks service workers. */
const BLOCKED_WORKER = 'Service Worker registration blocked by Playwright'

/** In which layouts axe looks at a page, and in which the page is only measured. */
type Plan = { accessible: readonly Look[]; fitting: readonly Look[]; isTranslated?: boolean }
/** The number of a page decides. */
type PlanOf = (page: number) => Plan

const measuredOnly: PlanOf = () => ({ accessible: [], fitting: [LOOKS[0]!, LOOKS[2]!] })
const measuredNarrow: PlanOf = () => ({ accessible: [], fitting: [LOOKS[0]!] })
/** Usually axe looks at every so many pages. */
const CHECKED_EACH = 6

/**
 * Axe takes longer than opening a page: it looks at every sixth one, in each layout in turn. `LOOKS` alternates after two, so that the
 * page is measured in the other width, too.
 */
const inTurn: PlanOf = (page) =>
  page % CHECKED_EACH === 0
    ? { accessible: [LOOKS[(page / CHECKED_EACH) % 4]!], fitting: [LOOKS[(page / CHECKED_EACH + 2) % 4]!] }
    : measuredOnly(page)
const inAllLooks: PlanOf = () => ({ accessible: LOOKS, fitting: [], isTranslated: true })
/** Every second page also with longer texts, from left to right and from right to left; the others as they are, in both widths. */
const translatedInTurn: PlanOf = (page) => (page % 2 === 1 ? { ...measuredNarrow(page), isTranslated: true } : inTurn(page))
const inFirstLook: PlanOf = () => ({ accessible: [LOOKS[0]!], fitting: [LOOKS[2]!] })

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the check of every page is skipped, ${skip}`)

describe('every page', { skip }, () => {
  let browser: Browser
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
  })
  after(() => browser?.close())

  test('is accessible and fits at 360 and 1280 pixels, light and dark, and at 320 with longer texts, with the demo data', async () => {
    const testApp = await openTestApp(await freshDemoDatabase())
    try {
      assert.deepEqual(
        await walk(browser, testApp, await findEveryPage(testApp), chooseSize({ usual: translatedInTurn, full: inAllLooks })),
        [],
      )
    } finally {
      await testApp.close()
    }
  })

  test('is accessible and fits without any data', async () => {
    const testApp = await openTestApp(await freshDatabase())
    try {
      const context = { db: testApp.db.write, actor: ANONYMOUS, now: NOW, site: testApp.site, requestId: null }
      const olga = { name: 'Olga Brandt', email: 'olga@demo.example', password: PASSWORDS.olga }
      assert.ok((await createAdministrator(context, olga)).ok)
      // All modules are on, unlike in a new instance.
      await testApp.db.write.deleteFrom('setting').where('name', '=', 'modules').execute()
      const places = testApp.templates.filter((path) => !path.includes('{') && !ELSEWHERE.some((one) => one.test(path)))
      const chosen = places.filter((_, n) => IS_EXHAUSTIVE || n % 4 === 0)
      assert.deepEqual(await walk(browser, testApp, chosen, chooseSize({ usual: measuredOnly, full: inFirstLook })), [])
    } finally {
      await testApp.close()
    }
  })
})

/** The problems of these pages, one line each. */
async function walk(browser: Browser, testApp: TestApp, places: readonly string[], planOf: PlanOf): Promise<string[]> {
  const [member, anonymous] = await Promise.all([
    openAsOlga(browser, testApp.origin),
    browser.newContext({ reducedMotion: 'reduce' }),
  ])
  // Where it looks at few pages, it is sent to these.
  if (planOf(1).accessible.length > 0) await Promise.all([preloadAxe(member), preloadAxe(anonymous)])
  const found: string[] = []
  const rest = [...new Set(places)].map((place, page) => ({ place, plan: planOf(page) }))
  const walker = async () => {
    const pages = { member: await member.newPage(), anonymous: await anonymous.newPage() }
    for (let next = rest.shift(); next; next = rest.shift()) {
      const { place, plan } = next
      // Pages for people without an account are shorter for signed-in users.
      const page = /^\/(accounts|join)\//.test(place) ? pages.anonymous : pages.member
      for (const line of await lookAt(page, testApp.origin, place, plan)) found.push(`${place} ${line}`)
    }
  }
  await Promise.all([walker(), walker()])
  await Promise.all([member.close(), anonymous.close()])
  return found
}

async function lookAt(page: Page, origin: string, place: string, plan: Plan): Promise<string[]> {
  const looks = [...plan.accessible, ...plan.fitting]
  const found: string[] = []
  page.on('console', (message) => {
    if (message.text() !== BLOCKED_WORKER) found.push(`logs ${message.text()}`)
  })
  page.on('pageerror', (error) => found.push(`throws ${error}`))
  await useLook(page, looks[0]!)
  try {
    const answer = await openPlace(page, origin + place)
    // Downloads are not rendered.
    if (!answer?.headers()['content-type']?.startsWith('text/html')) return []
    const status = answer.status()
    // Browsers log a 404 as an error.
    if (status === 404 && MAY_BE_MISSING.some((one) => one.test(place))) found.length = 0
    else if (status !== 200) found.push(`answers ${status}`)
    const headings = await page.locator('h1').count()
    if (headings !== 1) found.push(`has ${headings} h1`)
    found.push(...(await fitProblems(page, plan.fitting)))
    if (plan.accessible.length > 0) found.push(...(await pageProblems(page, plan.accessible)))
    if (SHOTS) for (const look of LOOKS) await keep(page, place, look)
    if (plan.isTranslated) found.push(...(await translationProblems(page)))
  } finally {
    page.removeAllListeners('console')
    page.removeAllListeners('pageerror')
  }
  return found
}

async function keep(page: Page, place: string, look: Look): Promise<void> {
  mkdirSync(SHOTS!, { recursive: true })
  await useLook(page, look)
  const name = `${place.replaceAll(/[^\w]+/g, '_')}-${look.width}-${look.colorScheme}`
  await page.screenshot({ path: join(SHOTS!, `${name}.png`), fullPage: true })
}
