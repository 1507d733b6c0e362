import { eventPath } from '#features/events/events/rules/slug.ts'
import { type FormContext, makeFields } from '#features/planning/shift-forms/views/fields.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { buttonView, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { CopyLine } from '../queries/copies.ts'
import { writeIdRanges } from '../rules/id-ranges.ts'
import { datesView, ruleFieldsView } from './rule.ts'

export type CopyData = FormContext & {
  csrfToken: string
  action: string
  title: string
  facts: string
  intro: string
  firstHelp: string
  back: string
  /** Whether the copies can become a series. */
  canLink: boolean
  /** Already in words. */
  dates: readonly string[]
  rule: string | undefined
}

export function copyView(data: CopyData): Html {
  const { words, errors, csrfToken, action } = data
  const { check } = makeFields(data)
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
<div id="plan-body">${ruleFieldsView(data, { firstHelp: data.firstHelp })}
${data.canLink && check('linked', words.t('series.link'), { help: words.t('series.link_help') })}</div>`,
  })}</div>
${datesView(data)}</div>`
}

export const COPIES = '/events/copies/'

export function copiesView({
  words,
  now,
  csrfToken,
  copies,
}: {
  words: Words
  now: Date
  csrfToken: string
  copies: readonly CopyLine[]
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
  return html`${pageHeadView({ title: words.t('series.copies'), facts, actions: [publish] })}${tableView<CopyLine>({
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
