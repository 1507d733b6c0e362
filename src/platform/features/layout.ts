import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { LayoutLoader } from '#platform/http/page.ts'
import type { PlainKey, Words } from '#platform/i18n/words.ts'
import type { IconName } from '#platform/ui/icon.ts'
import type { NavItem, Notice } from '#platform/ui/layout.ts'
import { MANAGE, type ManageGroup, type ManagePlace } from '#platform/ui/manage.ts'
import { type Added, extensionPoint } from './extension-points.ts'

/** A card on the overview of the management, and a tab above the pages of its group. */
type ManagementArea = {
  href: string
  group: ManageGroup
  icon: IconName
  label: PlainKey
  text: PlainKey
  isFor: (actor: Actor) => boolean
}
export const managementAreas = extensionPoint<ManagementArea>('layout.management')

/** `path`: of the page, without its query. `isAt`: whether the reader is on a page below a path. */
export type LayoutPlace = { path: string; isAt: (path: string) => boolean }
type LayoutRequest = RequestContext & LayoutPlace

type LayoutItems = {
  siteName?: string
  logo?: string | undefined
  footLinks?: { href: string; label: string }[]
  nav?: NavItem[]
  bell?: { href: string; count: number }
  /** Before the pages of the account. */
  accountLinks?: NavItem[]
  notices?: Notice[]
}

/** A part of header, navigation and footer. What all parts read from the database is one statement. */
type LayoutPart<Value> = {
  /** An SQL expression. */
  read?: (context: RequestContext) => RawBuilder<unknown>
  show: (value: Value, request: LayoutRequest) => LayoutItems
}
// biome-ignore lint/suspicious/noExplicitAny: each part knows the type of its value
type AnyPart = LayoutPart<any>

export const layout = {
  /** On every page. */
  part: extensionPoint<AnyPart>('layout.part'),
  /** On pages of signed-in people. */
  ownPart: extensionPoint<AnyPart>('layout.own-part'),
}

/** A page of the reader's own account: in its menu, and a tab above the others. `isFolded`: behind “More” in the menu, for what few people use. */
type AccountPage = { href: string; label: PlainKey; icon: IconName; isFolded?: boolean }
export const accountPages = extensionPoint<AccountPage>('layout.account-page')

/** A place in the main navigation: the bar on top, on phones the one at the bottom. */
export const navigationLink = (href: string, label: PlainKey, shortLabel: PlainKey, icon: IconName): LayoutPart<null> => ({
  show: (_value, { words, isAt }) => ({
    nav: [{ href, label: words.t(label), shortLabel: words.t(shortLabel), icon, current: isAt(href) }],
  }),
})

/** Infers the type of the value from `show`. */
export const layoutPart = <Value>(part: LayoutPart<Value>): LayoutPart<Value> => part

export const managementAreasFor = (added: Added, actor: Actor, words: Words): ManagePlace[] =>
  added(managementAreas)
    .filter(({ isFor }) => isFor(actor))
    .map(({ href, group, icon, label, text }) => ({ href, group, icon, label: words.t(label), text: words.t(text) }))

async function loadParts(context: RequestContext, place: LayoutPlace): Promise<LayoutItems[]> {
  const { added } = context.site
  const parts = [...added(layout.part), ...(context.actor.kind === 'user' ? added(layout.ownPart) : [])]
  const reading = parts.flatMap(({ read }) => read ?? [])
  const { rows } = await sql<{ values: unknown[] }>`
    select json_build_array(${sql.join(reading.map((read) => read(context)))}) as values`.execute(context.db)
  const values = rows[0]!.values.values()
  return parts.map(({ read, show }) => show(read ? values.next().value : null, { ...context, ...place }))
}

const manageItem = (words: Words, isCurrent: boolean): NavItem => ({
  href: MANAGE,
  label: words.t('manage.title'),
  shortLabel: words.t('manage.title_short'),
  icon: 'settings',
  current: isCurrent,
})

/** Tabs of the group that the page belongs to. */
function sectionOf(words: Words, areas: readonly ManagePlace[], isAt: LayoutRequest['isAt']) {
  const items = areas.map((area) => ({ ...area, current: isAt(area.href) }))
  const group = items.find(({ current }) => current)?.group
  const siblings = items.filter((item) => item.group === group)
  return group !== undefined && siblings.length > 1 ? { label: words.t(`manage.group_${group}`), items: siblings } : undefined
}

/** Header, navigation and footer of every page, from what features add. */
export const loadLayout: LayoutLoader = async (context, url) => {
  const { actor, words, site } = context
  const path = url.split('?')[0]!
  const isAt = (place: string) => (place === '/' ? path === '/' : path.startsWith(place))
  const parts = await loadParts(context, { path, isAt })
  const face = {
    siteName: parts.find(({ siteName }) => siteName !== undefined)?.siteName ?? 'Turnout',
    logo: parts.find(({ logo }) => logo !== undefined)?.logo,
    footLinks: parts.flatMap(({ footLinks = [] }) => footLinks),
  }
  if (actor.kind !== 'user') return { ...face, nav: [], isVisitor: actor.kind === 'visitor' || actor.kind === 'guest' }
  const areas = managementAreasFor(site.added, actor, words)
  const pages = site.added(accountPages).map((page) => ({ ...page, label: words.t(page.label), current: isAt(page.href) }))
  return {
    ...face,
    nav: [...parts.flatMap(({ nav = [] }) => nav), ...(areas.length ? [manageItem(words, isAt(MANAGE))] : [])],
    bell: parts.find(({ bell }) => bell !== undefined)?.bell,
    person: { name: actor.displayName, links: [...parts.flatMap(({ accountLinks = [] }) => accountLinks), ...pages] },
    notices: parts.flatMap(({ notices = [] }) => notices),
    section: sectionOf(words, areas, isAt),
  }
}
