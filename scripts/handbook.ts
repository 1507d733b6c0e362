// Takes the pictures of the handbook from the sample data, in both languages, and writes their manifest.
//   npm run handbook            all of them
//   npm run handbook -- board   those whose name begins like this
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { SOURCE_LANGUAGES, type SourceLanguage } from '#platform/i18n/languages.ts'
import { openBrowser } from '#test/support/browser.ts'
import { freshSample, NOW, signInAs } from '#test/support/demo-instance.ts'
import { openTestApp, type TestApp } from '#test/support/every-page.ts'
import { addressOf, findIds, fingerprintOf, PICTURES, type PictureSource } from '#test/support/handbook/pictures.ts'

const folder = fileURLToPath(new URL('../handbook/pictures/', import.meta.url))
const MANIFEST = `${folder}manifest.json`
/** Stored with this width: phones in double resolution, desks smaller than they are. */
const STORED_WIDTH = { 360: 640, 480: 480, 1280: 1000 }
const MARGIN = 12

type Entry = { page: string; width: number; height: number; fingerprint: string }
type Manifest = Record<string, Entry>

/**
 * From the heading on, or, small, what is below it: the name stands beside the picture already. Bars stay in place and are not of the page.
 */
async function takePicture(page: Page, source: PictureSource): Promise<{ content: Buffer; height: number; width: number }> {
  const isSmall = source.width === 480
  const head = (await page.locator('main .page-head, main h1').first().boundingBox())!
  const main = (await page.locator('main').boundingBox())!
  const end = main.y + main.height
  const start = isSmall ? Math.min(head.y + head.height, Math.max(end - source.height, head.y - MARGIN)) : head.y - MARGIN
  const x = isSmall ? 0 : Math.max(head.x - 2 * MARGIN, 0)
  const height = isSmall ? source.height : Math.min(source.height, end - start)
  const shot = await page.screenshot({ clip: { x, y: start, width: source.width - 2 * x, height }, animations: 'disabled' })
  const picture = sharp(shot).resize({ width: STORED_WIDTH[source.width] })
  const { data, info } = await picture
    .webp({ quality: 60, effort: 6, smartSubsample: true })
    .toBuffer({ resolveWithObject: true })
  return { content: data, width: info.width, height: info.height }
}

async function openPage(
  browser: Browser,
  { origin }: TestApp,
  { who, width }: PictureSource,
  language: SourceLanguage,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 1600 },
    deviceScaleFactor: width === 360 ? 2 : 1,
    reducedMotion: 'reduce',
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    timezoneId: 'Europe/Berlin',
  })
  const page = await context.newPage()
  await page.clock.setFixedTime(NOW)
  await signInAs(page, origin, who)
  return page
}

async function takeAll(browser: Browser, language: SourceLanguage, sources: readonly PictureSource[]): Promise<Manifest> {
  const testApp = await openTestApp(await freshSample(language), { isUnlimited: true })
  const pages = new Map<string, Page>()
  const manifest: Manifest = {}
  try {
    const ids = await findIds(testApp.db)
    for (const source of sources) {
      const key = `${source.who} ${source.width}`
      const page = pages.get(key) ?? (await openPage(browser, testApp, source, language))
      pages.set(key, page)
      const response = await page.goto(testApp.origin + addressOf(source, ids))
      if (response?.status() !== 200) throw new Error(`${source.name}: ${source.page} answers ${response?.status()}`)
      await page.waitForLoadState('load')
      const { content, width, height } = await takePicture(page, source)
      writeFileSync(`${folder}${language}/${source.name}.webp`, content)
      const fingerprint = fingerprintOf(await response.text())
      manifest[`${language}/${source.name}.webp`] = { page: source.page, width, height, fingerprint }
    }
  } finally {
    for (const page of pages.values()) await page.context().close()
    await testApp.close()
  }
  return manifest
}

const prefix = process.argv[2]
const sources = PICTURES.filter(({ name }) => name.startsWith(prefix ?? ''))
const { browser, reason } = await openBrowser()
if (!browser) throw new Error(reason)
if (prefix === undefined) for (const language of SOURCE_LANGUAGES) rmSync(folder + language, { recursive: true, force: true })
const manifest: Manifest = prefix === undefined ? {} : JSON.parse(readFileSync(MANIFEST, 'utf8'))
for (const language of SOURCE_LANGUAGES) {
  mkdirSync(folder + language, { recursive: true })
  Object.assign(manifest, await takeAll(browser, language, sources))
}
await browser.close()
writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`)
console.log(`wrote ${sources.length * SOURCE_LANGUAGES.length} pictures`)
