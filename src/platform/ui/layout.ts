import { attrs, type Child, type Html, html, renderHtml } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { avatarView } from './avatar.ts'
import { type DocumentData, documentTitle, documentView } from './document.ts'
import { type Flash, flashesView } from './flash.ts'
import { buttonView, csrfField } from './form.ts'
import { type IconName, iconView } from './icon.ts'
import { logoView } from './mark.ts'
import { breadcrumbView, type Crumb } from './page-head.ts'

export type NavItem = {
  href: string
  label: string
  /** For the bottom bar, where an item has a fifth of the width of a phone. */
  shortLabel?: string | undefined
  icon: IconName
  current?: boolean | undefined
  /** In the menu of the account: for few people, so it is behind “More”. */
  isFolded?: boolean | undefined
}
export type Person = { name: string; links: readonly NavItem[] }
/** What the reader has to do soon. */
/** `link`: where its reason ends; `button`: posts there. */
export type Notice = {
  tone: 'info' | 'warn' | 'bad'
  text: string
  icon?: IconName
  link?: { href: string; label: string }
  button?: { action: string; label: string }
}
export type LayoutData = DocumentData & {
  /** Most used first: phones show four and put the rest behind “More”. */
  nav: readonly NavItem[]
  person?: Person | undefined
  /** The reader can use only this page. */
  isVisitor?: boolean | undefined
  /** Sibling pages, for areas with several pages. */
  section?: { label: string; items: readonly NavItem[] } | undefined
  /** Below every page: imprint, privacy. */
  footLinks?: readonly { href: string; label: string }[] | undefined
  search?: { action: string; value?: string } | undefined
  bell?: { href: string; count: number } | undefined
  flash?: Flash | readonly Flash[] | undefined
  breadcrumb?: readonly Crumb[] | undefined
  notices?: readonly Notice[] | undefined
  main: Child
  csrfToken: string
  currentPath: string
  version?: string | undefined
  /** Boards and calendars use the full width of the window. */
  wide?: boolean | undefined
  /** ETag that the script sends to detect changes of the page. */
  live?: string | undefined
}

export function layoutView(data: LayoutData): Html {
  const { words, nav, wide } = data
  return documentView({
    ...data,
    bodyClass: wide ? 'framed wide' : 'framed',
    body: html`
<a class="skip" href="#main">${words.t('ui.skip')}</a>
${topBar(data)}
<main id="main" tabindex="-1">
${mainView(data)}
</main>
${footer(data)}
${nav.length > 0 && bottomBar(words, nav)}
`,
  })
}

type MainData = Pick<LayoutData, 'words' | 'section' | 'breadcrumb' | 'notices' | 'flash' | 'csrfToken' | 'main' | 'live'>

function mainView({ words, section, breadcrumb, notices = [], flash, csrfToken, main, live }: MainData): Html {
  const flashes = flash === undefined ? [] : [flash].flat()
  return html`${notices.map((notice) => noticeView(notice, csrfToken))}${section && sectionNav(section)}
${breadcrumb && breadcrumb.length > 0 && breadcrumbView({ words, crumbs: breadcrumb })}
${flashesView({ words, flashes, csrfToken })}
<div id="page" ${attrs({ 'data-live': live })}>
${main}
</div>`
}

function noticeView({ tone, text, icon = 'triangle-alert', link, button }: Notice, csrfToken: string): Html {
  const form =
    button &&
    html`<form method="post" action="${button.action}">${csrfField(csrfToken)}${buttonView({ label: button.label, kind: 'secondary', icon: 'x' })}</form>`
  return html`<div class="notice tone-${tone}">${iconView(icon)}<div><p>${text}${link && html` <a href="${link.href}">${link.label}</a>`}</p>${form}</div></div>`
}

/** The part that replaces the content of the open page after an action. */
export function mainPartView(data: MainData & Pick<DocumentData, 'title' | 'siteName'>): Html {
  return html`<title>${documentTitle(data)}</title>
${mainView(data)}`
}

/** Layout without navigation: signing in, consent, errors. */
export function bareLayoutView(
  data: DocumentData & {
    flash?: Flash | undefined
    main: Child
    footer?: Child
    footLinks?: readonly { href: string; label: string }[] | undefined
    csrfToken?: string | undefined
    version?: string | undefined
  },
): Html {
  const { words, siteName, flash, main, csrfToken } = data
  const body = html`
<a class="skip" href="#main">${words.t('ui.skip')}</a>
<header class="bare-head"><a class="brand" href="/">${logoView(data.logo, 36)}<span>${siteName}</span></a></header>
<main id="main" class="bare-card" tabindex="-1">
${flashesView({ words, flashes: flash ? [flash] : [], csrfToken: csrfToken ?? '' })}
${main}
</main>
${data.footer && html`<div class="bare-after">${data.footer}</div>`}
${data.footLinks && data.footLinks.length > 0 && html`<footer class="bare-after">${footLinksView(data.footLinks)}</footer>`}
`
  return documentView({ ...data, bodyClass: 'bare', body, hasParts: /\shx-[a-z]+=/.test(renderHtml(body)) })
}

function topBar({ words, siteName, logo, nav, person, search, bell, csrfToken, currentPath, isVisitor }: LayoutData): Html {
  const brand = html`${logoView(logo, 28)}<span>${siteName}</span>`
  return html`<header class="top-bar"><div class="top-inner">
${isVisitor ? html`<span class="brand">${brand}</span>` : html`<a class="brand" href="/">${brand}</a>`}
${nav.length > 0 && html`<nav class="top-nav" aria-label="${words.t('ui.main_nav')}">${nav.map((item) => navLink(item, 18))}</nav>`}
<div class="top-end">
${
  search &&
  html`<form class="top-search" role="search" action="${search.action}"><label class="sr-only" for="top-search">${words.t('ui.search')}</label>${iconView('search', { size: 18 })}<input id="top-search" type="search" name="q" placeholder="${words.t('ui.search')}" ${attrs({ value: search.value })}></form>`
}
${
  bell &&
  html`<a class="button icon-only quiet bell" href="${bell.href}">${iconView('bell')}<span class="sr-only">${words.t('ui.unread_notifications', { count: bell.count })}</span>${bell.count > 0 && html`<span class="bell-count" aria-hidden="true">${bell.count > 99 ? '99+' : bell.count}</span>`}</a>`
}
${person ? personMenu(words, person, csrfToken) : !isVisitor && html`<a class="button quiet" href="/accounts/login/?next=${encodeURIComponent(currentPath)}">${iconView('log-in')}${words.t('ui.sign_in')}</a>`}
</div>
</div></header>`
}

function personMenu(words: Words, { name, links }: Person, csrfToken: string): Html {
  const { shown = [], folded = [] } = Object.groupBy(links, ({ isFolded }) => (isFolded ? 'folded' : 'shown'))
  return html`<details class="menu person"><summary><span class="sr-only">${words.t('ui.menu_of', { name })}</span>${avatarView({ name })}<span class="person-name" aria-hidden="true">${name}</span>${iconView('chevron-down', { size: 16 })}</summary>
<div class="menu-list"><p class="menu-name">${name}</p>
${shown.map((item) => navLink(item, 18))}
${folded.length > 0 && html`<details class="menu-more" ${attrs({ open: folded.some((item) => item.current) })}><summary class="menu-item">${iconView('ellipsis', { size: 18 })}<span>${words.t('ui.more_of_account')}</span></summary>${folded.map((item) => navLink(item, 18))}</details>`}
<div class="theme-switch" role="group" aria-label="${words.t('ui.theme')}" data-themes hidden>${(
    [
      ['auto', 'monitor', words.t('ui.theme_auto')],
      ['light', 'sun', words.t('ui.theme_light')],
      ['dark', 'moon', words.t('ui.theme_dark')],
    ] as const
  ).map(
    ([theme, icon, label]) =>
      html`<button type="button" data-theme-choice="${theme}" title="${label}">${iconView(icon, { size: 18 })}<span class="sr-only">${label}</span></button>`,
  )}</div>
<form method="post" action="/accounts/logout/"><input type="hidden" name="csrf_token" value="${csrfToken}"><button class="menu-item">${iconView('log-out', { size: 18 })}${words.t('ui.sign_out')}</button></form>
</div></details>`
}

function bottomBar(words: Words, nav: readonly NavItem[]): Html {
  // The fifth position is the last item or “More”, never a “More” with a single item.
  const shown = nav.length <= 5 ? nav : nav.slice(0, 4)
  const rest = nav.slice(shown.length)
  return html`<nav class="bottom-bar" aria-label="${words.t('ui.bottom_nav')}">${shown.map((item) => navLink({ ...item, label: item.shortLabel ?? item.label }, 22))}${
    rest.length > 0 &&
    html`<details class="menu more"><summary ${attrs({ class: rest.some((item) => item.current) && 'current' })}>${iconView('ellipsis', { size: 22 })}<span>${words.t('ui.more')}</span></summary><div class="menu-list">${rest.map((item) => navLink(item, 20))}</div></details>`
  }</nav>`
}

function navLink({ href, label, icon, current }: NavItem, size: number): Html {
  return html`<a class="menu-item" href="${href}" ${attrs({ 'aria-current': current && 'page' })}>${iconView(icon, { size })}<span>${label}</span></a>`
}

function sectionNav({ label, items }: { label: string; items: readonly NavItem[] }): Html {
  return html`<nav class="section-nav" aria-label="${label}">${items.map((item) => navLink(item, 18))}</nav>`
}

const footLinksView = (links: readonly { href: string; label: string }[]): Html =>
  html`<nav class="foot-links">${links.map(({ href, label }) => html`<a href="${href}">${label}</a>`)}</nav>`

function footer({ words, siteName, version, footLinks = [] }: LayoutData): Html {
  return html`<footer class="site-foot"><span>${siteName}</span>${footLinks.length > 0 && footLinksView(footLinks)}${version && html`<span>${words.t('ui.version', { version })}</span>`}</footer>`
}
