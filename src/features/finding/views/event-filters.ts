import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Day } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxGroup, dateField, hiddenField, selectField, textField } from '#platform/ui/fields.ts'
import { buttonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'

export type OwnStateChoice = 'none' | 'confirmed' | 'in' | 'decide'

/** What a reader has chosen to see; all of it stands in the address. */
export type FilterChoice = {
  q: string
  types: readonly number[]
  from: Day | undefined
  until: Day | undefined
  state: OwnStateChoice | undefined
  fits: boolean
  needs: boolean
  /** Undefined: ours and those that others share with us. */
  whose: 'ours' | 'others' | undefined
}
/** What else an address says: the period, the page, the month. Undefined is left out. */
export type Place = { path: string; more?: Record<string, string | number | undefined> | undefined }

export const NO_FILTER: FilterChoice = {
  q: '',
  types: [],
  from: undefined,
  until: undefined,
  state: undefined,
  fits: false,
  needs: false,
  whose: undefined,
}

/** What is not chosen does not stand in the address. */
export function filterPath({ path, more = {} }: Place, choice: Partial<FilterChoice>): string {
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
  set('whose', choice.whose)
  for (const [name, value] of Object.entries(rest)) set(name, value)
  return query.size ? `${path}?${query}` : path
}

export const isNarrowed = (choice: FilterChoice): boolean => filterPath({ path: '' }, choice) !== ''

export type FilterData = {
  words: Words
  choice: FilterChoice
  place: Place
  types: readonly { id: number; title: string }[]
  /** Looks back: nobody can sign up for what is over, or miss there. */
  isPast: boolean
  /** Plans events, so there can be something to decide. */
  isPlanner: boolean
  /** Others share events with us, so there can be something to choose. */
  isLinked: boolean
  /** Where dates are chosen otherwise, as in a calendar. */
  withoutDates?: boolean | undefined
}

export function filtersView(data: FilterData): Html {
  return html`<search class="finder">${quickView(data)}${formView(data)}${chipsView(data)}</search>`
}

/** One click for what most people come for. */
function quickView({ words, choice, place, isPast, isPlanner }: FilterData): Html | false {
  if (isPast) return false
  const quick = (
    label: string,
    isOn: boolean,
    without: Partial<FilterChoice>,
    icon: 'hand-helping' | 'users' | 'list-checks',
    title?: string,
  ) =>
    html`<a ${attrs({ title })} class="pill${isOn && ' on'}" href="${filterPath(place, { ...choice, ...without })}" ${attrs({ 'aria-current': isOn && 'true' })}>${iconView(isOn ? 'check' : icon, { size: 16 })}${label}</a>`
  return html`<nav class="pills" aria-label="${words.t('find.quick')}">${quick(words.t('find.fits'), choice.fits, { fits: !choice.fits }, 'hand-helping', words.t('find.fits_help'))}${quick(words.t('find.needs'), choice.needs, { needs: !choice.needs }, 'users')}${
    isPlanner &&
    quick(
      words.t('find.state.decide'),
      choice.state === 'decide',
      { state: choice.state === 'decide' ? undefined : 'decide' },
      'list-checks',
    )
  }</nav>`
}

function formView(data: FilterData): Html {
  const { words, choice, place, isPast, isPlanner, withoutDates } = data
  const collator = new Intl.Collator(words.language)
  const types = data.types
    .map(({ id, title }) => ({ value: id, label: title }))
    .sort((a, b) => collator.compare(a.label, b.label))
  const states = (['none', 'confirmed', 'in', ...(isPlanner && !isPast ? (['decide'] as const) : [])] as const).map((state) => ({
    value: state,
    label: words.t(`find.state.${state}`),
  }))
  const chosen = [choice.types.length > 0, choice.from, choice.until, choice.state, choice.whose]
  const count = chosen.filter(Boolean).length
  // What the quick choice says stays chosen.
  const quick = { fits: choice.fits ? 1 : undefined, needs: choice.needs ? 1 : undefined }
  const kept = Object.entries({ ...place.more, ...quick }).flatMap(([name, value]) =>
    value === undefined || name === 'page' ? [] : [hiddenField(name, value)],
  )
  const dates =
    !withoutDates &&
    html`${dateField({ words, name: 'from', label: words.t('find.from'), value: choice.from })}${dateField({ words, name: 'until', label: words.t('find.until'), value: choice.until })}`
  return html`<form class="filters finder-form" action="${place.path}">${kept}
${textField({ words, type: 'search', name: 'q', label: words.t('event.search'), value: choice.q, attributes: { placeholder: words.t('event.search_hint'), maxlength: 200 } })}
<details class="more-filters"><summary>${iconView('list-filter', { size: 18 })}<span>${words.t('find.more')}</span>${count > 0 && html` <span class="tab-count">${count}</span>`}</summary><div class="more-filters-body">
${types.length > 0 && checkboxGroup({ words, name: 'type', label: words.t('event.type'), values: choice.types, options: types })}
${dates}
${selectField({ words, name: 'state', label: words.t('find.state'), value: choice.state ?? '', options: states, placeholder: words.t('find.state.any') })}
${data.isLinked && whoseField(words, choice)}
</div></details>
<div class="filter-actions">${buttonView({ label: words.t('event.filter'), kind: 'secondary', icon: 'search' })}</div></form>`
}

const whoseField = (words: Words, { whose }: FilterChoice): Html =>
  selectField({
    words,
    name: 'whose',
    label: words.t('abroad.filter'),
    value: whose ?? '',
    placeholder: words.t('abroad.filter_all'),
    options: (['ours', 'others'] as const).map((value) => ({ value, label: words.t(`abroad.filter_${value}`) })),
  })

/** What is chosen, each to be taken away by itself. */
function chipsView({ words, choice, place, types }: FilterData): Html | false {
  if (!isNarrowed(choice)) return false
  const dayOf = (day: Day) => words.date(new Date(`${day}T12:00:00Z`))
  const chip = (label: string, without: Partial<FilterChoice>) =>
    html`<li><a class="filter-chip" href="${filterPath(place, { ...choice, ...without })}"><span class="sr-only">${words.t('find.remove')} </span>${label}${iconView('x', { size: 16 })}</a></li>`
  const titleOf = (id: number) => types.find((type) => type.id === id)?.title ?? `#${id}`
  return html`<div class="chosen"><ul role="list" aria-label="${words.t('find.chosen')}">${choice.q && chip(`“${choice.q}”`, { q: '' })}${choice.types.map(
    (id) => chip(titleOf(id), { types: choice.types.filter((other) => other !== id) }),
  )}${choice.from && chip(words.t('find.from_day', { day: dayOf(choice.from) }), { from: undefined })}${choice.until && chip(words.t('find.until_day', { day: dayOf(choice.until) }), { until: undefined })}${choice.state && chip(words.t(`find.state.${choice.state}`), { state: undefined })}${choice.fits && chip(words.t('find.fits'), { fits: false })}${choice.needs && chip(words.t('find.needs'), { needs: false })}${choice.whose && chip(words.t(`abroad.filter_${choice.whose}`), { whose: undefined })}</ul><a class="clear-all" href="${filterPath(place, {})}">${words.t('find.clear')}</a></div>`
}
