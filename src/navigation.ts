import { sql } from 'kysely'
import { failedAddressOf } from '#features/accounts/users/queries/address-state.ts'
import { hasChildren } from '#features/accounts/users/queries/guardians.ts'
import { type FooterPage, footerPages } from '#features/events/content-pages/queries.ts'
import { contentPagePath } from '#features/events/content-pages/views.ts'
import { unreadCount } from '#features/messaging/inbox/queries/inbox.ts'
import { failedDelivery } from '#features/messaging/mails/queries/state.ts'
import {
  type Branding,
  type BrandingValues,
  brandingValues,
  mayAddChildren,
  readBranding,
} from '#features/operations/settings/queries.ts'
import { logoPath } from '#features/operations/settings/views.ts'
import { hasHosts } from '#features/sharing/federation/queries/links.ts'
import { type Actor, hasPermission, isStaff, type UserActor } from '#platform/auth/actor.ts'
import type { LayoutLoader } from '#platform/http/page.ts'
import type { MessageKey } from '#platform/i18n/catalogue.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { IconName } from '#platform/ui/icon.ts'
import type { NavItem, Notice } from '#platform/ui/layout.ts'
import { MANAGE, type ManageGroup, type ManagePlace } from '#platform/ui/manage.ts'

type At = (place: string) => boolean
type ManagementArea = {
  href: string
  group: ManageGroup
  icon: IconName
  label: MessageKey
  text: MessageKey
  isFor: (actor: Actor) => boolean
}

/** In the order of the tabs and cards. */
const MANAGEMENT_AREAS = [
  {
    href: '/manage/people/',
    group: 'people',
    icon: 'users',
    label: 'manage.people',
    text: 'manage.people_text',
    isFor: (actor) => hasPermission(actor, 'view_user'),
  },
  {
    href: '/manage/groups/',
    group: 'people',
    icon: 'handshake',
    label: 'manage.groups',
    text: 'manage.groups_text',
    isFor: (actor) => hasPermission(actor, 'view_group'),
  },
  {
    href: '/manage/hours/',
    group: 'people',
    icon: 'clock',
    label: 'hours.overview',
    text: 'hours.place_text',
    isFor: (actor) => hasPermission(actor, 'view_user'),
  },
  {
    href: '/manage/requests/',
    group: 'people',
    icon: 'list-checks',
    label: 'requests.title',
    text: 'requests.place_text',
    isFor: (actor) =>
      isStaff(actor) || (['change_user', 'change_group', 'add_user'] as const).some((name) => hasPermission(actor, name)),
  },
  {
    href: '/manage/qualifications/',
    group: 'people',
    icon: 'award',
    label: 'manage.qualifications',
    text: 'manage.qualifications_text',
    isFor: (actor) => hasPermission(actor, 'view_qualification'),
  },
  {
    href: '/manage/expiring/',
    group: 'people',
    icon: 'hourglass',
    label: 'qualreq.expiring',
    text: 'qualreq.place_text',
    isFor: (actor) => hasPermission(actor, 'change_user'),
  },
  {
    href: '/manage/event-types/',
    group: 'events',
    icon: 'tag',
    label: 'manage.event_types',
    text: 'manage.event_types_text',
    isFor: (actor) => hasPermission(actor, 'view_event_type'),
  },
  {
    href: '/manage/blocks/',
    group: 'events',
    icon: 'blocks',
    label: 'manage.blocks',
    text: 'manage.blocks_text',
    isFor: (actor) => hasPermission(actor, 'change_building_block'),
  },
  {
    href: '/manage/log/',
    group: 'instance',
    icon: 'history',
    label: 'manage.log',
    text: 'manage.log_text',
    isFor: (actor) => hasPermission(actor, 'view_journal'),
  },
  {
    href: '/manage/instance/',
    group: 'instance',
    icon: 'building-2',
    label: 'manage.instance',
    text: 'manage.instance_text',
    isFor: isStaff,
  },
  {
    href: '/manage/fill/',
    group: 'people',
    icon: 'scale',
    label: 'fill.weights',
    text: 'fill.weights_place_text',
    isFor: isStaff,
  },
  {
    href: '/manage/limits/',
    group: 'people',
    icon: 'moon',
    label: 'limits.title',
    text: 'limits.place_text',
    isFor: isStaff,
  },
  {
    href: '/manage/privacy/',
    group: 'instance',
    icon: 'shield-check',
    label: 'privacy.place',
    text: 'privacy.place_text',
    isFor: isStaff,
  },
  {
    href: '/manage/resources/',
    group: 'events',
    icon: 'truck',
    label: 'resources.list',
    text: 'resources.place_text',
    isFor: (actor) => hasPermission(actor, 'view_resource'),
  },
  {
    href: '/manage/questions/',
    group: 'events',
    icon: 'circle-question-mark',
    label: 'questions.list',
    text: 'questions.place_text',
    isFor: (actor) => hasPermission(actor, 'view_question'),
  },
  {
    href: '/manage/files/',
    group: 'events',
    icon: 'paperclip',
    label: 'files.title',
    text: 'files.place_text',
    isFor: (actor) => hasPermission(actor, 'change_file'),
  },
  {
    href: '/manage/pages/',
    group: 'instance',
    icon: 'file-text',
    label: 'pages.list',
    text: 'pages.place_text',
    isFor: (actor) => hasPermission(actor, 'change_page'),
  },
  {
    href: '/manage/federation/',
    group: 'instance',
    icon: 'globe',
    label: 'federation.place',
    text: 'federation.place_text',
    isFor: isStaff,
  },
  {
    href: '/manage/second-factor/',
    group: 'instance',
    icon: 'shield-check',
    label: 'factor.place',
    text: 'factor.place_text',
    isFor: isStaff,
  },
  {
    href: '/manage/identity-providers/',
    group: 'instance',
    icon: 'log-in',
    label: 'identity.list',
    text: 'identity.place_text',
    isFor: isStaff,
  },
  {
    href: '/manage/applications/',
    group: 'instance',
    icon: 'network',
    label: 'manage.applications',
    text: 'manage.applications_text',
    isFor: isStaff,
  },
  {
    href: '/manage/mail/',
    group: 'instance',
    icon: 'mail',
    label: 'mails.title',
    text: 'mails.place_text',
    isFor: isStaff,
  },
  {
    href: '/manage/webhooks/',
    group: 'instance',
    icon: 'webhook',
    label: 'webhooks.title',
    text: 'webhooks.place_text',
    isFor: isStaff,
  },
  {
    href: '/manage/service-accounts/',
    group: 'instance',
    icon: 'key-round',
    label: 'service.title',
    text: 'service.place_text',
    isFor: isStaff,
  },
] as const satisfies readonly ManagementArea[]

export const managementAreasFor = (actor: Actor, words: Words): ManagePlace[] =>
  MANAGEMENT_AREAS.filter(({ isFor }) => isFor(actor)).map(({ href, group, icon, label, text }) => ({
    href,
    group,
    icon,
    label: words.t(label),
    text: words.t(text),
  }))

const personLinks = (words: Words, at: At, hasFamily: boolean): NavItem[] => [
  { href: '/my-shifts/', label: words.t('hours.my_shifts'), icon: 'clock', current: at('/my-shifts/') },
  ...(hasFamily ? [{ href: '/family/', label: words.t('families.title'), icon: 'users' as const, current: at('/family/') }] : []),
  { href: '/settings/profile/', label: words.t('settings.profile'), icon: 'user', current: at('/settings/profile/') },
  {
    href: '/settings/qualifications/',
    label: words.t('settings.qualifications'),
    icon: 'award',
    current: at('/settings/qualifications/'),
  },
  {
    href: '/settings/answers/',
    label: words.t('settings.answers'),
    icon: 'circle-question-mark',
    current: at('/settings/answers/'),
  },
  {
    href: '/settings/notifications/',
    label: words.t('settings.notifications'),
    icon: 'bell',
    current: at('/settings/notifications/'),
  },
  {
    href: '/settings/availability/',
    label: words.t('settings.availability'),
    icon: 'calendar-check',
    current: at('/settings/availability/'),
  },
  { href: '/settings/calendar/', label: words.t('settings.calendar'), icon: 'calendar-days', current: at('/settings/calendar/') },
  { href: '/settings/security/', label: words.t('settings.security'), icon: 'shield-check', current: at('/settings/security/') },
  { href: '/settings/tokens/', label: words.t('settings.tokens'), icon: 'key-round', current: at('/settings/tokens/') },
  {
    href: '/settings/applications/',
    label: words.t('settings.applications'),
    icon: 'link',
    current: at('/settings/applications/'),
  },
  { href: '/settings/webhooks/', label: words.t('settings.webhooks'), icon: 'webhook', current: at('/settings/webhooks/') },
  { href: '/settings/data/', label: words.t('settings.data'), icon: 'download', current: at('/settings/data/') },
]

/** `plans`: may add events; others who are responsible for some find the same on the start page. */
type NavOptions = { isLinked: boolean; plans: boolean }

/** Most used first: phones show four items and put the rest behind “More”. */
const navOf = (words: Words, at: At, managed: readonly ManagePlace[], { isLinked, plans }: NavOptions): NavItem[] => [
  { href: '/', label: words.t('frame.home'), icon: 'house', current: at('/') },
  {
    href: '/events/',
    label: words.t('frame.events'),
    shortLabel: words.t('frame.events_short'),
    icon: 'calendar-check',
    current: at('/events/') && !at('/events/calendar/') && !(isLinked && at('/events/external/')),
  },
  { href: '/events/calendar/', label: words.t('frame.calendar'), icon: 'calendar-days', current: at('/events/calendar/') },
  ...(isLinked
    ? [{ href: '/events/external/', label: words.t('external.nav'), icon: 'globe' as const, current: at('/events/external/') }]
    : []),
  ...(plans ? [{ href: '/planning/', label: words.t('shortages.nav'), icon: 'users' as const, current: at('/planning/') }] : []),
  ...(managed.length
    ? [
        {
          href: MANAGE,
          label: words.t('manage.title'),
          shortLabel: words.t('manage.title_short'),
          icon: 'settings' as const,
          current: at(MANAGE),
        },
      ]
    : []),
]

const presentBranding = (words: Words, { name, logoVersion, hasImprint, hasPrivacy }: Branding, pages: FooterPage[]) => ({
  siteName: name ?? 'Turnout',
  logo: logoVersion && logoPath(logoVersion),
  footLinks: [
    ...pages.map(({ title, slug }) => ({ href: contentPagePath(slug), label: title })),
    ...(hasImprint ? [{ href: '/imprint/', label: words.t('instance.imprint') }] : []),
    ...(hasPrivacy ? [{ href: '/privacy/', label: words.t('instance.privacy') }] : []),
  ],
})

/** Until a required second factor is set up. */
function factorNotices({ via }: UserActor, words: Words): Notice[] {
  const dueAt = via.kind === 'session' ? via.factorDueAt : undefined
  if (!dueAt) return []
  const link = { href: '/settings/security/second-factor/', label: words.t('factor.due_link') }
  return [{ tone: 'warn', text: words.t('factor.due', { date: words.date(dueAt) }), link }]
}

/** What administrators must know about mail, on the pages where they look after the instance. */
function mailNotices(words: Words, { hasMail, failed }: { hasMail: boolean; failed: { reason: string } | null }): Notice[] {
  const link = { href: '/manage/mail/', label: words.t('mails.notice_link') }
  if (!hasMail) return [{ tone: 'warn', text: words.t('mails.notice_not_set_up'), link }]
  return failed ? [{ tone: 'bad', text: words.t('mails.notice_failing', { reason: failed.reason }), link }] : []
}

/** Until the address is changed or tried again. */
const addressNotice = (words: Words, email: string): Notice => ({
  tone: 'warn',
  text: words.t('mails.notice_address', { email }),
  link: { href: '/settings/profile/address/', label: words.t('mails.notice_address_link') },
})

type LayoutRow = {
  branding: BrandingValues
  pages: FooterPage[]
  isLinked: boolean
  unread: number
  failedAddress: string | null
  failedDelivery: { reason: string } | null
  hasFamily: boolean
}
type LayoutOptions = {
  /** Mails reach people, or are written to files on purpose. */
  hasMail: boolean
}

/** Header, navigation and footer of every page, from one statement. */
export const layoutLoader =
  ({ hasMail }: LayoutOptions): LayoutLoader =>
  async ({ db, actor, words, now, site }, url) => {
    const userId = actor.kind === 'user' ? actor.userId : 0
    const { rows } = await sql<LayoutRow>`
    select ${brandingValues} as branding, ${footerPages(actor.kind === 'user')} as pages, ${hasHosts} as "isLinked",
      ${unreadCount(userId)} as unread, ${failedAddressOf(userId)} as "failedAddress",
      ${isStaff(actor) ? failedDelivery : sql`null::json`} as "failedDelivery",
      (${hasChildren(userId, { now, site })} or ${mayAddChildren}) as "hasFamily"`.execute(db)
    const { branding, pages, isLinked, unread, failedAddress, failedDelivery: failed, hasFamily } = rows[0]!
    const face = presentBranding(words, readBranding(branding), pages)
    if (actor.kind !== 'user') return { ...face, nav: [], isVisitor: actor.kind === 'visitor' || actor.kind === 'guest' }
    const path = url.split('?')[0]!
    const at: At = (place) => (place === '/' ? path === '/' : path.startsWith(place))
    const managed = managementAreasFor(actor, words)
    const items = managed.map((place) => ({ ...place, current: at(place.href) }))
    const group = items.find(({ current }) => current)?.group
    const siblings = items.filter((item) => item.group === group)
    return {
      ...face,
      nav: navOf(words, at, managed, { isLinked, plans: hasPermission(actor, 'add_event') }),
      bell: { href: '/notifications/', count: unread },
      person: { name: actor.displayName, links: personLinks(words, at, hasFamily) },
      notices: [
        ...factorNotices(actor, words),
        ...(failedAddress === null || at('/settings/profile/address/') ? [] : [addressNotice(words, failedAddress)]),
        ...(isStaff(actor) && (at('/') || at(MANAGE)) && !at('/manage/mail/') ? mailNotices(words, { hasMail, failed }) : []),
      ],
      ...(siblings.length > 1 ? { section: { label: words.t(`manage.group_${group!}`), items: siblings } } : {}),
    }
  }
