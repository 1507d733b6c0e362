import { attrs, type Html, html } from '#platform/html/html.ts'

export type Tab = { href: string; label: string; count?: number | undefined; current?: boolean | undefined }

/** Links instead of widgets: each tab has a URL and works without JavaScript. */
export function tabsView({ label, tabs }: { label: string; tabs: readonly Tab[] }): Html {
  return html`<nav class="tabs" aria-label="${label}">${tabs.map(
    (tab) =>
      html`<a href="${tab.href}" ${attrs({ 'aria-current': tab.current && 'page' })}>${tab.label}${tab.count !== undefined && html` <span class="tab-count">${tab.count}</span>`}</a>`,
  )}</nav>`
}
