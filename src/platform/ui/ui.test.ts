import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Html, html, renderHtml } from '#platform/html/html.ts'
import { LANGUAGES } from '#platform/i18n/catalogue.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { assetFiles, assetUrl, pageAssets } from './assets.ts'
import { initialsOf } from './avatar.ts'
import { dotView } from './colour.ts'
import { eventListView } from './event-row.ts'
import { selectField, textareaField, textField } from './fields.ts'
import { flashView } from './flash.ts'
import { formView } from './form.ts'
import { bareLayoutView, type LayoutData, layoutView, type NavItem } from './layout.ts'
import { pagerView } from './pager.ts'
import { shiftCardView } from './shift-card.ts'
import { staffingState, staffingText } from './staffing.ts'
import { styleguidePages, styleguideView } from './styleguide.ts'
import { SAMPLE_EVENTS, SAMPLE_NOW, SAMPLE_SHIFTS } from './styleguide-data.ts'

const EVIL = `"><script>alert('x')</script><b title='`
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

describe('views are well-formed', () => {
  for (const language of LANGUAGES) {
    const local = wordsFor(language, 'Europe/Berlin')
    const person = { name: EVIL, links: [navItem(EVIL)] }
    const full = { words: local, person, bell: { href: '/', count: 3 }, search: { action: '/search/', value: EVIL } }
    test(`the styleguide in ${language}`, () => assert.deepEqual(checkMarkup(page(styleguideView(local), full)), []))
    for (const [name, view] of Object.entries(styleguidePages(local))) {
      test(`${name} in ${language}`, () => {
        assert.deepEqual(checkMarkup(page(view, full)), [])
        const bare = { words: local, title: name, siteName: 'Turnout', nonce: 'n', assets: pageAssets(), main: view, footer: 'x' }
        assert.deepEqual(checkMarkup(renderHtml(bareLayoutView(bare))), [])
      })
    }
  }
})

test('user input is escaped in every component', () => {
  const staffing = { confirmed: 1, requested: 1, minimum: 2, maximum: 2 }
  const [event, shift] = [SAMPLE_EVENTS[0]!, SAMPLE_SHIFTS[0]!]
  const evilEvent = {
    ...event,
    href: EVIL,
    title: EVIL,
    location: EVIL,
    type: { name: EVIL, colour: EVIL },
    own: { tone: 'good' as const, text: EVIL },
  }
  const evilShift = {
    ...shift,
    href: EVIL,
    title: EVIL,
    location: EVIL,
    colour: EVIL,
    staffing,
    positions: [{ label: EVIL, person: EVIL }],
    reason: { text: EVIL, link: { href: EVIL, label: EVIL } },
  }
  const main = html`<h1>${EVIL}</h1>${eventListView({ words, now: SAMPLE_NOW, heading: EVIL, events: [evilEvent] })}${shiftCardView({ words, now: SAMPLE_NOW, shift: evilShift })}${flashView({ words, csrfToken: EVIL, flash: { kind: 'good', text: EVIL, undo: { action: EVIL, fields: { [EVIL]: EVIL } } } })}${formView(
    {
      words,
      action: EVIL,
      csrfToken: EVIL,
      submit: EVIL,
      errors: [{ field: EVIL, text: EVIL }],
      fields: html`${textField({ words, name: EVIL, label: EVIL, value: EVIL, help: EVIL, error: EVIL })}${textareaField({ words, name: 'b', label: EVIL, value: `</textarea>${EVIL}` })}${selectField({ words, name: 'c', label: EVIL, value: EVIL, options: [{ value: EVIL, label: EVIL }] })}`,
    },
  )}`
  const markup = page(main, { title: EVIL, siteName: EVIL, breadcrumb: [{ href: EVIL, label: EVIL }], currentPath: EVIL })
  assert.deepEqual(checkMarkup(markup), [])
  assert.doesNotMatch(markup, /<script>alert|<b title/)
})

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
  test('staffing shows missing, free and full', () => {
    const say = (confirmed: number, minimum: number, maximum: number | null, requested = 0) => [
      staffingState(words, { confirmed, requested, minimum, maximum }).text,
      staffingText(words, { confirmed, requested, minimum, maximum }),
    ]
    assert.deepEqual(say(6, 8, 8, 3), ['2 missing', '6 of 8 · 3 requested'])
    assert.deepEqual(say(4, 4, 6), ['2 places free', '4 of 6'])
    assert.deepEqual(say(8, 6, 8), ['full', '8 of 8'])
    assert.deepEqual(say(9, 6, 8), ['full', '9 confirmed'])
    assert.deepEqual(say(3, 2, null), ['enough people', '3 confirmed'])
    assert.deepEqual(say(3, 0, null), ['open to all', '3 confirmed'])
    const extra = { confirmed: 0, extra: 1, requested: 0, minimum: 3, maximum: 3 }
    assert.deepEqual([staffingState(words, extra).text, staffingText(words, extra)], ['3 missing', '0 of 3 + 1 extra'])
    const atTimes = { confirmed: 3, requested: 0, minimum: 2, maximum: null, shortfall: 1 }
    assert.deepEqual(staffingState(words, atTimes), { tone: 'bad', text: '1 missing at times' })
  })

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
