import { type Html, html } from '#platform/html/html.ts'
import { startOfDay, weekFor } from '#platform/i18n/days.ts'
import { localeOf } from '#platform/i18n/times.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { fieldRowView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { type AvailabilityKind, type DayPeriod, type WeeklyTime, writeClock } from '../rules/availability.ts'
import type { PrivateCalendar, UpcomingTime } from '../rules/calendars.ts'
import { periodForm, weeklyForm } from '../schema.ts'
import { calendarsView } from './calendars.ts'

export const AVAILABILITY = '/settings/availability/'

type AvailabilityData = {
  words: Words
  /** The path of the page. */
  base: string
  csrfToken: string
  weekly: readonly (WeeklyTime & { id: number })[]
  periods: readonly (DayPeriod & { id: number })[]
  now: Date
  calendars: readonly PrivateCalendar[]
  upcoming: readonly UpcomingTime[]
  weeklyState: FormState
  periodState: FormState
}

export function availabilityView(data: AvailabilityData): Html {
  const { words, base, csrfToken, weekly, periods, weeklyState, periodState } = data
  const weekdays = weekFor('en').map((day, index) => ({ value: String(index + 1), label: weekdayName(words, day) }))
  return html`${cardView({
    title: words.t('availability.weekly'),
    body: html`${entriesView(
      data,
      'weekly',
      weekly.map(({ id, kind, weekday, from, until }) => ({
        id,
        kind,
        text: `${weekdays[weekday - 1]!.label} ${writeClock(from)}–${writeClock(until)}`,
      })),
    )}${weeklyForm.view({
      words,
      csrfToken,
      action: base,
      state: weeklyState,
      submit: words.t('availability.add'),
      layout: (field) => [
        fieldRowView(field('kind'), field('weekday', { options: weekdays })),
        fieldRowView(field('from'), field('until')),
      ],
    })}`,
  })}
${cardView({
  title: words.t('availability.days'),
  body: html`${entriesView(
    data,
    'days',
    periods.map(({ id, kind, first, last }) => ({ id, kind, text: periodText(words, first, last) })),
  )}${periodForm.view({
    words,
    csrfToken,
    action: `${base}days/`,
    state: periodState,
    submit: words.t('availability.add'),
    layout: (field) => [field('days_kind'), fieldRowView(field('first'), field('last'))],
  })}`,
})}
${calendarsView(data)}`
}

const weekdayName = ({ language }: Words, day: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { weekday: 'long', timeZone: 'UTC' }).format(startOfDay(day, 'UTC'))

const periodText = (words: Words, first: string, last: string): string => {
  const text = (day: string) => words.date(startOfDay(day, words.timeZone))
  return first === last ? text(first) : `${text(first)} – ${text(last)}`
}

type Entry = { id: number; kind: AvailabilityKind; text: string }

function entriesView({ words, base, csrfToken }: AvailabilityData, part: 'weekly' | 'days', entries: readonly Entry[]): Html {
  if (entries.length === 0) return html`<p class="muted">${words.t(`availability.no_${part}`)}</p>`
  return html`<ul role="list">${entries.map(
    ({ id, kind, text }) =>
      html`<li class="cluster" id="${part}-${id}" data-row>${badgeView({ tone: kind === 'can' ? 'good' : 'bad', text: words.t(`availability.kind_${kind}`) })} <span>${text}</span> ${postButtonView(
        {
          action: `${base}${part}/${id}/delete/`,
          id: `delete-${part}-${id}`,
          csrfToken,
          label: words.t('availability.delete'),
          kind: 'quiet',
          small: true,
          icon: 'trash-2',
        },
      )}</li>`,
  )}</ul>`
}
