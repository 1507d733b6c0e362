import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { axeProblems, contrastProblems, LOOKS, pageProblems } from './accessibility.ts'
import { findBrowser, openBrowser } from './browser.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`the check of accessibility is not tested, ${skip}`)

const STYLE = `
  .fine { color: #000; background: #fff } .pale { color: #ccc; background: #fff } .dark { background: #222 }
  @media (prefers-color-scheme: dark) { .changing { background: #111; color: #222 } }
  @media (min-width: 1000px) { .wide { color: #eee } .broad { width: 2000px; height: 1px } }
  .faded { opacity: 0.3 } .backdrop { position: relative; height: 40px } .over { position: relative; z-index: 1; margin: 0 }
  .under { position: absolute; inset: 0; margin: 0; background: #111 }
  .drawing { position: absolute; left: 0; top: 0; width: 100%; height: 100%; z-index: -1 }`

const PAGES: Record<string, string> = {
  '/fine': '<p class="fine">one</p><p class="fine">two</p>',
  '/pale': '<p class="pale">one</p>',
  '/surroundings': '<div class="dark"><p>one</p></div>',
  '/faded': '<div class="faded"><p class="fine">one</p></div>',
  '/placed': '<p>one</p><div class="backdrop"><p class="over">two</p><p class="under"></p></div>',
  '/plain': '<p>one</p>',
  '/changing': '<p class="changing">one</p>',
  '/broad': '<p>one</p><div class="broad"></div>',
  '/wide': '<p class="wide">one</p>',
  '/drawing': '<p style="color: #ccc">one</p><canvas class="drawing"></canvas>',
  '/no-drawing': '<p style="color: #ccc">one</p>',
  '/nameless': '<p class="fine">one</p><button class="fine"></button>',
}

describe('the check of accessibility', { skip }, () => {
  let browser: Browser
  let server: Server
  let page: Page
  before(async () => {
    const found = await openBrowser()
    assert.ok(found.browser, found.reason)
    browser = found.browser
    server = createServer(({ url }, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><html lang="en"><title>x</title><style>${STYLE}</style><main><h1>x</h1>${PAGES[url!]}</main>`)
    }).listen(0, '127.0.0.1')
    page = await (await browser.newContext({ viewport: { width: 360, height: 600 }, colorScheme: 'light' })).newPage()
  })
  after(async () => {
    await browser?.close()
    server?.close()
  })
  const open = (path: string) => page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`)
  const isPale = async () => /color-contrast/.test((await contrastProblems(page)).join())

  test('accepts readable texts', async () => {
    await open('/fine')
    assert.deepEqual(await axeProblems(page), [])
    await open('/fine')
    assert.deepEqual(await axeProblems(page), [])
  })

  test('reports a pale text on every page, not only the first time', async () => {
    for (let visit = 0; visit < 2; visit++) {
      await open('/pale')
      assert.match((await axeProblems(page)).join(), /^color-contrast: p /)
    }
  })

  test('notices other surroundings, another colour scheme and another width', async () => {
    await open('/surroundings')
    assert.equal(await isPale(), true)
    await open('/changing')
    assert.equal(await isPale(), false)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.equal(await isPale(), true)
    await page.emulateMedia({ colorScheme: 'light' })
    await open('/wide')
    assert.equal(await isPale(), false)
    await page.setViewportSize({ width: 1280, height: 600 })
    assert.equal(await isPale(), true)
  })

  test('notices an element around the text that fades it, and one that is placed behind it', async () => {
    await open('/fine')
    assert.equal(await isPale(), false)
    await open('/faded')
    assert.equal(await isPale(), true)
    await open('/placed')
    assert.match((await contrastProblems(page)).join(), /^color-contrast: \.over /)
  })

  test('a text that axe could not judge on one page is judged on the next', async () => {
    await open('/drawing')
    assert.equal(await isPale(), false)
    await open('/no-drawing')
    assert.equal(await isPale(), true)
  })

  test('checks known texts in the first layout only, and the width of the page in each', async () => {
    await open('/plain')
    assert.deepEqual(await pageProblems(page, LOOKS), [])
    await open('/changing')
    assert.match(
      (await pageProblems(page, LOOKS)).join('\n'),
      /^at 360 dark color-contrast: .*\nat 1280 dark color-contrast: .*$/,
    )
    await open('/broad')
    assert.match((await pageProblems(page, LOOKS)).join('\n'), /^at 1280 dark is wider than the window: div\.broad$/)
  })

  test('reports the other rules on every page', async () => {
    await open('/nameless')
    assert.match((await axeProblems(page)).join(), /^button-name: /)
  })
})
