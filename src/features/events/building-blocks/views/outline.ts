import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import type { HeadCount } from '../rules/head-count.ts'
import type { Outline } from '../rules/outline.ts'

/** Names of qualifications by id. */
export type Names = ReadonlyMap<number, { title: string; short: string }>

export function peopleText(words: Words, { min, max }: Pick<HeadCount, 'min' | 'max'>): string {
  if (max === null) return words.t('block.people_open', { min })
  return min === max ? words.t('block.people_exact', { min }) : words.t('block.people_range', { min, max })
}

export const shortNames = (names: Names, ids: readonly number[]): string[] => ids.flatMap((id) => names.get(id)?.short ?? [])

/** Nested lists, as on a shift. */
export function outlineView(words: Words, outline: Outline, names: Names): Html {
  const { title, name, optional, count, positions, allowMore, requirements, parts, leftOut } = outline
  const conditions = requirements.flatMap(({ everyone, atLeast, qualificationIds }) => {
    const list = words.list(shortNames(names, qualificationIds))
    if (!list) return []
    if (everyone) return [words.t('block.preview_everyone', { list })]
    return atLeast > 0 ? [words.t('block.preview_at_least', { count: atLeast, list })] : []
  })
  const optionalBadge = badgeView({ tone: 'quiet', text: words.t('block.optional') })
  return html`<div class="outline"><p class="outline-head"><b>${title}</b>${name && html` <span class="muted">${name}</span>`} <span class="outline-count">${peopleText(words, count)}</span>${optional && html` ${optionalBadge}`}</p>${conditions.map((text) => html`<p class="outline-condition">${text}</p>`)}${
    (positions.length > 0 || allowMore) &&
    html`<ul class="outline-positions">${positions.map(
      (position) =>
        html`<li><span>${position.label || words.t('block.preview_position')}</span> <span class="muted">${words.list(shortNames(names, position.qualificationIds)) || words.t('block.preview_any')}</span>${position.optional && html` ${optionalBadge}`}</li>`,
    )}${allowMore && html`<li class="muted">${words.t('block.preview_more')}</li>`}</ul>`
  }${parts.length > 0 && html`<ul class="outline-parts">${parts.map((part) => html`<li>${outlineView(words, part, names)}</li>`)}</ul>`}${leftOut > 0 && html`<p class="muted">${words.t('block.preview_left_out', { count: leftOut })}</p>`}</div>`
}
