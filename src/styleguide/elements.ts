import { eventListView } from '#features/events/events/views/event-row.ts'
import { shiftCardView } from '#features/events/events/views/shift-card.ts'
import { staffingBadgeView, staffingView } from '#features/staffing/staffing/views/staffing.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { avatarView } from '#platform/ui/avatar.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView, gridView } from '#platform/ui/card.ts'
import { dotView } from '#platform/ui/colour.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { copyView } from '#platform/ui/copy.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { errorView } from '#platform/ui/error.ts'
import { flashView } from '#platform/ui/flash.ts'
import { buttonView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { ICON_NAMES, iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { progressView } from '#platform/ui/progress.ts'
import { tableView } from '#platform/ui/table.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import { fieldsSample, formSample } from './forms.ts'
import { SAMPLE_EVENTS, SAMPLE_NOW, SAMPLE_PEOPLE, SAMPLE_SHIFTS, SAMPLE_STAFFING } from './samples.ts'

const CSRF = 'sample'

/** Every element in every state, as the `main` of a layout. */
export function styleguideView(words: Words): Html {
  return html`${pageHeadView({
    title: 'City marathon',
    badge: badgeView({ tone: 'good', text: 'You: confirmed', icon: 'check' }),
    facts: `${words.span(SAMPLE_SHIFTS[0]!.start, SAMPLE_SHIFTS[2]!.end, SAMPLE_NOW)} · Stadium · ${words.relative(SAMPLE_SHIFTS[0]!.start, SAMPLE_NOW)}`,
    actions: [
      linkButtonView({ href: '#', label: 'Print roster', icon: 'printer' }),
      linkButtonView({ href: '#', label: 'Edit event', icon: 'pencil', kind: 'primary' }),
    ],
  })}
${tabsView({
  label: 'Event',
  tabs: [
    { href: '#', label: 'Shifts', count: 3, current: true },
    { href: '#', label: 'People', count: 24 },
    { href: '#', label: 'History' },
  ],
})}
${section('Shift cards', gridView(...SAMPLE_SHIFTS.map((shift) => shiftCardView({ words, now: SAMPLE_NOW, shift: { ...shift, level: 3, actions: shiftActions(shift.own !== undefined) } }))))}
${section('Event rows', eventListView({ words, now: SAMPLE_NOW, events: SAMPLE_EVENTS }))}
${section('Table', tableSample(words))}
${section('Messages', messages(words))}
${section('Badges and staffing', badges(words))}
${section('Buttons', buttons())}
${section('Form', formSample(words))}
${section('Fields', fieldsSample(words))}
${section('Cards', cards(words))}
${section('Text', markdownView('A paragraph with *emphasis*, **weight**, `code` and [a link](https://example.org).\n\n# A heading\n\n- one\n- two\n\n> said by somebody'))}
${section('Icons', html`<p class="cluster">${ICON_NAMES.map((name) => iconView(name, { title: name }))}</p>`)}`
}

/** Pages with their own h1, each shown in its own layout. */
export function styleguidePages(words: Words): Record<string, Html> {
  return {
    confirm: confirmView({
      words,
      title: 'Delete City marathon?',
      text: 'Sat 14 Nov, 3 shifts.',
      consequences: [
        '24 people lose their shift and get a mail.',
        'The event disappears from every calendar.',
        'This cannot be undone.',
      ],
      action: '#',
      csrfToken: CSRF,
      submit: 'Delete event',
      cancel: { href: '#', label: 'Keep it' },
    }),
    context: confirmView({
      words,
      title: 'Publish now?',
      consequences: ['Everybody in North can see it.'],
      action: '#',
      csrfToken: CSRF,
      submit: 'Publish event',
      danger: false,
      cancel: { href: '#' },
    }),
    error: errorView({
      words,
      status: 404,
      title: 'There is no such page',
      text: 'It may have been moved.',
      requestId: 'req-7f3a',
    }),
    failure: errorView({
      words,
      status: 500,
      title: 'Something broke',
      text: 'We wrote it down.',
      action: { href: '#', label: 'Try again' },
    }),
  }
}

function section(title: string, body: Child): Html {
  return html`<section class="sample"><h2>${title}</h2>${body}</section>`
}

function shiftActions(isIn: boolean): Html {
  return isIn
    ? html`${linkButtonView({ href: '#', label: 'Details' })}${postButtonView({ action: '#', csrfToken: CSRF, label: "Can't come", kind: 'quiet' })}`
    : html`${postButtonView({ action: '#', csrfToken: CSRF, label: 'Sign up', fields: { shift: 7 } })}${linkButtonView({ href: '#', label: 'Details', kind: 'quiet' })}`
}

function tableSample(words: Words): Html {
  return html`${tableView({
    caption: 'People',
    rows: SAMPLE_PEOPLE,
    columns: [
      {
        label: 'Name',
        cell: ({ name }) => html`<span class="person-line">${avatarView({ name })}<a href="#">${name}</a></span>`,
      },
      { label: 'Groups', cell: ({ groups }) => words.list(groups) },
      { label: 'State', cell: ({ state }) => badgeView(state) },
      { label: 'Hours', cell: ({ hours }) => words.number(hours), numeric: true },
      {
        label: words.t('ui.actions'),
        cell: () => linkButtonView({ href: '#', label: 'Edit', small: true, kind: 'quiet' }),
        actions: true,
      },
    ],
  })}${pagerView({ words, page: 2, pageSize: 25, total: 1234, href: (page) => `?page=${page}` })}`
}

function messages(words: Words): Html {
  const shown = [
    { kind: 'good', text: 'You are signed up for Sat 14 Nov.', undo: { action: '#', fields: { shift: '7' } } },
    { kind: 'info', text: 'The event is a draft; only planners see it.' },
    { kind: 'warn', text: 'Two people requested a place for the same time.' },
    { kind: 'bad', text: 'The shift is full. Nothing was changed.' },
  ] as const
  return html`${shown.map((flash) => flashView({ words, flash, csrfToken: CSRF }))}
${emptyView({ icon: 'calendar-off', text: 'No events yet. The first one takes a minute.', action: linkButtonView({ href: '#', label: 'New event', kind: 'primary', icon: 'plus' }) })}`
}

function badges(words: Words): Html {
  return html`<div class="stack"><p class="cluster">${badgeView({ tone: 'good', text: 'confirmed', icon: 'check' })}${badgeView({ tone: 'warn', text: 'requested, not yet decided', icon: 'hourglass' })}${badgeView({ tone: 'bad', text: '2 missing' })}${badgeView({ tone: 'info', text: 'from Nord', icon: 'network' })}${badgeView({ tone: 'quiet', text: 'past' })}<span class="event-type">${dotView('#c0392b')}First aid</span>${dotView(null, 'No type')}</p>
${SAMPLE_STAFFING.map((staffing) => html`<div class="cluster">${staffingBadgeView({ words, staffing })}${staffingView({ words, staffing })}</div>`)}
${progressView({ words, label: 'Importing people', done: 340, total: 1200 })}${progressView({ words, label: 'Looking for matches', done: 12 })}</div>`
}

function buttons(): Html {
  return html`<p class="cluster">${buttonView({ label: 'Publish event' })}${buttonView({ label: 'Save draft', kind: 'secondary' })}${buttonView({ label: 'Delete', kind: 'danger', icon: 'trash-2' })}${buttonView({ label: 'Details', kind: 'quiet' })}${buttonView({ label: 'Small', small: true, icon: 'plus' })}${buttonView({ label: 'Not now', attributes: { disabled: true } })} <small>Sign-up closed on Fri 13 Nov.</small></p>`
}

function cards(words: Words): Html {
  return gridView(
    cardView({
      title: 'About',
      aside: html`<a href="#">Edit</a>`,
      body: factListView([
        { name: 'Responsible', value: 'Paul Plan' },
        { name: 'Seen by', value: words.list(['North', 'South', 'Drivers']) },
        { name: 'Created', value: words.dateTime(SAMPLE_NOW) },
      ]),
    }),
    cardView({
      title: 'Your calendar',
      body: copyView({
        words,
        id: 'feed',
        label: 'Address',
        value: 'https://turnout.example/calendar/4f8a2c/',
        help: 'Anyone who has it can read your shifts.',
      }),
      footer: linkButtonView({ href: '#', label: 'New address', small: true, icon: 'refresh-cw' }),
    }),
  )
}
