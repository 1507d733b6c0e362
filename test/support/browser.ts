import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import axe from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Tests print the reason and are reported as skipped; they never pass for want of a browser. */
export type BrowserFound = { browser: Browser; reason?: undefined } | { browser?: undefined; reason: string }

export async function openBrowser(): Promise<BrowserFound> {
  const executablePath = findBrowser()
  if (!executablePath) return { reason: 'no browser: set CHROMIUM or install chromium' }
  return { browser: await chromium.launch({ executablePath, args: FLAGS }) }
}

export function findBrowser(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
}

/** What axe finds of impact serious or critical, one line each. */
export async function axeProblems(page: Page): Promise<string[]> {
  // Evaluated and not added as a script element: the page's content security policy stays on.
  const { violations } = (await page.evaluate(`${axe.source}; axe.run()`)) as axe.AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary?.replace(/\s+/g, ' ')}`),
    )
}

/** Wider than the window means scrolling sideways. */
export async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= width) return []
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1)
      .map((element) => `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''}`)
  })
}
