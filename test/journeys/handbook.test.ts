import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { pageProblems } from '#test/support/accessibility.ts'
import { findBrowser } from '#test/support/browser.ts'
import { enterAs, openDemoInstance } from '#test/support/demo-instance.ts'
import { chooseVariants } from '#test/support/sizes.ts'

const skip = findBrowser() ? false : 'no browser: set CHROMIUM or install chromium'
if (skip) console.log(`following the handbook is skipped, ${skip}`)

const read = (path: string): string => readFileSync(new URL(`../../handbook/${path}.md`, import.meta.url), 'utf8')

/** The numbered steps below a heading. */
function stepsBelow(text: string, heading: string): string[] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
  assert.ok(section, heading)
  return [...section.matchAll(/^\d+\. (.*)$/gm)].map(([, step]) => step!)
}

const labelsOf = (step: string): string[] => [...step.matchAll(/\*\*(.+?)\*\*/g)].map(([, label]) => label!)

type Following = {
  who: 'paul' | 'olga'
  heading: string
  /** What people enter, by the name of the field. */
  entries: Record<string, string>
  /** After this button there is a choice that the step describes in words. */
  choice: { after: string; link: string }
  atBottom: RegExp
}

const FIRST_EVENT: Record<'de' | 'en', Following> = {
  de: {
    who: 'paul',
    heading: 'Anlegen',
    entries: {
      Titel: 'Hafenlauf',
      Ort: 'Am Deich',
      Datum: '2026-06-13',
      Beginn: '08:00',
      Ende: '14:00',
      Mindestens: '2',
      Höchstens: '4',
    },
    choice: { after: 'Neue Veranstaltung', link: 'Sanitätswachdienst' },
    atBottom: /Tippe unten/,
  },
  en: {
    who: 'olga',
    heading: 'Create it',
    entries: {
      Title: 'Harbour run',
      Place: 'Pier 3',
      Date: '2026-06-13',
      Start: '08:00',
      End: '14:00',
      'At least': '2',
      'At most': '4',
    },
    choice: { after: 'New event', link: 'Sanitätswachdienst' },
    atBottom: /at the bottom/,
  },
}

const named = (label: string): RegExp => new RegExp(`^\\s*${label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`)

/** Taps or fills in what a step names in bold, in its order. */
async function follow(page: Page, step: string, { entries, choice, atBottom }: Following): Promise<void> {
  for (const label of labelsOf(step)) {
    const entry = entries[label]
    if (entry !== undefined) {
      await page
        .locator('label:visible')
        .filter({ hasText: named(label) })
        .first()
        .click()
      await page.locator(':focus').fill(entry)
      continue
    }
    const controls = page.locator('a:visible, button:visible, summary:visible').filter({ hasText: named(label) })
    await (atBottom.test(step) ? controls.last() : controls.first()).click()
    if (label === choice.after) await page.getByRole('link', { name: choice.link }).click()
  }
}

describe('the handbook on a phone', { skip }, () => {
  let browser: Browser
  let origin: string
  let close: () => Promise<void>

  before(async () => {
    ;({ browser, origin, close } = await openDemoInstance())
  })
  after(() => close?.())

  for (const language of chooseVariants(['de', 'en'] as const, 0))
    test(`whoever follows the chapter about the first event has published one (${language})`, async () => {
      const following = FIRST_EVENT[language]
      const look = { viewport: { width: 360, height: 740 }, hasTouch: true }
      const { page, close: leave } = await enterAs(following.who, { browser, origin, look })
      const steps = stepsBelow(read(`${language}/first-event`), following.heading)
      assert.equal(steps.length, 7)
      for (const step of steps) await follow(page, step, following)
      await page.waitForURL(/\/events\/\d+/)
      assert.equal(await page.innerText('h1'), Object.values(following.entries)[0])
      assert.match(await page.innerText('main'), /08:00–14:00/)
      await leave()
    })

  test('its pages are readable at every width, light and dark', async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const page = await context.newPage()
    for (const path of ['/help/de/', '/help/de/volunteers/', '/help/en/?q=shift', '/help/en/nothing/']) {
      await page.goto(origin + path)
      assert.deepEqual(await pageProblems(page), [], path)
    }
    await context.close()
  })
})
