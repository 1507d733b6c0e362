import { type Html, html } from '#platform/html/html.ts'
import { buttonView, fieldRowView, formView } from '#platform/ui/form.ts'
import { fieldValue } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { REPEATS } from '../rules/recurrence.ts'
import { changeView, type FormContext, makeFields, panelView } from './fields.ts'

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
    submit: { label: words.t('plan.make_copies'), name: 'do', value: 'copy' },
    extra: buttonView({ label: words.t('plan.look'), kind: 'secondary', name: 'do', value: 'look' }),
    fields: html`<button class="plan-default" name="do" value="look" tabindex="-1" aria-hidden="true">${words.t('plan.look')}</button>
<div id="plan-body">${date('first', words.t('plan.first'), { help: data.firstHelp })}
<div class="plan-choice">${select(
      'every',
      words.t('plan.every'),
      REPEATS.map((value) => ({ value, label: words.t(`plan.every.${value}`) })),
    )}${changeView(words)}</div>
${panelView({
  of: 'every',
  when: ['day', 'week', 'month'],
  isShown: every !== 'once' && every !== '',
  body: html`${fieldRowView(
    number('interval', words.t('plan.interval'), { min: 1, max: 366, help: words.t('plan.interval_help') }),
    html`<div class="plan-choice">${select(
      'ends',
      words.t('plan.ends'),
      (['times', 'until'] as const).map((value) => ({ value, label: words.t(`plan.ends.${value}`) })),
    )}${changeView(words)}</div>`,
  )}${panelView({ of: 'ends', when: ['times'], isShown: ends !== 'until', body: number('times', words.t('plan.times'), { min: 1, max: 1000 }) })}${panelView({ of: 'ends', when: ['until'], isShown: ends === 'until', body: date('until', words.t('plan.last_day')) })}`,
})}
${area('singles', words.t('plan.singles'), { help: words.t('plan.singles_help'), rows: 3 })}</div>`,
  })}</div>
<aside class="plan-preview" id="plan-preview" tabindex="0" aria-label="${words.t('plan.dates', { count: dates.length })}"><p class="plan-preview-head">${iconView('calendar-days', { size: 18 })}${dates.length ? words.t('plan.dates', { count: dates.length }) : words.t('plan.dates_none')}</p>
${dates.length > 0 && html`<ol class="plan-dates">${dates.slice(0, SHOWN).map((text) => html`<li>${text}</li>`)}</ol>`}
${dates.length > SHOWN && html`<p>${words.t('plan.dates_more', { count: dates.length - SHOWN })}</p>`}</aside></div>`
}
