import '#app'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventListView } from '#features/events/events/views/event-row.ts'
import { shiftCardView } from '#features/events/events/views/shift-card.ts'
import { type Html, html, renderHtml } from '#platform/html/html.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { pageAssets } from '#platform/ui/assets.ts'
import { selectField, textareaField, textField } from '#platform/ui/fields.ts'
import { flashView } from '#platform/ui/flash.ts'
import { formView } from '#platform/ui/form.ts'
import { bareLayoutView, type LayoutData, layoutView, type NavItem } from '#platform/ui/layout.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { styleguidePages, styleguideView } from './elements.ts'
import { SAMPLE_EVENTS, SAMPLE_NOW, SAMPLE_SHIFTS } from './samples.ts'

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
  for (const language of SOURCE_LANGUAGES) {
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
