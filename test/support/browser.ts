import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Guards against a test that hangs; they never measure speed, so a loaded machine must not reach them. */
const ACTION_TIMEOUT_MS = 5 * 60_000

/** Chromium opens two more renderers per window for the suggestions of the address bar: half of the work of a page. */
const ADDRESS_BAR_FEATURES = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']
/** After each page Chromium starts a renderer for the next site, which no test opens. */
const SPARE_RENDERER = 'SpareRendererForSitePerProcess'
/** Chromium reads only the last --disable-features, so Playwright's own list is repeated here. */
const PLAYWRIGHT_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

const FLAGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--disable-features=${[...PLAYWRIGHT_FEATURES, ...ADDRESS_BAR_FEATURES, SPARE_RENDERER].join(',')}`,
]

/** Without a browser, tests print the reason and are reported as skipped, never as passed. */
export type BrowserFound = { browser: Browser; reason?: undefined } | { browser?: undefined; reason: string }

/** A program that runs, and how many have opened it. */
type Launched = { browser: Browser; users: number; ending?: NodeJS.Timeout | undefined }
const launched = new Map<string, Promise<Launched>>()
/** So long it waits for the next file of its process. */
const IDLE_MS = 1000

async function launch(executablePath: string): Promise<Launched> {
  const running = await launched.get(executablePath)
  if (running?.browser.isConnected()) return running
  const starting = chromium
    .launch({ executablePath, args: FLAGS, timeout: ACTION_TIMEOUT_MS })
    .then((browser): Launched => ({ browser, users: 0 }))
  launched.set(executablePath, starting)
  return starting
}

/**
 * Files of one process share the program, and each has its own contexts; `close` ends these. `isComplete`: with what only the browser
 * with windows has, such as notifications.
 */
export async function openBrowser({ isComplete = false } = {}): Promise<BrowserFound> {
  const executablePath = findBrowser({ isComplete })
  if (!executablePath) return { reason: 'no browser: set CHROMIUM or install chromium' }
  const program = await launch(executablePath)
  program.users++
  clearTimeout(program.ending)
  const contexts = new Set<BrowserContext>()
  const newContext: Browser['newContext'] = async (options) => {
    const context = await program.browser.newContext(options)
    contexts.add(context)
    context.once('close', () => contexts.delete(context))
    // Pages behave the same without a service worker, which would only cost time; its own journey allows it.
    if (options?.serviceWorkers !== 'allow')
      await context.addInitScript(() => {
        Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
      })
    context.setDefaultTimeout(ACTION_TIMEOUT_MS)
    return context
  }
  const close = async () => {
    await Promise.all([...contexts].map((context) => context.close()))
    program.users--
    if (program.users > 0) return
    program.ending = setTimeout(() => void program.browser.close(), IDLE_MS)
  }
  const browser: Browser = Object.assign(Object.create(program.browser), { newContext, close, contexts: () => [...contexts] })
  return { browser }
}

/** The browser without windows needs a third less processor time. */
const COMPLETE = ['chromium', 'chromium-browser', 'google-chrome']
const SMALL_FIRST = ['chromium-headless-shell', ...COMPLETE]

export function findBrowser({ isComplete = false } = {}): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  return (isComplete ? COMPLETE : SMALL_FIRST)
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}

/** The text of the page. A click returns when the next page begins to arrive, so half of it may be missing until it has loaded. */
export async function readMain(page: Page): Promise<string> {
  await page.waitForLoadState()
  return (await page.textContent('main')) ?? ''
}

/** Wider than the window means scrolling sideways, or, in a bar with a fixed place, controls that nobody can reach. */
export async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width)
      return [...document.querySelectorAll('.page-actions *, .form-actions *')]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > width + 1)
        .map((element) => `${element.tagName.toLowerCase()} in a bar: ${element.textContent}`)
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1 || element.getBoundingClientRect().left < -1)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`)
  })
}

/** Texts that an element around them cuts off at its right edge, other than with an ellipsis. */
export async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasOverflow = (element: Element): boolean => getComputedStyle(element).overflowX !== 'visible'
    const cuttingAround = (element: Element | null): Element | null =>
      !element || hasOverflow(element) ? element : cuttingAround(element.parentElement)
    const isCutting = (element: Element): boolean => {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(element)
      // With a clip path: only for screen readers.
      return ['hidden', 'clip'].includes(overflowX) && textOverflow !== 'ellipsis' && clipPath === 'none'
    }
    const found: string[] = []
    for (const box of [...document.querySelectorAll('body *')].filter(isCutting)) {
      const { right } = box.getBoundingClientRect()
      const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const text = texts.currentNode
        const inner = cuttingAround(text.parentElement!)
        if (!text.textContent!.trim() || inner !== box) continue
        const range = document.createRange()
        range.selectNodeContents(text)
        const isShown = text.parentElement!.checkVisibility({ visibilityProperty: true })
        const rects = isShown ? [...range.getClientRects()] : []
        if (rects.some((rect) => rect.width > 1 && rect.right > right + 1)) found.push(text.textContent!.trim())
      }
    }
    return found
  })
}
