import { changeView, type FormContext, makeFields, panelView } from '#features/planning/shift-forms/views/fields.ts'
import { type Html, html } from '#platform/html/html.ts'
import { localeOf } from '#platform/i18n/times.ts'
import type { Words } from '#platform/i18n/words.ts'
import { fieldRowView } from '#platform/ui/form.ts'
import { fieldValue } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { DAYS_OF_MONTH, REPEATS, type Recurrence } from '../rules/recurrence.ts'
import { describeRule } from '../rules/rule-description.ts'

// Noon UTC is on the same day in nearly all time zones.
const noonOf = (date: string): Date => new Date(`${date}T12:00:00Z`)

export const dayText = (words: Words, date: string): string => words.dateTime(noonOf(date)).split(',')[0]!

/** 5 January 1970 was a Monday. */
const weekdayText = (words: Words, weekday: number): string => {
  const locale = localeOf(words.language)
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(1970, 0, 4 + weekday)))
}

const monthText = (words: Words, month: number): string => {
  const locale = localeOf(words.language)
  return new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(1970, month - 1, 15)))
}

/** “Every second week on Monday and Thursday, 12 times” */
export function ruleText(words: Words, rule: Recurrence): string {
  const { every, interval, weekdays, day, month, nth } = describeRule(rule)
  const often = interval === 1 ? words.t(`series.rule.${every}`) : words.t(`series.rule.${every}s`, { count: interval })
  const weekday = weekdayText(words, weekdays[0]!)
  const of = every === 'year' ? words.t('series.rule.of_month', { month: monthText(words, month) }) : ''
  const on =
    every === 'day'
      ? ''
      : every === 'week'
        ? words.t('series.rule.on', { days: words.list(weekdays.map((each) => weekdayText(words, each))) })
        : nth === undefined
          ? words.t('series.rule.on_day', { day: String(day) })
          : words.t('series.rule.on_nth', { nth: words.t(`series.rule.nth_${nth}`), weekday })
  const end =
    'times' in rule.end
      ? words.t('series.rule.times', { count: rule.end.times })
      : words.t('series.rule.until', { date: words.date(noonOf(rule.end.until)) })
  return `${[often, on, of].filter(Boolean).join(' ')}, ${end}`
}

export function ruleFieldsView(data: FormContext, { firstHelp }: { firstHelp: string }): Html {
  const { words, values } = data
  const { date, select, number, area, checks } = makeFields(data)
  const every = fieldValue(values, 'every')
  const ends = fieldValue(values, 'ends')
  const isMonthly = every === 'month' || every === 'year'
  return html`${date('first', words.t('series.first'), { help: firstHelp })}
<div class="plan-choice">${select(
    'every',
    words.t('series.every'),
    REPEATS.map((value) => ({ value, label: words.t(`series.every.${value}`) })),
  )}${changeView(words)}</div>
${panelView({
  of: 'every',
  when: ['week'],
  isShown: every === 'week',
  body: checks(
    'weekdays',
    words.t('series.weekdays'),
    [1, 2, 3, 4, 5, 6, 7].map((value) => ({ value, label: weekdayText(words, value) })),
  ),
})}
${panelView({
  of: 'every',
  when: ['month', 'year'],
  isShown: isMonthly,
  body: select(
    'on',
    words.t('series.on'),
    DAYS_OF_MONTH.map((value) => ({ value, label: words.t(`series.on.${value}`) })),
  ),
})}
${panelView({
  of: 'every',
  when: ['day', 'week', 'month', 'year'],
  isShown: every !== 'once' && every !== '',
  body: html`${fieldRowView(
    number('interval', words.t('series.interval'), { min: 1, max: 366, help: words.t('series.interval_help') }),
    html`<div class="plan-choice">${select(
      'ends',
      words.t('series.ends'),
      (['times', 'until'] as const).map((value) => ({ value, label: words.t(`series.ends.${value}`) })),
    )}${changeView(words)}</div>`,
  )}${panelView({ of: 'ends', when: ['times'], isShown: ends !== 'until', body: number('times', words.t('series.times'), { min: 1, max: 1000 }) })}${panelView({ of: 'ends', when: ['until'], isShown: ends === 'until', body: date('until', words.t('series.last_day')) })}
${area('skips', words.t('series.skips'), { help: words.t('series.skips_help'), rows: 2 })}`,
})}
${area('singles', words.t('series.singles'), { help: words.t('series.singles_help'), rows: 3 })}`
}

const SHOWN = 60

/** The preview of the dates, already in words. */
export function datesView({
  words,
  dates,
  rule,
  more = false,
}: {
  words: Words
  dates: readonly string[]
  rule: string | undefined
  more?: Html | false
}): Html {
  return html`<aside class="plan-preview" id="plan-preview" tabindex="0" aria-label="${words.t('series.dates', { count: dates.length })}"><p class="plan-preview-head">${iconView('calendar-days', { size: 18 })}${dates.length ? words.t('series.dates', { count: dates.length }) : words.t('series.dates_none')}</p>
${rule && html`<p>${rule}</p>`}${more}
${dates.length > 0 && html`<ol class="plan-dates">${dates.slice(0, SHOWN).map((text) => html`<li>${text}</li>`)}</ol>`}
${dates.length > SHOWN && html`<p>${words.t('series.dates_more', { count: dates.length - SHOWN })}</p>`}</aside>`
}
