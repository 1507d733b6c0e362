import { type Child, type Html, html } from '#platform/html/html.ts'

export function cardView({
  title,
  aside,
  body,
  footer,
}: {
  title?: string | undefined
  aside?: Child
  body: Child
  footer?: Child
}): Html {
  return html`<section class="card">${title && html`<header class="card-head"><h2>${title}</h2>${aside && html`<div class="card-aside">${aside}</div>`}</header>`}<div class="card-body">${body}</div>${footer && html`<footer class="card-foot">${footer}</footer>`}</section>`
}

/** Names and values, one line each. */
export function factListView(facts: readonly { name: string; value: Child }[]): Html {
  return html`<dl class="fact-list">${facts.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Cards of equal weight side by side where there is room. */
export function gridView(...items: Child[]): Html {
  return html`<div class="grid">${items}</div>`
}
