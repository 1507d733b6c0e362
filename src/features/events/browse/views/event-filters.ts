import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Day } from '#platform/i18n/days.ts'
import { type DayFaults, hasFaults, NO_FAULTS } from '#platform/i18n/filter-days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxField, checkboxGroup, filterDayField, hiddenField, selectField, textField } from '#platform/ui/fields.ts'
import { buttonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'

type OwnStateChoice = 'none' | 'confirmed' | 'requested' | 'in' | 'decide'

/** The filters of a list; all of them are query parameters of its URL. */
export type FilterChoice = {
  q: string
  types: readonly number[]
  from: Day | undefined
  until: Day | undefined
  /** Days that were typed and left out. */
  faults: DayFaults
  state: OwnStateChoice | undefined
  fits: boolean
  needs: boolean
  /** Where only shifts that fit are shown otherwise: the others, too. */
  all: boolean
  /** Undefined: ours and those that partners share with us. */
  whose: 'ours' | 'others' | undefined
}
/** A list and its other query parameters: the period, the page, the month. Undefined ones are left out. */
type ListUrl = { path: string; more?: Record<string, string | number | undefined> | undefined }

export const NO_FILTER: FilterChoice = {
  q: '',
  types: [],
  from: undefined,
  until: undefined,
  faults: NO_FAULTS,
  state: undefined,
  fits: false,
  needs: false,
  all: false,
  whose: undefined,
}

export function filterPath({ path, more = {} }: ListUrl, choice: Partial<FilterChoice>): string {
  const query = new URLSearchParams()
  const set = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') query.append(name, String(value))
  }
  const { when, ...rest } = more
  set('when', when)
  set('q', choice.q)
  for (const type of choice.types ?? []) set('type', type)
  set('from', choice.from)
  set('until', choice.until)
  set('state', choice.state)
  set('fits', choice.fits ? 1 : undefined)
  set('needs', choice.needs ? 1 : undefined)
  set('all', choice.all ? 1 : undefined)
  set('whose', choice.whose)
  for (const [name, value] of Object.entries(rest)) set(name, value)
  return query.size ? `${path}?${query}` : path
}

export const isNarrowed = (choice: FilterChoice): boolean => filterPath({ path: '' }, choice) !== ''

/** What a list can be filtered by, besides text, types and partners. */
type FilterData = {
  words: Words
  choice: FilterChoice
  list: ListUrl
  types: readonly { id: number; title: string }[]
  /** Shifts that fit the reader, and those that lack people. */
  toggles: readonly ('fits' | 'needs' | 'all')[]
  states: readonly OwnStateChoice[]
  /** Partners share events with us, so their events can be filtered. */
  hasPartners: boolean
  /** The calendar has its own navigation by date. */
  hasDates: boolean
}

const PLAIN_STATES = ['none', 'confirmed', 'requested', 'in'] as const

/** For lists of events and calendars. Nobody can sign up for past events, and there is nothing to decide. */
export const eventFilters = ({ isPast = false, isPlanner }: { isPast?: boolean; isPlanner: boolean }) => ({
  toggles: isPast ? [] : (['fits', 'needs'] as const),
  states: isPlanner && !isPast ? ([...PLAIN_STATES, 'decide'] as const) : PLAIN_STATES,
})

/** One control that says what is set; everything else unfolds. */
export function filtersView(data: FilterData): Html {
  const { words, choice, list } = data
  const chosen = describeChoice(data)
  const label = chosen.length ? words.t('find.filter_set', { filters: chosen.join(' · ') }) : words.t('find.filter')
  return html`<search class="finder"><details class="finder-fold" ${attrs({ open: hasFaults(choice.faults) })}><summary class="button secondary${chosen.length > 0 && ' on'}">${iconView('list-filter', { size: 18 })}<span>${label}</span>${iconView('chevron-down', { size: 18 })}</summary>${formView(data)}</details>${isNarrowed(choice) && html`<a class="clear-all" href="${filterPath(list, {})}">${words.t('find.clear')}</a>`}</search>`
}

function formView(data: FilterData): Html {
  const { words, choice, list, toggles, hasDates } = data
  const collator = new Intl.Collator(words.language)
  const types = data.types
    .map(({ id, title }) => ({ value: id, label: title }))
    .sort((a, b) => collator.compare(a.label, b.label))
  const states = data.states.map((state) => ({ value: state, label: words.t(`find.state.${state}`) }))
  const kept = Object.entries(list.more ?? {}).flatMap(([name, value]) =>
    value === undefined || name === 'page' ? [] : [hiddenField(name, value)],
  )
  return html`<form class="filters finder-form" action="${list.path}">${kept}
${textField({ words, type: 'search', name: 'q', label: words.t('event.search'), value: choice.q, attributes: { placeholder: words.t('event.search_hint'), maxlength: 200 } })}
${toggles.map((name) => checkboxField({ words, name, label: words.t(`find.${name}`), checked: choice[name], value: '1' }))}
${types.length > 0 && checkboxGroup({ words, name: 'type', label: words.t('event.type'), values: choice.types, options: types })}
${hasDates && html`${filterDayField({ words, name: 'from', label: words.t('find.from'), value: choice.from, faults: choice.faults })}${filterDayField({ words, name: 'until', label: words.t('find.until'), value: choice.until, faults: choice.faults })}`}
${states.length > 0 && selectField({ words, name: 'state', label: words.t('find.state'), value: choice.state ?? '', options: states, placeholder: words.t('find.state.any') })}
${data.hasPartners && whoseField(words, choice)}
<div class="filter-actions">${buttonView({ label: words.t('event.filter'), icon: 'search' })}</div></form>`
}

const whoseField = (words: Words, { whose }: FilterChoice): Html =>
  selectField({
    words,
    name: 'whose',
    label: words.t('external.filter'),
    value: whose ?? '',
    placeholder: words.t('external.filter_all'),
    options: (['ours', 'others'] as const).map((value) => ({ value, label: words.t(`external.filter_${value}`) })),
  })

/** The active filters in a few words each. */
function describeChoice({ words, choice, types, toggles }: FilterData): string[] {
  const dayOf = (day: Day) => words.date(new Date(`${day}T12:00:00Z`))
  const titleOf = (id: number) => types.find((type) => type.id === id)?.title ?? `#${id}`
  return [
    choice.q && words.t('find.quoted', { text: choice.q }),
    ...toggles.map((name) => choice[name] && words.t(name === 'all' ? 'find.all_short' : `find.${name}`)),
    ...choice.types.map(titleOf),
    choice.from && words.t('find.from_day', { day: dayOf(choice.from) }),
    choice.until && words.t('find.until_day', { day: dayOf(choice.until) }),
    choice.state && words.t(`find.state.${choice.state}`),
    choice.whose && words.t(`external.filter_${choice.whose}`),
  ].flatMap((text) => text || [])
}
