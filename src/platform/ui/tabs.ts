import { attrs, type Html, html } from '#platform/html/html.ts'

export type Tab = { href: string; label: string; count?: number | undefined; current?: boolean | undefined }

/** Links and not widgets: each tab is an address that can be shared and opened without a script. */
export function tabsView({ label, tabs }: { label: string; tabs: readonly Tab[] }): Html {
  return html`<nav class="tabs" aria-label="${label}">${tabs.map(
    (tab) =>
      html`<a href="${tab.href}" ${attrs({ 'aria-current': tab.current && 'page' })}>${tab.label}${tab.count !== undefined && html` <span class="tab-count">${tab.count}</span>`}</a>`,
  )}</nav>`
}
