import { groupForm } from '#features/accounts/users/schema.ts'
import { BUNDLES, type Bundle } from '#platform/auth/permissions.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { isAddress } from '#platform/no-address.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { textField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { Member } from '../queries/groups.ts'

export const GROUPS = '/manage/groups/'
export const groupPath = (id: number, what = ''): string => `${GROUPS}${id}/${what && `${what}/`}`

const NAMES = Object.keys(BUNDLES) as Bundle[]
const bundleName = (words: Words, bundle: string): string => words.t(`groups.bundle_${bundle as Bundle}`)

type GroupRow = { id: number; name: string; members: number; bundles: readonly string[]; loose: readonly string[] }

export function groupListView(words: Words, groups: readonly GroupRow[], mayAdd: boolean): Html {
  const add = mayAdd && linkButtonView({ href: `${GROUPS}new/`, label: words.t('groups.new'), kind: 'primary', icon: 'plus' })
  const patterns =
    mayAdd && linkButtonView({ href: `${GROUPS}patterns/`, label: words.t('groups.patterns'), icon: 'list-checks' })
  if (!groups.length)
    return html`${pageHeadView({ title: words.t('groups.title'), facts: words.t('groups.intro') })}
${emptyView({ icon: 'users', text: words.t('groups.none'), action: add })}`
  return html`${pageHeadView({ title: words.t('groups.title'), facts: words.t('groups.intro'), actions: [patterns, add] })}
${tableView<GroupRow>({
  caption: words.t('groups.title'),
  rows: groups,
  columns: [
    { label: words.t('groups.name'), main: true, cell: ({ id, name }) => html`<a href="${groupPath(id)}">${name}</a>` },
    { label: words.t('groups.may'), cell: (group) => bundleBadges(words, group) },
    { label: words.t('groups.members'), numeric: true, cell: ({ members }) => words.number(members) },
  ],
})}`
}

/** The management bundle contains the others, so they get no badge. */
function bundleBadges(words: Words, { bundles, loose }: Pick<GroupRow, 'bundles' | 'loose'>): Html {
  const shown = bundles.includes('management') ? bundles.filter((name) => name !== 'hr' && name !== 'planning') : bundles
  if (!shown.length && !loose.length) return html`–`
  return html`<span class="cluster">${shown.map((name) => badgeView({ tone: 'info', text: bundleName(words, name) }))}${loose.map((name) => badgeView({ tone: 'quiet', text: name }))}</span>`
}

type GroupFormData = {
  words: Words
  csrfToken: string
  action: string
  submit: string
  loose: readonly string[]
  targets: readonly { id: number; name: string }[]
  state: FormState
}

export function groupFormView({ words, csrfToken, action, submit, state, loose, targets }: GroupFormData): Html {
  const options = targets.map(({ id, name }) => ({ value: id, label: name }))
  const bundles = NAMES.map((name) => ({
    value: name,
    label: bundleName(words, name),
    help: words.t(`groups.bundle_${name}_text`),
  }))
  return groupForm.view({
    words,
    action,
    csrfToken,
    state,
    submit,
    cancel: { href: GROUPS },
    layout: (field) => [
      field('seen'),
      field('name'),
      field('bundles', { options: bundles }),
      loose.length > 0 && html`<p class="help">${words.t('groups.loose', { names: loose.join(', ') })}</p>`,
      options.length > 0 && [field('publish_for', { options }), field('decide_hours_for', { options })],
    ],
  })
}

type GroupData = {
  words: Words
  group: GroupRow
  form?: GroupFormData | undefined
  sections: readonly Child[]
  mayDelete: boolean
}

export function groupView({ words, group, form, sections, mayDelete }: GroupData): Html {
  const { id, name, members } = group
  const people = linkButtonView({ href: groupPath(id, 'members'), label: words.t('groups.change_members'), icon: 'users' })
  const links = linkButtonView({ href: groupPath(id, 'join-links'), label: words.t('groups.join_links'), icon: 'link' })
  const remove =
    mayDelete &&
    linkButtonView({ href: groupPath(id, 'delete'), label: words.t('groups.delete'), kind: 'danger', icon: 'trash-2' })
  return html`${pageHeadView({
    title: name,
    badge: bundleBadges(words, group),
    facts: words.t('groups.member_count', { count: members }),
    actions: [form && people, form && links],
  })}
${form ? groupFormView(form) : html`<p><a href="/manage/people/?group=${id}">${words.t('groups.members_of', { name })}</a></p>`}
${sections}
${remove && cardView({ body: remove })}`
}
type MembersData = {
  words: Words
  csrfToken: string
  group: { id: number; name: string; members: number }
  q: string
  members: readonly Member[]
  outsiders: readonly Member[]
  most: number
  showsEmail: boolean
}

export function membersView(data: MembersData): Html {
  const { words, group, q, members, outsiders } = data
  const search = html`<form class="filters" action="${groupPath(group.id, 'members')}">${textField({
    words,
    name: 'q',
    label: words.t(data.showsEmail ? 'groups.search' : 'groups.search_names'),
    value: q,
    type: 'search',
  })}<div class="filter-actions">${buttonView({ label: words.t('groups.find'), kind: 'secondary', icon: 'search' })}</div></form>`
  return html`${pageHeadView({
    title: words.t('groups.members_of', { name: group.name }),
    facts: `${words.t('groups.member_count', { count: group.members })} · ${words.t('groups.add_help')}`,
  })}
${search}
<div class="grid side-by-side">${cardView({
    title: words.t('groups.members'),
    body: members.length
      ? membersForm(data, 'remove', members)
      : html`<p class="muted">${words.t(group.members && q ? 'groups.nobody_found' : 'groups.no_members')}</p>`,
  })}${cardView({
    title: words.t('groups.add'),
    body: outsiders.length ? membersForm(data, 'add', outsiders) : html`<p class="muted">${words.t('groups.nobody_found')}</p>`,
  })}</div>`
}

function membersForm({ words, csrfToken, group, most }: MembersData, what: 'add' | 'remove', people: readonly Member[]): Html {
  const button = what === 'add' ? { icon: 'user-plus' as const } : { icon: 'user-minus' as const, kind: 'secondary' as const }
  return html`<form method="post" action="${groupPath(group.id, `members/${what}`)}">${csrfField(csrfToken)}
<ul class="ticks" role="list">${people.map(
    ({ id, name, email, isActive }) =>
      html`<li><label class="choice" for="${what}-${id}"><input type="checkbox" id="${what}-${id}" name="people" value="${id}"><span>${name}${!isActive && html` ${badgeView({ tone: 'quiet', text: words.t('people.inactive') })}`}${email && isAddress(email) && html`<small>${email}</small>`}</span></label></li>`,
  )}</ul>
${people.length >= most && html`<p class="help">${words.t('groups.too_many', { count: most })}</p>`}
${buttonView({ label: words.t(`groups.${what}_ticked`), ...button })}</form>`
}
