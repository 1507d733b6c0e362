import { eventPath } from '#features/events/rules/slug.ts'
import { changeView, type FormContext, makeFields, panelView } from '#features/planning/views/fields.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { buttonView, fieldRowView, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { fieldValue } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { writeIdRanges } from './rules/id-ranges.ts'
import { REPEATS } from './rules/recurrence.ts'

export type CopyData = FormContext & {
  csrfToken: string
  action: string
  title: string
  facts: string
  intro: string
  firstHelp: string
  back: string
  /** Already in words. */
  dates: readonly string[]
}

const SHOWN = 60

export function copyView(data: CopyData): Html {
  const { words, values, errors, csrfToken, action, dates } = data
  const { date, select, number, area } = makeFields(data)
  const every = fieldValue(values, 'every')
  const ends = fieldValue(values, 'ends')
  return html`${pageHeadView({ title: data.title, facts: data.facts })}
<div class="plan"><div class="plan-main"><p>${data.intro}</p>${formView({
    words,
    csrfToken,
    errors,
    action,
    cancel: { href: data.back },
    id: 'plan',
    attributes: { 'data-plan': true },
    submit: { label: words.t('series.make_copies'), name: 'do', value: 'copy' },
    extra: buttonView({ label: words.t('series.look'), kind: 'secondary', name: 'do', value: 'look' }),
    fields: html`<button class="plan-default" name="do" value="look" tabindex="-1" aria-hidden="true">${words.t('series.look')}</button>
<div id="plan-body">${date('first', words.t('series.first'), { help: data.firstHelp })}
<div class="plan-choice">${select(
      'every',
      words.t('series.every'),
      REPEATS.map((value) => ({ value, label: words.t(`series.every.${value}`) })),
    )}${changeView(words)}</div>
${panelView({
  of: 'every',
  when: ['day', 'week', 'month'],
  isShown: every !== 'once' && every !== '',
  body: html`${fieldRowView(
    number('interval', words.t('series.interval'), { min: 1, max: 366, help: words.t('series.interval_help') }),
    html`<div class="plan-choice">${select(
      'ends',
      words.t('series.ends'),
      (['times', 'until'] as const).map((value) => ({ value, label: words.t(`series.ends.${value}`) })),
    )}${changeView(words)}</div>`,
  )}${panelView({ of: 'ends', when: ['times'], isShown: ends !== 'until', body: number('times', words.t('series.times'), { min: 1, max: 1000 }) })}${panelView({ of: 'ends', when: ['until'], isShown: ends === 'until', body: date('until', words.t('series.last_day')) })}`,
})}
${area('singles', words.t('series.singles'), { help: words.t('series.singles_help'), rows: 3 })}</div>`,
  })}</div>
<aside class="plan-preview" id="plan-preview" tabindex="0" aria-label="${words.t('series.dates', { count: dates.length })}"><p class="plan-preview-head">${iconView('calendar-days', { size: 18 })}${dates.length ? words.t('series.dates', { count: dates.length }) : words.t('series.dates_none')}</p>
${dates.length > 0 && html`<ol class="plan-dates">${dates.slice(0, SHOWN).map((text) => html`<li>${text}</li>`)}</ol>`}
${dates.length > SHOWN && html`<p>${words.t('series.dates_more', { count: dates.length - SHOWN })}</p>`}</aside></div>`
}

export const COPIES = '/events/copies/'

type CopyRow = { id: number; title: string; start: Date | null; shifts: number; active: boolean }

export function copiesView({
  words,
  now,
  csrfToken,
  copies,
}: {
  words: Words
  now: Date
  csrfToken: string
  copies: readonly CopyRow[]
}): Html {
  const drafts = copies.filter(({ active }) => !active)
  if (!copies.length) {
    const action = linkButtonView({ href: '/events/', label: words.t('event.all_events') })
    return html`${pageHeadView({ title: words.t('series.copies') })}${emptyView({ icon: 'calendar-off', text: words.t('series.copies_none'), action })}`
  }
  const publish =
    drafts.length > 0 &&
    postButtonView({
      action: `${COPIES}publish/`,
      csrfToken,
      fields: { ids: writeIdRanges(copies.map(({ id }) => id)) },
      label: words.t('series.publish_all', { count: drafts.length }),
      icon: 'send',
    })
  const facts = drafts.length ? words.t('series.copies_drafts', { count: drafts.length }) : words.t('series.copies_done')
  return html`${pageHeadView({ title: words.t('series.copies'), facts, actions: [publish] })}${tableView<CopyRow>({
    caption: words.t('series.copies'),
    rows: copies,
    columns: [
      { label: words.t('series.copies_when'), cell: ({ start }) => (start ? words.day(start, now) : '–') },
      {
        label: words.t('plan.bin_event'),
        main: true,
        cell: ({ id, title }) => html`<a href="${eventPath(id, title)}">${title}</a>`,
      },
      { label: words.t('series.copies_shifts'), numeric: true, cell: ({ shifts }) => words.number(shifts) },
      {
        label: words.t('series.copies_state'),
        cell: ({ active }) =>
          active
            ? badgeView({ tone: 'good', text: words.t('series.is_published') })
            : badgeView({ tone: 'quiet', text: words.t('plan.draft') }),
      },
    ],
  })}`
}
