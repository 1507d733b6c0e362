import type { RequestContext } from '#platform/auth/context.ts'
import { html } from '#platform/html/html.ts'
import { addDays, type Day, startOfDay } from '#platform/i18n/days.ts'
import { readFilterDays } from '#platform/i18n/filter-days.ts'
import { readId } from '#platform/ids.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { type EventFilter, OWN_STATES } from '../queries/filters.ts'
import type { FilterChoice } from '../views/event-filters.ts'

const MAX_SEARCH_LENGTH = 200
const MAX_TERMS = 10
const MAX_TYPES = 50
/** Styles of filters and calendars. */
export const FILTER_STYLES = html`<link rel="stylesheet" href="${assetUrl('find.css')}">`

const WHOSE = ['ours', 'others'] as const

/** Ignores choices it does not know: people edit URLs by hand. The page names days that cannot be read. */
export function readChoice(raw: URLSearchParams, { isPast, today }: { isPast: boolean; today: Day }): FilterChoice {
  const days = readFilterDays(raw, { first: 'from', last: 'until' }, isPast ? { until: today } : { from: today })
  const state = OWN_STATES.find((known) => known === raw.get('state'))
  return {
    // PostgreSQL rejects the null character in text.
    q: (raw.get('q') ?? '').replaceAll('\0', '').trim().slice(0, MAX_SEARCH_LENGTH),
    types: [...new Set(raw.getAll('type').flatMap((id) => readId(id) ?? []))].slice(0, MAX_TYPES),
    from: days.first,
    until: days.last,
    faults: days.faults,
    // Past events have no open requests, and nobody can sign up.
    state: isPast && state === 'decide' ? undefined : state,
    fits: !isPast && raw.get('fits') === '1',
    needs: !isPast && raw.get('needs') === '1',
    all: raw.get('all') === '1',
    whose: WHOSE.find((known) => known === raw.get('whose')),
  }
}

export const readPage = (raw: URLSearchParams, most: number): number => {
  const text = raw.get('page') ?? ''
  return /^\d{1,15}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : 1
}

export function filterOf({ q, types, state, fits, needs, whose }: FilterChoice): EventFilter {
  const terms = q.split(/\s+/).filter(Boolean).slice(0, MAX_TERMS)
  return { terms, typeIds: types, state, needsPeople: needs, fitsMe: fits, whose: whose ?? 'all' }
}

/** Days in the time zone of the instance, as instants; the last day is included. */
export function periodOf({ site }: RequestContext, { from, until }: { from: Day | undefined; until: Day | undefined }) {
  return {
    from: from === undefined ? undefined : startOfDay(from, site.timeZone),
    until: until === undefined ? undefined : startOfDay(addDays(until, 1), site.timeZone),
  }
}

/** Where a search continues: always later than before, even if one day has more than one search judges. */
export const nextDay = (day: Day, from: Day | undefined): Day => (from !== undefined && day <= from ? addDays(from, 1) : day)
