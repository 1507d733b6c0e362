import { type Html, html } from '#platform/html/html.ts'

export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/)
  const letters = parts.length > 1 ? [parts[0], parts.at(-1)] : [parts[0]]
  return letters
    .map((part) => [...(part ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase()
}

/** Decorative: the name is shown beside it. */
export function avatarView({ name }: { name: string }): Html {
  return html`<span class="avatar" aria-hidden="true">${initialsOf(name)}</span>`
}
