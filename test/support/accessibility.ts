import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axeCore from 'axe-core'
import type { Page } from 'playwright-core'
import { overflowing } from './browser.ts'

/** The minified file: browsers parse it anew on every page. */
const AXE_SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Digests of the styles in which axe found a text readable, or to which contrast does not apply. */
const readable = new Set<string>()
/** If set, the file with the digests that all processes of this test run have found. */
const SHARED_STYLES = process.env.TURNOUT_READABLE_STYLES

/** In the page. */
type Global = {
  axe: typeof axeCore & { _audit: { rules: { id: string; impact: string }[] } }
  textsByStyle: Map<string, Element[]>
}

export type Look = { width: number; colorScheme: 'light' | 'dark' }

const HEIGHT = 800
export const LOOKS: readonly Look[] = [
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
]

/** What is inaccessible or wider than the window in these layouts, one line each. Returns to the first layout. */
export async function pageProblems(page: Page, looks = LOOKS): Promise<string[]> {
  const found: string[] = []
  for (const look of looks) {
    await useLook(page, look)
    // All rules once: of these, only contrast depends on the width or the colour scheme.
    const lines = look === looks[0] ? await axeProblems(page) : await contrastProblems(page)
    const wide = (await overflowing(page)).map((line) => `is wider than the window: ${line}`)
    for (const line of [...lines, ...wide]) found.push(`at ${look.width} ${look.colorScheme} ${line}`)
  }
  await useLook(page, looks[0]!)
  return found
}

export async function useLook(page: Page, { width, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT })
  await page.emulateMedia({ colorScheme })
}

/** Violations of impact serious or critical that axe finds, one line each. */
export async function axeProblems(page: Page): Promise<string[]> {
  await loadAxe(page)
  // Only violations leave the page: the rest of the report is many times larger.
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as Global
    // Of other rules nothing would be listed: the impact of a rule is the impact of all its violations.
    const others = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate').map(({ id }) => id)
    const disabled = [...others, 'color-contrast'].map((id) => [id, { enabled: false }])
    const found = await axe.run({ resultTypes: ['violations'], rules: Object.fromEntries(disabled) })
    return found.violations
  })
  return [...listProblems(violations), ...(await contrastProblems(page))]
}

/**
 * Contrast takes two thirds of the time of axe, and most texts of a page look like those of the pages before. So axe checks only
 * texts in styles that it has not yet found readable in this test run.
 */
export async function contrastProblems(page: Page): Promise<string[]> {
  readSharedStyles()
  const unknown = (await page.evaluate(findTextStyles)).filter((style) => !readable.has(digestOf(style)))
  if (unknown.length === 0) return []
  await loadAxe(page)
  const { violations, undecided } = await page.evaluate(async (styles) => {
    const { axe, textsByStyle } = globalThis as unknown as Global
    const include = styles.flatMap((style) => textsByStyle.get(style)!)
    const { violations, incomplete } = await axe.run(
      { include },
      { runOnly: ['color-contrast'], resultTypes: ['violations', 'incomplete'], elementRef: true },
    )
    const elementsOf = (results: axeCore.Result[]) =>
      new Set(results.flatMap(({ nodes }) => nodes.map(({ element }) => element as Element)))
    const [pale, open] = [elementsOf(violations), elementsOf(incomplete)]
    // One readable text decides about its style: axe cannot judge a text that is scrolled half out of its box.
    const undecided = styles.filter((style) => {
      const texts = textsByStyle.get(style)!
      return texts.some((text) => pale.has(text)) || texts.every((text) => open.has(text))
    })
    for (const node of violations.flatMap(({ nodes }) => nodes)) delete node.element
    return { violations, undecided }
  }, unknown)
  addReadable(unknown.filter((style) => !undecided.includes(style)).map(digestOf))
  return listProblems(violations)
}

const digestOf = (style: string): string => createHash('sha256').update(style).digest('base64')

let sharedLength = 0

function readSharedStyles(): void {
  if (!SHARED_STYLES || !existsSync(SHARED_STYLES)) return
  const content = readFileSync(SHARED_STYLES, 'utf8')
  if (content.length === sharedLength) return
  sharedLength = content.length
  for (const digest of content.split('\n')) readable.add(digest)
}

function addReadable(digests: string[]): void {
  for (const digest of digests) readable.add(digest)
  if (SHARED_STYLES && digests.length > 0) appendFileSync(SHARED_STYLES, digests.map((digest) => `${digest}\n`).join(''))
}

async function loadAxe(page: Page): Promise<void> {
  // Evaluated and not added as a script element: the page's content security policy stays on.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(`${AXE_SOURCE}; undefined`)
}

function listProblems(violations: axeCore.Result[]): string[] {
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary?.replace(/\s+/g, ' ')}`),
    )
}

/**
 * Runs in the page. The style of a text is all that its contrast depends on: its colour and font, and every element around it that
 * paints or blends. An element that may be placed over others counts with its classes: its place decides what is behind the text.
 * Texts on an image of their own are left out, because axe never judges them. The texts of each style stay in the page for
 * `contrastProblems`.
 */
function findTextStyles(): string[] {
  const known = new Map<Element | null, string>([[null, '']])
  const surroundingsOf = (element: Element | null): string => {
    const found = known.get(element)
    if (found !== undefined) return found
    const computed = getComputedStyle(element!)
    const place = `${computed.position} ${computed.transform} ${computed.translate}`
    const name = place === 'static none none' ? '' : `${place} ${element!.tagName} ${element!.getAttribute('class')}`
    const paint = [
      computed.backgroundColor,
      computed.backgroundImage,
      computed.opacity,
      computed.filter,
      computed.mixBlendMode,
      name,
    ].join('|')
    const outer = surroundingsOf(element!.parentElement)
    const style = paint === 'rgba(0, 0, 0, 0)|none|1|none|normal|' ? outer : `${outer}\n${paint}`
    known.set(element, style)
    return style
  }
  const styleOf = (element: Element): string => {
    const computed = getComputedStyle(element)
    const label = element instanceof HTMLLabelElement && element.control?.matches(':disabled')
    return [
      surroundingsOf(element),
      element.matches('input, select, textarea, button') && `${element.tagName} ${element.getAttribute('type')}`,
      label || element.matches(':disabled, [aria-disabled=true]'),
      computed.color,
      computed.fontSize,
      computed.fontWeight,
      computed.textShadow,
    ].join('|')
  }
  const hasText = (element: Element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== '')
  const shown = [...document.body.querySelectorAll('*')].filter(
    (element) => hasText(element) && element.checkVisibility() && getComputedStyle(element).backgroundImage === 'none',
  )
  const textsByStyle = Map.groupBy(shown, styleOf)
  Object.assign(globalThis, { textsByStyle })
  return [...textsByStyle.keys()]
}
