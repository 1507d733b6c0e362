import type { RequestContext } from '#platform/auth/context.ts'
import { addDays, type Day, readDay, startOfDay } from '#platform/i18n/days.ts'
import { OWN_STATES, type WideFilter } from '../queries/filters.ts'
import type { FilterChoice } from '../views/event-filters.ts'

const LONGEST_SEARCH = 200
const MOST_TERMS = 10
const MOST_TYPES = 50
const WHOSE = ['ours', 'others'] as const

const readId = (text: string): number[] => (/^[1-9]\d{0,14}$/.test(text) ? [Number(text)] : [])

/** People edit addresses by hand; what cannot be understood is as good as absent. */
export function readChoice(raw: URLSearchParams, { isPast }: { isPast: boolean }): FilterChoice {
  const state = OWN_STATES.find((known) => known === raw.get('state'))
  return {
    // No text in the database holds the null character, and asking for it is an error there.
    q: (raw.get('q') ?? '').replaceAll('\0', '').trim().slice(0, LONGEST_SEARCH),
    types: [...new Set(raw.getAll('type').flatMap(readId))].slice(0, MOST_TYPES),
    from: readDay(raw.get('from')),
    until: readDay(raw.get('until')),
    // Nobody can sign up for what is over, or be missing there.
    state: isPast && state === 'decide' ? undefined : state,
    fits: !isPast && raw.get('fits') === '1',
    needs: !isPast && raw.get('needs') === '1',
    whose: WHOSE.find((known) => known === raw.get('whose')),
  }
}

export const readPage = (raw: URLSearchParams, most: number): number => {
  const text = raw.get('page') ?? ''
  return /^\d{1,15}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : 1
}

export function filterOf({ q, types, state, fits, needs, whose }: FilterChoice): WideFilter {
  const terms = q.split(/\s+/).filter(Boolean).slice(0, MOST_TERMS)
  return { terms, typeIds: types, state, needsPeople: needs, fitsMe: fits, whose: whose ?? 'all' }
}

/** Days as moments of the instance's zone; the last day counts whole. */
export function periodOf({ site }: RequestContext, { from, until }: { from: Day | undefined; until: Day | undefined }) {
  return {
    from: from === undefined ? undefined : startOfDay(from, site.timeZone),
    until: until === undefined ? undefined : startOfDay(addDays(until, 1), site.timeZone),
  }
}
