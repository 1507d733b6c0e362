import { askPath } from '#features/staffing/disposition/rules/paths.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { textField } from '#platform/ui/fields.ts'
import { buttonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import type { Candidate } from '../queries/candidates.ts'
import type { ListButton } from '../schema.ts'

export type ChoosingData = {
  /** Part of a name. */
  query: string
  people: readonly Candidate[]
  /** Somebody has the name; the others are ticked already. */
  hasFound: boolean
  /** There are more than these. */
  isCut: boolean
  chosen: ReadonlySet<number>
  isOpen: boolean
}

/** People to tick, folded. They belong to the form above, which has the message and all else. */
export function choosingView(
  data: ReasonContext & { shift: { id: number; start: Date } },
  formId: string,
  { query, people, hasFound, isCut, chosen, isOpen }: ChoosingData,
): Html {
  const { words, shift } = data
  const button = (who: ListButton, label: string, more: { kind: 'secondary' | 'quiet'; icon?: 'list-filter' }) =>
    buttonView({
      label,
      ...more,
      name: 'who',
      value: who,
      attributes: { form: formId, formaction: `${askPath(shift.id)}#choose` },
    })
  const isAll = people.length > 0 && people.every(({ id }) => chosen.has(id))
  return html`<details class="fold ask-choose" id="choose" ${attrs({ open: isOpen })}><summary>${iconView('users', { size: 18 })}<span>${words.t('inquiries.choose')}</span>${iconView('chevron-down', { size: 18 })}</summary><div class="stack">
<div class="filters">${textField({ words, name: 'q', type: 'search', label: words.t('inquiries.search_name'), value: query, attributes: { autocomplete: 'off', form: formId } })}<div class="filter-actions">${button('search', words.t('inquiries.search'), { kind: 'secondary', icon: 'list-filter' })}${query && button('clear', words.t('inquiries.search_reset'), { kind: 'quiet' })}</div></div>
${!hasFound && html`<p>${words.t('inquiries.nobody_found')}</p>`}${
  people.length > 0 &&
  html`<fieldset class="field group ask-people"><legend>${words.t('inquiries.people')}</legend>${people.map((person) => personView(data, formId, person, chosen.has(person.id)))}</fieldset>
${isCut && html`<p class="help">${words.t('inquiries.people_cut')}</p>`}
<div class="cluster">${buttonView({ label: words.t('inquiries.send'), icon: 'send', kind: 'secondary', name: 'who', value: 'chosen', attributes: { form: formId } })}${hasFound && button(isAll ? 'none' : 'all', words.t(isAll ? 'inquiries.none_shown' : 'inquiries.all_shown'), { kind: 'quiet' })}</div>`
}</div></details>`
}

function personView(
  { words, now, titleOf, shift }: ReasonContext & { shift: { start: Date } },
  form: string,
  { id, name, lastAskedAt, asked, hours, skills, needsForm }: Candidate,
  checked: boolean,
): Html {
  const facts = [
    ...(skills.length ? [words.list(skills.map((id) => titleOf(id)))] : []),
    lastAskedAt ? words.t('inquiries.last_asked', { when: words.relative(lastAskedAt, now) }) : words.t('inquiries.never_asked'),
    ...(asked > 1 ? [words.t('inquiries.asked_times', { count: asked })] : []),
    words.t('inquiries.hours', { hours: words.number(hours), month: words.month(shift.start) }),
    ...(needsForm ? [words.t('inquiries.needs_form')] : []),
  ]
  const box = { type: 'checkbox', id: `ask-${id}`, name: 'people', value: id, form, checked }
  return html`<label class="choice" for="ask-${id}"><input ${attrs({ ...box, 'aria-describedby': `ask-${id}-facts` })}><span>${name}<small id="ask-${id}-facts">${facts.join(' · ')}</small></span></label>`
}
