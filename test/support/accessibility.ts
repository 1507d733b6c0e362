import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axeCore from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { cutTexts, overflowing } from './browser.ts'
import { lengthenTexts } from './pseudo-language.ts'
import { chooseSize } from './sizes.ts'

/** The minified file: browsers parse it anew on every page. */
const AXE_SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Digests of the styles in which axe found a text readable, or to which contrast does not apply. */
const readable = new Set<string>()
/** If set, the file with the digests that all processes of this test run have found. */
const SHARED_STYLES = process.env.TURNOUT_READABLE_STYLES

/** In the page. */
type Rule = { id: string; impact: string; matches: (element: Element, ...rest: unknown[]) => boolean }
type Global = { axe: typeof axeCore & { _audit: { rules: Rule[] } }; textsByStyle: Map<string, Element[]> }
type Violation = { id: string; impact: string | null | undefined; target: string; summary: string }
type Checked = { lines: string[]; isDecided: boolean; texts: string[] }

export type Look = { width: number; colorScheme: 'light' | 'dark' }

const HEIGHT = 800
export const LOOKS: readonly Look[] = [
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'dark' },
  { width: 1280, colorScheme: 'light' },
]

/** Both widths and both colour schemes; usually each once. */
const MOST_LOOKS = chooseSize({ usual: [LOOKS[0]!, LOOKS[2]!], full: LOOKS })

/** What is inaccessible or wider than the window in these layouts, one line each. Returns to the first layout. */
export async function pageProblems(page: Page, looks = MOST_LOOKS): Promise<string[]> {
  const found: string[] = []
  const widths = new Set<number>()
  const look = async (one: Look, check?: (page: Page) => Promise<Checked>) => {
    await useLook(page, one)
    const checked = await check?.(page)
    const wide = widths.has(one.width) ? [] : await misfits(page)
    widths.add(one.width)
    for (const line of [...(checked?.lines ?? []), ...wide]) found.push(`at ${one.width} ${one.colorScheme} ${line}`)
    return checked
  }
  const [first, ...others] = looks
  // All rules once: of these, only contrast depends on the width or the colour scheme.
  const checked = await look(first!, checkAllRules)
  const texts = checked!.texts.map((text) => digestOf(`${JSON.stringify(looks)} ${text}`))
  if (texts.every((text) => readable.has(text))) {
    for (const one of others) if (!widths.has(one.width)) await look(one)
  } else {
    let { isDecided } = checked!
    for (const one of others) isDecided = (await look(one, checkContrast))!.isDecided && isDecided
    if (isDecided) addReadable(texts)
  }
  await useLook(page, first!)
  return found
}

/** What is wider than the window in these layouts, or cut off there, one line each. */
export async function fitProblems(page: Page, looks: readonly Look[]): Promise<string[]> {
  const found: string[] = []
  for (const look of looks) {
    await useLook(page, look)
    for (const line of await misfits(page)) found.push(`at ${look.width} ${look.colorScheme} ${line}`)
  }
  return found
}

/** The width of the smallest phones. */
const SMALLEST: Look = { width: 320, colorScheme: 'light' }

/** What does not fit a small phone in a language with longer words. The page cannot be used afterwards. */
export async function translationProblems(page: Page): Promise<string[]> {
  await useLook(page, SMALLEST)
  if ((await lengthenTexts(page)) === 0) return ['has no texts']
  const found: string[] = []
  for (const direction of ['ltr', 'rtl']) {
    // Observers of sizes run with the next frame.
    await page.evaluate((dir) => {
      document.documentElement.setAttribute('dir', dir)
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    }, direction)
    const wide = await overflowing(page)
    if (wide.length) found.push(`with longer texts, ${direction}: is wider than 320 pixels: ${wide.slice(0, 5).join(', ')}`)
  }
  return found
}

async function misfits(page: Page): Promise<string[]> {
  const wide = (await overflowing(page)).map((line) => `is wider than the window: ${line}`)
  const cut = (await cutTexts(page)).map((text) => `is cut off: ${text}`)
  return [...wide, ...cut]
}

export async function useLook(page: Page, { width, colorScheme }: Look): Promise<void> {
  const size = page.viewportSize()
  if (size?.width !== width || size.height !== HEIGHT) await page.setViewportSize({ width, height: HEIGHT })
  await page.emulateMedia({ colorScheme })
}

/** Violations of impact serious or critical that axe finds, one line each. */
export const axeProblems = async (page: Page): Promise<string[]> => (await checkAllRules(page)).lines

export const contrastProblems = async (page: Page): Promise<string[]> => (await checkContrast(page)).lines

const checkAllRules = (page: Page) => check(page, { onlyContrast: false })
const checkContrast = (page: Page) => check(page, { onlyContrast: true })

/**
 * Contrast takes two thirds of the time of axe, and most texts of a page look like those of the pages before. So axe checks only
 * texts in styles that it has not yet found readable in this test run.
 */
async function check(page: Page, { onlyContrast }: { onlyContrast: boolean }): Promise<Checked> {
  readSharedStyles()
  const { styles, texts } = await page.evaluate(findTextStyles)
  const unknown = styles.filter((style) => !readable.has(digestOf(style)))
  if (onlyContrast && unknown.length === 0) return { lines: [], isDecided: true, texts }
  await loadAxe(page)
  const { violations, undecided } = await page.evaluate(runAxe, { styles: unknown, onlyContrast })
  addReadable(unknown.filter((style) => !undecided.includes(style)).map(digestOf))
  return { lines: listProblems(violations), isDecided: undecided.length === 0, texts }
}

/** Runs in the page. */
async function runAxe({ styles, onlyContrast }: { styles: string[]; onlyContrast: boolean }) {
  const { axe, textsByStyle } = globalThis as unknown as Global
  const { rules } = axe._audit
  const contrast = rules.find(({ id }) => id === 'color-contrast')!
  const checked = new Set(styles.flatMap((style) => textsByStyle.get(style)!))
  // Of other rules nothing would be listed: the impact of a rule is the impact of all its violations.
  const unwanted = rules.filter(
    (rule) => rule.impact === 'minor' || rule.impact === 'moderate' || (rule === contrast && checked.size === 0),
  )
  const { matches } = contrast
  contrast.matches = (element, ...rest) => checked.has(element) && matches.call(contrast, element, ...rest)
  const results = await axe
    .run(onlyContrast ? { include: [...checked] } : document, {
      ...(onlyContrast
        ? { runOnly: [contrast.id] }
        : { rules: Object.fromEntries(unwanted.map(({ id }) => [id, { enabled: false }])) }),
      resultTypes: ['violations', 'incomplete'],
      elementRef: true,
    })
    .finally(() => {
      contrast.matches = matches
    })
  const elementsOf = (found: axeCore.Result[]) =>
    new Set(found.filter(({ id }) => id === contrast.id).flatMap(({ nodes }) => nodes.map(({ element }) => element as Element)))
  const [pale, open] = [elementsOf(results.violations), elementsOf(results.incomplete)]
  // One readable text decides about its style: axe cannot judge a text that is scrolled half out of its box.
  const undecided = styles.filter((style) => {
    const texts = textsByStyle.get(style)!
    return texts.some((text) => pale.has(text)) || texts.every((text) => open.has(text))
  })
  // Only this leaves the page: the rest of the report is many times larger.
  const violations: Violation[] = results.violations.flatMap(({ id, impact, nodes }) =>
    nodes.map((node) => ({ id, impact, target: node.target.join(' '), summary: node.failureSummary ?? '' })),
  )
  return { violations, undecided }
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

/** For a context in which most pages are checked: sending axe to each of them takes longer than running it. */
export async function preloadAxe(context: BrowserContext): Promise<void> {
  await context.addInitScript({ content: AXE_SOURCE })
}

async function loadAxe(page: Page): Promise<void> {
  // Evaluated and not added as a script element: the page's content security policy stays on.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(`${AXE_SOURCE}; undefined`)
}

function listProblems(violations: Violation[]): string[] {
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, target, summary }) => `${id}: ${target} ${summary.replace(/\s+/g, ' ')}`)
}

/**
 * Runs in the page. The style of a text is all that its contrast depends on: its colour and font, and every element around it that
 * paints or blends. An element that may be placed over others counts with its classes: its place decides what is behind the text.
 * Texts on an image of their own are left out, because axe never judges them. The texts of each style stay in the page for `runAxe`.
 * `texts` are the styles of all texts, also of hidden ones, with the names and classes of the elements around them: texts that are
 * equal in one layout are equal in the others.
 */
function findTextStyles(): { styles: string[]; texts: string[] } {
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
  const styles = new Map<Element, string>()
  const styleOf = (element: Element): string => {
    const style = styles.get(element) ?? describeStyle(element)
    styles.set(element, style)
    return style
  }
  const describeStyle = (element: Element): string => {
    const computed = getComputedStyle(element)
    const label = element instanceof HTMLLabelElement && element.control?.matches(':disabled')
    // Large texts need less contrast (WCAG 1.4.3); rounded as axe does it.
    const points = Math.ceil(Number.parseFloat(computed.fontSize) * 72) / 96
    const isLarge = points >= (Number(computed.fontWeight) >= 700 ? 14 : 18)
    return [
      surroundingsOf(element),
      element.matches('input, select, textarea, button') && `${element.tagName} ${element.getAttribute('type')}`,
      label || element.matches(':disabled, [aria-disabled=true]'),
      computed.color,
      isLarge,
      computed.textShadow !== 'none' && `${computed.textShadow} ${computed.fontSize}`,
    ].join('|')
  }
  const hasText = (element: Element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== '')
  const classes = new Map<Element | null, string>([[null, '']])
  const classesAround = (element: Element | null): string => {
    const found = classes.get(element)
    if (found !== undefined) return found
    const path = `${classesAround(element!.parentElement)} ${element!.tagName}.${element!.getAttribute('class') ?? ''}`
    classes.set(element, path)
    return path
  }
  const all = [...document.body.querySelectorAll('*')].filter(hasText)
  const shown = all.filter((element) => element.checkVisibility() && getComputedStyle(element).backgroundImage === 'none')
  const textsByStyle = Map.groupBy(shown, styleOf)
  Object.assign(globalThis, { textsByStyle })
  return {
    styles: [...textsByStyle.keys()],
    texts: [...new Set(all.map((element) => `${styleOf(element)} ${classesAround(element)}`))],
  }
}
