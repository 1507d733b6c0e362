import { attrs, type Html, html } from '#platform/html/html.ts'
import { iconView } from '#platform/ui/icon.ts'
import type { BoardCard } from '../rules/board.ts'
import { badgesView } from './board-card.ts'
import { cardReasonText, type Naming } from './board-words.ts'

export type PersonToAdd = Pick<BoardCard, 'key' | 'who' | 'name' | 'held' | 'expiring' | 'isMinor' | 'hints'>
export type FindingData = {
  query: string
  fits: boolean
  free: boolean
  skill: string
  skills: readonly { id: number; title: string }[]
  page: number
  /** Undefined: nobody has searched yet. */
  found: { people: readonly PersonToAdd[]; hasMore: boolean } | undefined
  placeholder: string
  placeholderError: string | undefined
}

export function findingView(data: Naming, finding: FindingData): Html {
  const { words } = data
  const { query, fits, free, skill, skills, found, page } = finding
  const box = (name: 'fits' | 'free', checked: boolean) =>
    html`<label class="choice" for="find-${name}"><input ${attrs({ type: 'checkbox', id: `find-${name}`, name, checked })}><span>${words.t(`board.${name}`)}</span></label>`
  return html`<div class="dispo-find" role="search" data-find>
<div class="field"><label for="find-q">${words.t('board.search')}</label><input ${attrs({ type: 'search', id: 'find-q', name: 'q', value: query, autocomplete: 'off' })}></div>
<div class="dispo-boxes">${box('fits', fits)}${box('free', free)}</div>
<div class="field"><label for="find-skill">${words.t('board.skill')}</label><select id="find-skill" name="skill"><option value="">${words.t('board.any_skill')}</option>${skills.map(({ id, title }) => html`<option ${attrs({ value: id, selected: String(id) === skill })}>${title}</option>`)}</select></div>
<button class="button secondary small" name="do" value="search">${iconView('search', { size: 18 })}${words.t('board.search_button')}</button>
${found && html`<input type="hidden" name="page" value="${page}">`}
</div>
<div class="dispo-found" data-found>${
    !found
      ? html`<p class="board-none">${words.t('board.search_first')}</p>`
      : found.people.length
        ? html`<ul class="dispo-list" role="list">${found.people.map((person) => personView(data, person))}</ul>${found.hasMore && html`<button class="button quiet small" name="do" value="more">${words.t('board.more')}</button>`}`
        : html`<p class="board-none">${words.t('board.no_people')}</p>`
  }</div>
${placeholderView(data, finding)}`
}

function personView(data: Naming, person: PersonToAdd): Html {
  const { words } = data
  const { key, name, hints } = person
  return html`<li class="dispo-person"><div><b class="dispo-name">${name}</b>${badgesView(data, person)}${hints.map(
    (hint) =>
      html`<p class="dispo-note dispo-hint">${iconView('triangle-alert', { size: 14 })}<span>${cardReasonText(data, hint)}</span></p>`,
  )}</div><button class="button secondary small" id="add-${key}" name="do" value="add ${key}">${iconView('user-plus', { size: 18 })}<span>${words.t('board.add_button')}<span class="sr-only">: ${name}</span></span></button></li>`
}

function placeholderView({ words }: Naming, { placeholder, placeholderError }: FindingData): Html {
  const describedBy = placeholderError ? 'find-placeholder-error find-placeholder-help' : 'find-placeholder-help'
  return html`<div class="dispo-placeholder"><div class="field${placeholderError && ' wrong'}"><label for="find-placeholder">${words.t('board.placeholder_name')}</label><input ${attrs({ id: 'find-placeholder', name: 'placeholder', value: placeholder, maxlength: 254, autocomplete: 'off', 'aria-describedby': describedBy, 'aria-invalid': placeholderError ? 'true' : undefined })}>${placeholderError && html`<p class="field-error" id="find-placeholder-error">${iconView('circle-alert', { size: 16 })}<span>${placeholderError}</span></p>`}<p class="help" id="find-placeholder-help">${words.t('board.placeholder_help')}</p></div>
<button class="button secondary small" name="do" value="add-placeholder">${iconView('plus', { size: 18 })}${words.t('board.add_button')}</button></div>`
}
