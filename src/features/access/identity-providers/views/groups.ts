import { bundlesIn, type GroupRights, loosePermissions } from '#features/accounts/users/rules.ts'
import { BUNDLES, type Bundle } from '#platform/auth/permissions.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { mappingForm } from '../schema.ts'
import { providerPath } from './manage.ts'

type Named = { id: number; name: string }
export type ShownGroup = GroupRights & Named & { isResponsible: boolean }

/** Everything that members of the group may do, one sentence each. `all`: to name other groups. */
export function rightsLines(words: Words, group: ShownGroup, all: readonly Named[]): string[] {
  const bundles = bundlesIn(BUNDLES, group.permissions) as Bundle[]
  // The management bundle contains these.
  const shown = bundles.includes('management') ? bundles.filter((name) => name !== 'hr' && name !== 'planning') : bundles
  const loose = loosePermissions(BUNDLES, group.permissions)
  const names = (ids: readonly number[]) => all.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return [
    ...shown.map((name) => `${words.t(`groups.bundle_${name}`)}: ${words.t(`groups.bundle_${name}_text`)}`),
    ...(loose.length ? [words.t('identity.rights_loose', { names: loose.join(', ') })] : []),
    ...(group.publishFor.length ? [`${words.t('groups.publish_for')}: ${names(group.publishFor).join(', ')}`] : []),
    ...(group.decideHoursFor.length ? [`${words.t('groups.decide_hours_for')}: ${names(group.decideHoursFor).join(', ')}`] : []),
    ...(group.isResponsible ? [words.t('identity.rights_responsible')] : []),
  ]
}

/** The rights of a group in a few words. */
function rightsSummary(words: Words, group: ShownGroup): string {
  const bundles = bundlesIn(BUNDLES, group.permissions) as Bundle[]
  const shown = bundles.includes('management') ? (['management'] as const) : bundles
  const others = loosePermissions(BUNDLES, group.permissions).length + group.publishFor.length + group.decideHoursFor.length
  const parts = [
    ...shown.map((name) => words.t(`groups.bundle_${name}`)),
    ...(others ? [words.t('identity.rights_others')] : []),
    ...(group.isResponsible ? [words.t('identity.rights_responsible_short')] : []),
  ]
  return parts.length ? parts.join(', ') : words.t('identity.none')
}

export const newMappingPath = (providerId: number, { value = '', group }: { value?: string | undefined; group?: number } = {}) =>
  `${providerPath(providerId, 'groups/new')}?${new URLSearchParams({ value, ...(group ? { group: String(group) } : {}) })}`
export const confirmGroupPath = (providerId: number, value: string, group: number): string =>
  `${providerPath(providerId, 'groups/confirm')}?${new URLSearchParams({ value, group: String(group) })}`

type Line = {
  value: string | undefined
  group: ShownGroup
  state: 'given' | 'unmapped' | 'responsible' | 'widened'
  mapping?: { id: number; confirmedAt: Date } | undefined
  seen?: { value: string; at: Date } | undefined
}
type CardData = { words: Words; providerId: number; lines: readonly Line[]; hasClaim: boolean; keepsNamed: boolean }

export const endNamesPath = (providerId: number): string => providerPath(providerId, 'groups/end-names')

/** Which values of the claim give which groups, and which groups with rights nobody gets by their name. */
export function groupsCardView({ words, providerId, lines, hasClaim, keepsNamed }: CardData): Html | false {
  if (!lines.length && !hasClaim) return false
  const isKept = keepsNamed && lines.some(({ state }) => state === 'unmapped')
  const isOpen = isKept || lines.some(({ state, seen }) => state === 'widened' || seen !== undefined)
  const table = tableView<Line>({
    caption: words.t('identity.mappings'),
    rows: lines,
    columns: [
      { label: words.t('identity.mapping_group'), main: true, cell: ({ group }) => group.name },
      { label: words.t('identity.mapping_value'), cell: (line) => valueView(words, line) },
      { label: words.t('identity.mapping_rights'), cell: ({ group }) => rightsSummary(words, group) },
      { label: words.t('identity.state'), cell: (line) => lineStateView(words, line) },
      { label: words.t('ui.actions'), actions: true, cell: (line) => lineActions(words, providerId, line) },
    ],
  })
  return cardView({
    title: words.t('identity.mappings'),
    aside: isOpen && badgeView({ tone: 'warn', text: words.t('identity.mappings_open'), icon: 'triangle-alert' }),
    body: html`<p class="muted">${words.t('identity.mappings_help')}</p>${isKept && html`<p>${words.t('identity.names_kept')}</p>`}${lines.length > 0 && table}`,
    footer:
      hasClaim &&
      html`${linkButtonView({ href: newMappingPath(providerId), label: words.t('identity.mapping_new'), icon: 'plus' })}${
        isKept && linkButtonView({ href: endNamesPath(providerId), label: words.t('identity.names_end'), kind: 'quiet' })
      }`,
  })
}

function valueView(words: Words, { value, mapping, state }: Line): Html {
  if (value !== undefined) return html`<code class="wrap">${value}</code>`
  return html`${words.t(mapping || state === 'given' || state === 'widened' ? 'identity.mapping_everybody' : 'identity.mapping_no_value')}`
}

function lineStateView(words: Words, { state, mapping, seen }: Line): Html {
  if (state === 'given')
    return html`${badgeView({ tone: 'good', text: words.t('identity.mapping_given') })}${mapping && html` <small>${words.t('identity.mapping_confirmed', { date: words.date(mapping.confirmedAt) })}</small>`}`
  const badge = badgeView({ tone: seen || state === 'widened' ? 'warn' : 'quiet', text: words.t(`identity.mapping_${state}`) })
  const effect = state === 'widened' && html` <small>${words.t('identity.mapping_widened_text')}</small>`
  return html`${badge}${effect}${seen && html` <small>${words.t('identity.mapping_seen', { when: words.dateTime(seen.at) })}</small>`}`
}

function lineActions(words: Words, providerId: number, { value, group, state, mapping }: Line): Html {
  const isNew = state === 'unmapped' || state === 'responsible'
  const map =
    isNew &&
    linkButtonView({
      href: newMappingPath(providerId, { value, group: group.id }),
      label: words.t('identity.map'),
      small: true,
      attributes: { 'aria-label': words.t('identity.map_of', { group: group.name }) },
    })
  const confirm =
    state === 'widened' &&
    linkButtonView({
      href: confirmGroupPath(providerId, value ?? '', group.id),
      label: words.t('identity.confirm_again'),
      small: true,
      attributes: { 'aria-label': words.t('identity.confirm_again_of', { group: group.name }) },
    })
  const remove =
    mapping &&
    linkButtonView({
      href: providerPath(providerId, `groups/${mapping.id}/remove`),
      label: words.t('identity.unmap'),
      kind: 'quiet',
      small: true,
      attributes: { 'aria-label': words.t('identity.unmap_of', { group: group.name, value: value ?? '' }) },
    })
  return html`${map}${confirm}${remove}`
}

type MappingData = { words: Words; csrfToken: string; providerId: number; state: FormState; groups: readonly Named[] }

export function newMappingView({ words, csrfToken, providerId, state, groups }: MappingData): Html {
  const form = mappingForm.view({
    words,
    csrfToken,
    state,
    action: providerPath(providerId, 'groups/new'),
    submit: words.t('identity.mapping_next'),
    cancel: { href: providerPath(providerId) },
    layout: (field) => [field('value'), field('group', { options: groups.map(({ id, name }) => ({ value: id, label: name })) })],
  })
  return html`${pageHeadView({ title: words.t('identity.mapping_new'), facts: words.t('identity.mapping_intro') })}${form}`
}
