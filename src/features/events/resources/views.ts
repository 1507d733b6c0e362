import { eventPath } from '#features/events/events/rules/slug.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import { addDays, spanOfDay } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { checkboxGroup, selectField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { Category, Resource, Use } from './rules.ts'

export const RESOURCES = '/manage/resources/'
export const WEEK = `${RESOURCES}week/`
export const CATEGORIES = `${RESOURCES}categories/`
export const resourcePath = (id: number): string => `${RESOURCES}${id}/`
export const categoryPath = (id: number): string => `${CATEGORIES}${id}/`
export const allocationPath = (shiftId: number): string => `/shifts/${shiftId}/resources/`

type ResourceList = {
  words: Words
  categories: readonly Category[]
  resources: readonly Resource[]
  may: { add: boolean; change: boolean }
}

export function resourcesView({ words, categories, resources, may }: ResourceList): Html {
  const byCategory = Map.groupBy(resources, ({ category_id }) => category_id)
  const actions = [
    may.add &&
      categories.length > 0 &&
      linkButtonView({ href: `${RESOURCES}new/`, label: words.t('resources.new'), icon: 'plus', kind: 'primary' }),
    may.add &&
      linkButtonView({
        href: `${CATEGORIES}new/`,
        label: words.t('resources.category_new'),
        icon: 'plus',
        kind: categories.length ? 'secondary' : 'primary',
      }),
    resources.length > 0 && linkButtonView({ href: WEEK, label: words.t('resources.week'), icon: 'calendar-days' }),
  ]
  return html`${pageHeadView({ title: words.t('resources.list'), facts: words.t('resources.intro'), actions })}
${
  categories.length
    ? categories.map(
        (category) =>
          html`<section class="section-block"><header class="section-head"><h2>${category.name}</h2>${may.change && html`<a class="section-more" href="${categoryPath(category.id)}">${words.t('resources.category_edit')}</a>`}</header>${
            byCategory.has(category.id)
              ? html`<ul class="name-list" role="list">${byCategory.get(category.id)!.map(({ id, title }) => html`<li>${may.change ? html`<a href="${resourcePath(id)}">${title}</a>` : title}</li>`)}</ul>`
              : html`<p class="muted">${words.t('resources.category_empty')}</p>`
          }</section>`,
      )
    : emptyView({ icon: 'truck', text: words.t('resources.none') })
}`
}

/** “City marathon, Route, Sat 14 Nov 08:00–16:00”; the title is hidden from people who cannot open the event. */
const useText = (words: Words, { eventTitle, label, start, end }: Use): string => {
  const span = words.span(start, end)
  return eventTitle === null
    ? words.t('resources.used_elsewhere', { time: span })
    : words.t('resources.used_by', { event: label ? `${eventTitle}, ${label}` : eventTitle, time: span })
}

export function allocationFields({
  words,
  categories,
  resources,
  chosen,
  overlaps,
}: {
  words: Words
  categories: readonly Category[]
  resources: readonly Resource[]
  chosen: readonly string[]
  overlaps: readonly Use[]
}): Child {
  const byCategory = Map.groupBy(resources, ({ category_id }) => category_id)
  const usedBy = Map.groupBy(overlaps, ({ resourceId }) => resourceId)
  return categories
    .filter(({ id }) => byCategory.has(id))
    .map(({ id, name }) =>
      checkboxGroup({
        words,
        name: 'resources',
        id: `resources-${id}`,
        label: name,
        values: [...chosen],
        options: byCategory.get(id)!.map((resource) => ({
          value: resource.id,
          label: resource.title,
          help: usedBy.has(resource.id) ? words.list(usedBy.get(resource.id)!.map((use) => useText(words, use))) : undefined,
        })),
      }),
    )
}

type WeekData = {
  words: Words
  now: Date
  categories: readonly Category[]
  resources: readonly Resource[]
  resource: number | undefined
  /** Monday of the shown week. */
  monday: string
  uses: readonly Use[]
}

const weekPath = (monday: string, resource: number | undefined): string =>
  `${WEEK}?from=${monday}${resource === undefined ? '' : `&resource=${resource}`}`

export function weekView({ words, now, categories, resources, resource, monday, uses }: WeekData): Html {
  const shown = resources.filter(({ id }) => resource === undefined || id === resource)
  const byResource = Map.groupBy(uses, ({ resourceId }) => resourceId)
  const days = Array.from({ length: 7 }, (_, index) => spanOfDay(addDays(monday, index), words.timeZone))
  const nameOf = new Map(categories.map(({ id, name }) => [id, name]))
  const cells = (own: readonly Use[], { start, end }: { start: Date; end: Date }) => {
    const here = own.filter((use) => use.start < end && use.end > start)
    return here.map((use) => {
      const isDouble = own.some((other) => other.shiftId !== use.shiftId && other.start < use.end && other.end > use.start)
      const text = use.eventTitle ?? words.t('resources.in_use')
      return html`<p class="week-use">${words.hours(use.start < start ? start : use.start, use.end > end ? end : use.end)} ${
        use.eventTitle === null
          ? text
          : html`<a href="${`${eventPath(use.eventId, use.eventTitle)}#shift-${use.shiftId}`}">${text}</a>`
      }${isDouble && html` ${badgeView({ tone: 'bad', text: words.t('resources.double') })}`}</p>`
    })
  }
  return html`${pageHeadView({
    title: words.t('resources.week'),
    facts: words.t('resources.week_of', {
      from: words.day(days[0]!.start, now),
      to: words.day(days[6]!.start, now),
    }),
    actions: [
      linkButtonView({
        href: weekPath(addDays(monday, -7), resource),
        label: words.t('resources.week_before'),
        icon: 'chevron-left',
      }),
      linkButtonView({
        href: weekPath(addDays(monday, 7), resource),
        label: words.t('resources.week_after'),
        icon: 'chevron-right',
      }),
    ],
  })}
${filterFormView({
  action: WEEK,
  submit: words.t('resources.show'),
  fields: html`<input type="hidden" name="from" value="${monday}">${selectField({
    words,
    name: 'resource',
    label: words.t('resources.resource'),
    value: resource,
    placeholder: words.t('resources.all'),
    options: resources.map(({ id, title }) => ({ value: id, label: title })),
  })}`,
})}
${
  shown.length
    ? html`<div class="week-table"><table class="table"><caption class="sr-only">${words.t('resources.week')}</caption>
<thead><tr><th scope="col">${words.t('resources.resource')}</th>${days.map(({ start }) => html`<th scope="col">${words.day(start)}</th>`)}</tr></thead>
<tbody>${shown.map(
        ({ id, title, category_id }) =>
          html`<tr><th scope="row">${title} <small class="muted">${nameOf.get(category_id)}</small></th>${days.map(
            (day) => html`<td data-label="${words.day(day.start)}">${cells(byResource.get(id) ?? [], day)}</td>`,
          )}</tr>`,
      )}</tbody></table></div>`
    : emptyView({ icon: 'truck', text: words.t('resources.none') })
}`
}

/** Resources of a shift on the event page. */
export function shiftResourcesView(words: Words, resources: readonly { title: string; isShared: boolean }[]): Html | false {
  if (!resources.length) return false
  return html`<p class="side-note">${iconView('truck', { size: 16 })}<span><span class="sr-only">${words.t('ui.label', { label: words.t('resources.list') })} </span>${words.list(resources.map(({ title }) => title))}</span></p>${
    resources.some(({ isShared }) => isShared) &&
    html`<p>${badgeView({
      tone: 'warn',
      icon: 'triangle-alert',
      text: words.t('resources.shared', {
        names: words.list(resources.filter(({ isShared }) => isShared).map(({ title }) => title)),
      }),
    })}</p>`
  }`
}
