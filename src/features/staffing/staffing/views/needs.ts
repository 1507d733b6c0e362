import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Need, Needs } from '../queries/needs.ts'

export type ShiftNeeds = Pick<Needs, 'minimumAge' | 'qualifications' | 'requirements' | 'units'>

export function formatBounds(words: Words, { min, max }: Pick<Need, 'min' | 'max'>): string {
  if (max === null) return min > 0 ? words.t('event.at_least', { min }) : words.t('event.any_number')
  if (min === max) return words.number(min)
  return min > 0 ? words.t('event.range', { min, max }) : words.t('event.up_to', { max })
}

/** Qualifications, units and minimum age that the shift requires. */
export function needsView(words: Words, { minimumAge, qualifications, requirements, units }: ShiftNeeds): Html | false {
  const lines = [
    ...requirements.map((need) =>
      need.title === null
        ? words.t('event.need_any', { count: formatBounds(words, need) })
        : words.t('event.need', { count: formatBounds(words, need), title: need.title }),
    ),
    ...qualifications,
    ...units,
    ...(minimumAge === null ? [] : [words.t('event.from_age', { age: minimumAge })]),
  ]
  if (!lines.length) return false
  return html`<p class="needs"><b>${words.t('ui.label', { label: words.t('event.needs') })}</b> ${lines.map((line, index) => html`<span>${line}${index < lines.length - 1 && '\u00a0·'}</span> `)}</p>`
}
