import { type Child, type Html, html } from '#platform/html/html.ts'
import { avatarView } from './avatar.ts'
import { iconView } from './icon.ts'
import { tabsView } from './tabs.ts'

type BoardColumn = { id: string; title: string; count?: string | number | undefined; none: string; cards: readonly Html[] }

/** Columns side by side; phones show one at a time, chosen by tabs (`#id`). */
export function boardView({ label, columns }: { label: string; columns: readonly BoardColumn[] }): Html {
  return html`<div class="board-tabs">${tabsView({
    label,
    tabs: columns.map(({ id, title, count }) => ({ href: `#${id}`, label: count === undefined ? title : `${title} ${count}` })),
  })}</div>
<div class="board" role="region" aria-label="${label}" tabindex="0">${columns.map(
    ({ id, title, count, none, cards }) =>
      html`<section class="board-column" id="${id}"><h2>${title}${count !== undefined && html`<span>${count}</span>`}</h2>${cards.length > 0 ? html`<ul role="list">${cards}</ul>` : html`<p class="board-none">${none}</p>`}</section>`,
  )}</div>`
}

type BoardCardData = {
  name: string
  detail?: string | undefined
  note?: string | undefined
  warning?: string | undefined
  badges?: readonly Html[] | undefined
  actions?: Child
}

export function boardCardView({ name, detail, note, warning, badges = [], actions }: BoardCardData): Html {
  return html`<li class="board-card"><div class="board-who">${avatarView({ name })}<div><b>${name}</b>${detail && html`<small>${detail}</small>`}</div></div>${badges.length > 0 && html`<div class="cluster">${badges}</div>`}${warning && html`<p class="board-warning">${iconView('triangle-alert', { size: 16 })}${warning}</p>`}${note && html`<p class="board-note">${note}</p>`}${actions && html`<div class="board-actions">${actions}</div>`}</li>`
}

/** An open place. */
export function boardGapView({ label, text }: { label: string; text: string }): Html {
  return html`<li class="board-card open"><span><b>${label}</b> – ${text}</span></li>`
}
