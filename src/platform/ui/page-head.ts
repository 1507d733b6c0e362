import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { iconView } from './icon.ts'

export type Crumb = { href: string; label: string }

export function breadcrumbView({ words, crumbs }: { words: Words; crumbs: readonly Crumb[] }): Html {
  return html`<nav class="breadcrumb" aria-label="${words.t('ui.breadcrumb')}"><ol>${crumbs.map(
    ({ href, label }) => html`<li><a href="${href}">${label}</a>${iconView('chevron-right', { size: 14 })}</li>`,
  )}</ol></nav>`
}

/** Contains the h1 of the page. Actions are at the right, on phones at the bottom. */
export function pageHeadView({
  title,
  facts,
  badge,
  actions,
}: {
  title: string
  facts?: Child
  badge?: Html | false | undefined
  actions?: readonly (Html | false | null | undefined)[]
}): Html {
  const shown = (actions ?? []).filter(Boolean)
  return html`<header class="page-head"><div class="page-title"><h1>${title}</h1>${badge}${facts && html`<p class="facts">${facts}</p>`}</div>${shown.length > 0 && html`<div class="page-actions">${shown}</div>`}</header>`
}
