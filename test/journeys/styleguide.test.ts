import '#app'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Html, renderHtml } from '#platform/html/html.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import { assetFiles, pageAssets } from '#platform/ui/assets.ts'
import { bareLayoutView, layoutView } from '#platform/ui/layout.ts'
import { axeProblems } from '#test/support/accessibility.ts'
import { findBrowser, openBrowser, overflowing } from '#test/support/browser.ts'
import { isPseudoLanguage, PSEUDO_LANGUAGES, pseudoWords } from '#test/support/pseudo-language.ts'
import { styleguidePages, styleguideView } from '../../src/styleguide/elements.ts'

const NONCE = 'c3R5bGVndWlkZQ'
const POLICY = `default-src 'none'; script-src 'nonce-${NONCE}'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'`

/** The labels of all items, of people who manage an organisation with partners. */
const BOTTOM_BAR = ['frame.home', 'frame.find_short', 'hours.my_shifts_short', 'frame.calendar', 'manage.title_short'] as const

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`styleguide journeys are skipped, ${skip}`)

describe('the styleguide in a browser', { skip }, () => {
  let browser: Browser
  let origin: string
  const server = createServer((request, response) => answer(request.url ?? '/', response))

  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  after(async () => {
    await browser?.close()
    await new Promise((resolve) => server.close(resolve))
  })

  async function visit(
    path: string,
    options: { width: number; colorScheme: 'light' | 'dark'; javaScriptEnabled?: boolean },
  ): Promise<{ page: Page; problems: string[]; done: () => Promise<void> }> {
    const { width, ...rest } = options
    const context = await browser.newContext({ viewport: { width, height: 740 }, reducedMotion: 'reduce', ...rest })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(`${origin}${path}`)
    return { page, problems, done: () => context.close() }
  }

  const looks: [string, number, 'light' | 'dark'][] = [
    ['/en', 360, 'light'],
    ['/en', 360, 'dark'],
    ['/en', 1280, 'light'],
    ['/en', 1280, 'dark'],
    ['/de', 360, 'light'],
    ['/en/confirm', 360, 'dark'],
    ['/de/error', 360, 'light'],
  ]
  test('a table is a table for screen readers, also where it is shown as a list of cards', async () => {
    const rolesAt = async (width: number) => {
      const { page, done } = await visit('/en', { width, colorScheme: 'light' })
      const tree = await (await page.context().newCDPSession(page)).send('Accessibility.getFullAXTree')
      await done()
      const roles = tree.nodes.filter(({ ignored }) => !ignored).map(({ role }) => role?.value as string)
      return ['table', 'row', 'columnheader', 'rowheader', 'cell'].map((role) => [
        role,
        roles.filter((each) => each === role).length,
      ])
    }
    const wide = await rolesAt(1280)
    assert.ok(
      wide.every(([, count]) => Number(count) > 0),
      JSON.stringify(wide),
    )
    assert.deepEqual(await rolesAt(360), wide)
  })

  for (const [path, width, colorScheme] of looks) {
    test(`${path} at ${width} px, ${colorScheme}: accessible, no horizontal scrolling, no errors`, async () => {
      const { page, problems, done } = await visit(path, { width, colorScheme })
      assert.deepEqual(await axeProblems(page), [])
      assert.deepEqual(await overflowing(page), [])
      assert.deepEqual(problems, [])
      await done()
    })
  }

  for (const language of PSEUDO_LANGUAGES)
    test(`texts that are longer and accented fit on 320 px, ${language}`, async () => {
      const { page, problems, done } = await visit(`/${language}`, { width: 320, colorScheme: 'light' })
      assert.deepEqual(await overflowing(page), [])
      assert.deepEqual(problems, [])
      await done()
    })

  test('from right to left, the page is mirrored: menus, headings, tables and arrows', async () => {
    const placesIn = async (language: string) => {
      const { page, done } = await visit(`/${language}`, { width: 1280, colorScheme: 'light' })
      const places = await page.evaluate(() => {
        const middleOf = (selector: string) => {
          const { left, right } = document.querySelector(selector)!.getBoundingClientRect()
          return (left + right) / 2 > innerWidth / 2 ? 'right' : 'left'
        }
        const arrow = document.querySelector('.flips')
        return {
          direction: getComputedStyle(document.documentElement).direction,
          person: middleOf('.person'),
          brand: middleOf('.top-bar a'),
          cell: getComputedStyle(document.querySelector('th')!).textAlign,
          arrow: arrow && getComputedStyle(arrow).transform,
        }
      })
      await done()
      return places
    }
    const plain = { direction: 'ltr', person: 'right', brand: 'left', cell: 'start', arrow: 'none' }
    assert.deepEqual(await placesIn('en-XA'), plain)
    const mirrored = { direction: 'rtl', person: 'left', brand: 'right', cell: 'start', arrow: 'matrix(-1, 0, 0, 1, 0, 0)' }
    assert.deepEqual(await placesIn('ar-XB'), mirrored)
  })

  test('the theme chosen in the menu is stored', async () => {
    const { page, done } = await visit('/en', { width: 1280, colorScheme: 'light' })
    await page.click('.person > summary')
    await page.click('[data-theme-choice="dark"]')
    await page.reload()
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark')
    await done()
  })

  test('a message can be dismissed, Escape closes menus, and the error summary gets the focus', async () => {
    const { page, done } = await visit('/en', { width: 360, colorScheme: 'light' })
    assert.equal(await page.evaluate(() => document.activeElement?.className), 'error-summary')
    const before = await page.locator('[data-flash]').count()
    await page.locator('[data-dismiss]').first().click()
    assert.equal(await page.locator('[data-flash]').count(), before - 1)
    await page.click('.more > summary')
    assert.ok(await page.locator('.more .menu-list').isVisible())
    await page.keyboard.press('Escape')
    assert.ok(!(await page.locator('.more .menu-list').isVisible()))
    await done()
  })

  test('a click at the end of the page is not lost when a message of success goes away with it', async () => {
    const { page, done } = await visit('/en', { width: 1280, colorScheme: 'light' })
    await page.clock.install()
    const clicks = await page.evaluateHandle(() => {
      const place = document.getElementById('flashes')!
      place.innerHTML = '<div class="flash tone-good" data-flash><p>Saved.</p></div>'
      document.dispatchEvent(new CustomEvent('toast-shown'))
      const seen = { count: 0 }
      const last = document.createElement('button')
      last.id = 'last'
      last.textContent = 'The end'
      last.addEventListener('click', () => seen.count++)
      document.getElementById('page')!.append(last)
      return seen
    })
    await page.clock.fastForward(6000)
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const box = (await page.locator('#last').boundingBox())!
    await page.mouse.click(box.x + 8, box.y + 8)
    assert.equal(await page.locator('#flashes .flash').count(), 0)
    assert.equal(await clicks.evaluate(({ count }) => count), 1)
    await done()
  })

  test('an error disappears from its field and from the summary when the field is corrected', async () => {
    const { page, done } = await visit('/en', { width: 360, colorScheme: 'light' })
    const form = page.locator('form:has(.error-summary)').first()
    const lines = () => form.locator('.error-summary li').allTextContents()
    const before = await lines()
    const href = await form.locator('.error-summary li a').first().getAttribute('href')
    const input = form.locator(href!)
    await input.fill('')
    await input.blur()
    assert.deepEqual(await lines(), before, 'an empty required field keeps its error')
    await input.fill('City marathon')
    await input.blur()
    assert.deepEqual(await lines(), before.slice(1))
    assert.equal(await input.getAttribute('aria-invalid'), null)
    assert.equal(await page.locator(`${href}-error`).count(), 0)
    await done()
  })

  test('touch targets are large enough', async () => {
    const { page, done } = await visit('/en', { width: 360, colorScheme: 'light' })
    const small = await page.evaluate(() =>
      [
        ...document.querySelectorAll(
          '.button:not(.small), .bottom-bar a, summary, .tabs a, input:not([type=hidden], [type=checkbox], [type=radio]), select, .choice',
        ),
      ]
        .filter((element) => element.checkVisibility())
        .map((element) => ({ name: element.outerHTML.slice(0, 80), box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.height < 43.5)
        .map(({ name, box }) => `${box.height} ${name}`),
    )
    assert.deepEqual(small, [])
    await done()
  })

  for (const language of SOURCE_LANGUAGES)
    for (const width of [320, 360])
      test(`the bottom bar cuts no label at ${width} px (${language})`, async () => {
        const { page, done } = await visit('/en', { width, colorScheme: 'light' })
        const words = wordsFor(language, 'UTC')
        const labels = BOTTOM_BAR.map((key) => words.t(key))
        const cut = await page.evaluate((texts) => {
          const item = (text: string) => `<a class="menu-item" href="/" aria-current="page"><span>${text}</span></a>`
          const bar = document.querySelector('.bottom-bar')!
          bar.innerHTML = texts.map(item).join('')
          return [...bar.querySelectorAll('span')]
            .filter((label) => label.scrollWidth > label.clientWidth)
            .map((label) => `${label.textContent}: ${label.scrollWidth} > ${label.clientWidth}`)
        }, labels)
        assert.deepEqual(cut, [])
        await done()
      })

  test('controls that need scripts are hidden without scripts', async () => {
    const { page, done } = await visit('/en', { width: 360, colorScheme: 'light', javaScriptEnabled: false })
    for (const part of ['[data-copy]', '[data-dismiss]', '[data-themes]'])
      assert.equal(await page.locator(`${part}:visible`).count(), 0, part)
    await page.click('.person > summary')
    assert.ok(await page.locator('.person button.menu-item').isVisible())
    await done()
  })
})

const wordsOf = (language = 'en'): Words =>
  isPseudoLanguage(language) ? pseudoWords(language, 'Europe/Berlin') : wordsFor(language === 'de' ? 'de' : 'en', 'Europe/Berlin')

function answer(path: string, response: ServerResponse): void {
  const asset = assetFiles().find(({ url }) => url === path)
  if (asset) {
    response.setHeader('content-type', asset.contentType)
    response.end(readFileSync(asset.file))
    return
  }
  const [language, name] = path.slice(1).split('/')
  const words = wordsOf(language)
  const shared = {
    words,
    title: 'Styleguide',
    siteName: 'Turnout',
    nonce: NONCE,
    assets: pageAssets(),
    csrfToken: 'token',
    version: '0.0.0',
  }
  const labels = ['Home', 'Events', 'My shifts', 'Calendar', 'Planning', 'Manage']
  const nav = labels.map((label) => ({ href: `/${label}`, label, icon: 'house' as const, current: label === 'Events' }))
  const person = { name: 'Ann Berg', links: [{ href: '/settings/profile/', label: 'Profile', icon: 'user' as const }] }
  const framed = (main: Html) =>
    layoutView({
      ...shared,
      nav,
      person,
      search: { action: '/search' },
      bell: { href: '/news', count: 3 },
      breadcrumb: [{ href: '/events/', label: 'Events' }],
      currentPath: path,
      main,
    })
  const special = name === undefined ? undefined : styleguidePages(words)[name]
  const page =
    special === undefined
      ? framed(styleguideView(words))
      : name === 'error'
        ? bareLayoutView({ ...shared, main: special })
        : framed(special)
  response.setHeader('content-security-policy', POLICY)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(renderHtml(page))
}
