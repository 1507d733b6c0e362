import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Day } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxGroup, dateField, hiddenField, selectField, textField } from '#platform/ui/fields.ts'
import { buttonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'

type OwnStateChoice = 'none' | 'confirmed' | 'requested' | 'in' | 'decide'

/** The filters of a list; all of them are query parameters of its URL. */
export type FilterChoice = {
  q: string
  types: readonly number[]
  from: Day | undefined
  until: Day | undefined
  state: OwnStateChoice | undefined
  fits: boolean
  needs: boolean
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
  state: undefined,
  fits: false,
  needs: false,
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
  set('whose', choice.whose)
  for (const [name, value] of Object.entries(rest)) set(name, value)
  return query.size ? `${path}?${query}` : path
}

export const isNarrowed = (choice: FilterChoice): boolean => filterPath({ path: '' }, choice) !== ''

type FilterData = {
  words: Words
  choice: FilterChoice
  list: ListUrl
  types: readonly { id: number; title: string }[]
  /** Past events: nobody can sign up or be missing there. */
  isPast: boolean
  /** Plans events, so requests can wait for a decision. */
  isPlanner: boolean
  /** Partners share events with us, so their events can be filtered. */
  hasPartners: boolean
  /** For the calendar, which has its own navigation by date. */
  withoutDates?: boolean | undefined
}

export function filtersView(data: FilterData): Html {
  return html`<search class="finder">${quickView(data)}${formView(data)}${chipsView(data)}</search>`
}

/** One click for the filters that most people use. */
function quickView({ words, choice, list, isPast, isPlanner }: FilterData): Html | false {
  if (isPast) return false
  const quick = (
    label: string,
    isOn: boolean,
    without: Partial<FilterChoice>,
    icon: 'hand-helping' | 'users' | 'list-checks',
    title?: string,
  ) =>
    html`<a ${attrs({ title })} class="pill${isOn && ' on'}" href="${filterPath(list, { ...choice, ...without })}" ${attrs({ 'aria-current': isOn && 'true' })}>${iconView(isOn ? 'check' : icon, { size: 16 })}${label}</a>`
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
  const { words, choice, list, isPast, isPlanner, withoutDates } = data
  const collator = new Intl.Collator(words.language)
  const types = data.types
    .map(({ id, title }) => ({ value: id, label: title }))
    .sort((a, b) => collator.compare(a.label, b.label))
  const states = (['none', 'confirmed', 'requested', 'in', ...(isPlanner && !isPast ? (['decide'] as const) : [])] as const).map(
    (state) => ({
      value: state,
      label: words.t(`find.state.${state}`),
    }),
  )
  const chosen = [choice.types.length > 0, choice.from, choice.until, choice.state, choice.whose]
  const count = chosen.filter(Boolean).length
  // Submitting the form keeps the quick filters.
  const quick = { fits: choice.fits ? 1 : undefined, needs: choice.needs ? 1 : undefined }
  const kept = Object.entries({ ...list.more, ...quick }).flatMap(([name, value]) =>
    value === undefined || name === 'page' ? [] : [hiddenField(name, value)],
  )
  const dates =
    !withoutDates &&
    html`${dateField({ words, name: 'from', label: words.t('find.from'), value: choice.from })}${dateField({ words, name: 'until', label: words.t('find.until'), value: choice.until })}`
  return html`<form class="filters finder-form" action="${list.path}">${kept}
${textField({ words, type: 'search', name: 'q', label: words.t('event.search'), value: choice.q, attributes: { placeholder: words.t('event.search_hint'), maxlength: 200 } })}
<details class="more-filters"><summary>${iconView('list-filter', { size: 18 })}<span>${words.t('find.more')}</span>${count > 0 && html` <span class="tab-count">${count}</span>`}</summary><div class="more-filters-body">
${types.length > 0 && checkboxGroup({ words, name: 'type', label: words.t('event.type'), values: choice.types, options: types })}
${dates}
${selectField({ words, name: 'state', label: words.t('find.state'), value: choice.state ?? '', options: states, placeholder: words.t('find.state.any') })}
${data.hasPartners && whoseField(words, choice)}
</div></details>
<div class="filter-actions">${buttonView({ label: words.t('event.filter'), kind: 'secondary', icon: 'search' })}</div></form>`
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

/** The active filters, each with a link that removes it. */
function chipsView({ words, choice, list, types }: FilterData): Html | false {
  if (!isNarrowed(choice)) return false
  const dayOf = (day: Day) => words.date(new Date(`${day}T12:00:00Z`))
  const chip = (label: string, without: Partial<FilterChoice>) =>
    html`<li><a class="filter-chip" href="${filterPath(list, { ...choice, ...without })}"><span class="sr-only">${words.t('find.remove')} </span>${label}${iconView('x', { size: 16 })}</a></li>`
  const titleOf = (id: number) => types.find((type) => type.id === id)?.title ?? `#${id}`
  return html`<div class="chosen"><ul role="list" aria-label="${words.t('find.chosen')}">${choice.q && chip(words.t('find.quoted', { text: choice.q }), { q: '' })}${choice.types.map(
    (id) => chip(titleOf(id), { types: choice.types.filter((other) => other !== id) }),
  )}${choice.from && chip(words.t('find.from_day', { day: dayOf(choice.from) }), { from: undefined })}${choice.until && chip(words.t('find.until_day', { day: dayOf(choice.until) }), { until: undefined })}${choice.state && chip(words.t(`find.state.${choice.state}`), { state: undefined })}${choice.fits && chip(words.t('find.fits'), { fits: false })}${choice.needs && chip(words.t('find.needs'), { needs: false })}${choice.whose && chip(words.t(`external.filter_${choice.whose}`), { whose: undefined })}</ul><a class="clear-all" href="${filterPath(list, {})}">${words.t('find.clear')}</a></div>`
}
