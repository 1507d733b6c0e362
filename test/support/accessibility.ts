import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type axeCore from 'axe-core'
import type { Page } from 'playwright-core'
import { overflowing } from './browser.ts'

/** The minified file: browsers parse it anew on every page. */
const AXE_SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Styles of texts that axe found readable, or to which contrast does not apply. */
const readable = new Set<string>()

/** In the page. */
type Global = { axe: typeof axeCore; textsByStyle: Map<string, Element[]> }

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
    const found = await axe.run({ resultTypes: ['violations'], rules: { 'color-contrast': { enabled: false } } })
    return found.violations
  })
  return [...listProblems(violations), ...(await contrastProblems(page))]
}

/**
 * Contrast takes two thirds of the time of axe, and most texts of a page look like those of the pages before. So axe checks only
 * texts in styles that it has not yet found readable in this process.
 */
export async function contrastProblems(page: Page): Promise<string[]> {
  await loadAxe(page)
  const unknown = (await page.evaluate(findTextStyles)).filter((style) => !readable.has(style))
  if (unknown.length === 0) return []
  const { violations, undecided } = await page.evaluate(async (styles) => {
    const { axe, textsByStyle } = globalThis as unknown as Global
    const include = styles.flatMap((style) => textsByStyle.get(style)!)
    const { violations, incomplete } = await axe.run(
      { include },
      { runOnly: ['color-contrast'], resultTypes: ['violations', 'incomplete'], elementRef: true },
    )
    const open = new Set([...violations, ...incomplete].flatMap(({ nodes }) => nodes.map(({ element }) => element)))
    const undecided = styles.filter((style) => textsByStyle.get(style)!.some((text) => open.has(text as HTMLElement)))
    for (const node of violations.flatMap(({ nodes }) => nodes)) delete node.element
    return { violations, undecided }
  }, unknown)
  for (const style of unknown) if (!undecided.includes(style)) readable.add(style)
  return listProblems(violations)
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
 * Runs in the page. The style of a text is all that its contrast depends on: classes, colours, opacity, font and position of its
 * element and of all elements around it. Styles leave the page as digests; the texts of each one stay for `contrastProblems`.
 */
async function findTextStyles(): Promise<string[]> {
  const known = new Map<Element, string>()
  const styleOf = (element: Element): string => {
    const found = known.get(element)
    if (found !== undefined) return found
    const computed = getComputedStyle(element)
    const label = element instanceof HTMLLabelElement && element.control?.matches(':disabled')
    const style = [
      element.parentElement ? styleOf(element.parentElement) : '',
      element.tagName,
      element.getAttribute('class'),
      element.getAttribute('type'),
      label || element.matches(':disabled, [aria-disabled=true]'),
      computed.color,
      computed.backgroundColor,
      computed.backgroundImage,
      computed.opacity,
      computed.fontSize,
      computed.fontWeight,
      computed.textShadow,
      computed.filter,
      computed.mixBlendMode,
      computed.position,
    ].join('|')
    known.set(element, style)
    return style
  }
  const hasText = (element: Element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue!.trim() !== '')
  const shown = [...document.body.querySelectorAll('*')].filter((element) => hasText(element) && element.checkVisibility())
  const groups = Map.groupBy(shown, styleOf)
  const digest = async (text: string) => {
    const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
    return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  const entries = await Promise.all([...groups].map(async ([style, texts]) => [await digest(style), texts] as const))
  const textsByStyle = new Map(entries)
  Object.assign(globalThis, { textsByStyle })
  return [...textsByStyle.keys()]
}
