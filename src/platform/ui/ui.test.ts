import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Html, html, renderHtml } from '#platform/html/html.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { assetFiles, assetUrl, pageAssets } from './assets.ts'
import { initialsOf } from './avatar.ts'
import { dotView } from './colour.ts'
import { textField } from './fields.ts'
import { type LayoutData, layoutView, type NavItem } from './layout.ts'
import { pagerView } from './pager.ts'

const words = wordsFor('en', 'Europe/Berlin')
const navItem = (label: string): NavItem => ({ href: `/${label}/`, label, icon: 'house' })

function page(main: Html, more: Partial<LayoutData> = {}): string {
  return renderHtml(
    layoutView({
      words,
      title: 'Title',
      siteName: 'Turnout',
      nonce: 'bm9uY2U=',
      assets: pageAssets(),
      nav: ['a', 'b', 'c', 'd', 'e', 'f'].map(navItem),
      csrfToken: 'token',
      currentPath: '/events/?a=1&b=2',
      version: '1.2.3',
      main,
      ...more,
    }),
  )
}

describe('layout', () => {
  test('moves items after the fourth into More, but never a single one', () => {
    const inMore = (count: number) => {
      const markup = page(html`<h1>x</h1>`, { nav: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].slice(0, count).map(navItem) })
      return markup.split('class="bottom-bar"')[1]!.split('<details')[1]?.match(/<a /g)?.length ?? 0
    }
    assert.deepEqual([4, 5, 6, 7].map(inMore), [0, 0, 2, 3])
  })

  test('signs out with a POST and a token, and returns here after signing in', () => {
    assert.match(
      page(html`<h1>x</h1>`, { person: { name: 'Ann', links: [] } }),
      /<form method="post" action="\/accounts\/logout\/"><input type="hidden" name="csrf_token" value="token">/,
    )
    assert.match(page(html`<h1>x</h1>`), /href="\/accounts\/login\/\?next=%2Fevents%2F%3Fa%3D1%26b%3D2"/)
  })

  test('refuses a nonce that could break out of its attribute', () => {
    assert.throws(() => page(html`<h1>x</h1>`, { nonce: '"><x' }), /nonce/)
  })
})

describe('components', () => {
  test('the pager is empty for one page and has no links past the ends', () => {
    const pager = (number: number, total: number) =>
      pagerView({ words, page: number, pageSize: 10, total, href: (to) => `?page=${to}` })
    assert.equal(pager(1, 10), false)
    assert.doesNotMatch(renderHtml(pager(1, 11) as Html), /rel="prev"/)
    assert.doesNotMatch(renderHtml(pager(2, 11) as Html), /rel="next"/)
  })

  test('initials come from the first and the last name', () => {
    assert.deepEqual(['Ann Berg', 'ann', 'Ana María de la Cruz', '', '😀 x'].map(initialsOf), ['AB', 'A', 'AC', '', '😀X'])
  })

  test('invalid colours are not rendered', () => {
    assert.match(renderHtml(dotView('url(#x)')), /fill="currentColor"/)
  })

  test('an error is shown at the field and announced to screen readers', () => {
    const markup = renderHtml(textField({ words, name: 'a', label: 'A', error: 'no', help: 'h', required: true }))
    assert.match(markup, /aria-describedby="field-a-error field-a-help" aria-invalid="true"/)
    assert.match(markup, /<span class="required">required<\/span>/)
  })
})

test('assets exist, have types and content-hashed URLs', () => {
  for (const { name, url, file, contentType } of assetFiles()) {
    assert.ok(existsSync(file), file)
    assert.match(url, /^\/assets\/[a-z\d-]+\.[\w-]{12}\.\w+$/)
    assert.ok(contentType.includes('/'), name)
  }
  assert.equal(pageAssets().script, assetUrl('app.js'))
})

describe('colours', () => {
  const css = readFileSync(new URL('../../../assets/app.css', import.meta.url), 'utf8')
  const tokens = new Map(
    [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(([, name, light, dark]) => [
      name!,
      { light: light!, dark: dark! },
    ]),
  )
  const grounds = ['paper', 'surface', 'sunken']
  const pairs: [string, string][] = [
    ...['ink', 'muted', 'accent', 'accent-hover', 'bad-ink', 'warn-ink', 'good-ink'].flatMap((text) =>
      grounds.map((ground): [string, string] => [text, ground]),
    ),
    ...['good', 'warn', 'bad', 'info', 'quiet'].map((tone): [string, string] => [`${tone}-ink`, `${tone}-soft`]),
    ['on-accent', 'accent'],
    ['on-accent', 'accent-hover'],
    ['on-bad', 'bad'],
    ['on-bad', 'bad-hover'],
    ['accent', 'accent-soft'],
    ['accent-hover', 'accent-soft'],
    ['ink', 'quiet-soft'],
  ]
  for (const mode of ['light', 'dark'] as const) {
    for (const [text, ground] of pairs) {
      test(`${text} on ${ground} is readable in ${mode}`, () => {
        const ratio = contrast(tokens.get(text)![mode], tokens.get(ground)![mode])
        assert.ok(ratio >= 4.5, `${ratio.toFixed(2)} : 1`)
      })
    }
    // WCAG 1.4.11: what shows where a field is needs 3 : 1.
    for (const ground of grounds) {
      test(`the border of a field is visible on ${ground} in ${mode}`, () =>
        assert.ok(contrast(tokens.get('line-strong')![mode], tokens.get(ground)![mode]) >= 3))
    }
    for (const bar of ['good', 'warn']) {
      test(`the ${bar} part of a staffing bar is visible in ${mode}`, () => {
        const ground = bar === 'warn' ? 'warn-soft' : 'surface'
        assert.ok(contrast(tokens.get(bar)![mode], tokens.get(ground)![mode]) >= (bar === 'warn' ? 2.4 : 3))
      })
    }
  }
})

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
