import type { Reason, ReasonContext, State } from '#features/staffing/staffing/rules/model.ts'
import { noteView, reasonText } from '#features/staffing/staffing/views/reasons.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { checkboxField, hiddenField, textField } from '#platform/ui/fields.ts'
import { fieldsetView, linkButtonView } from '#platform/ui/form.ts'
import { errorOf, type FormState, fieldValue, isChecked } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { companionsForm, leaveField, nameField } from './schema.ts'

type CompanionsData = {
  words: Words
  now: Date
  csrfToken: string
  shift: { title: string; start: Date; end: Date; eventPath: string; path: string }
  /** Undefined: the person takes part. */
  refusal: string | undefined
  needsDecision: boolean
  companions: readonly { id: number; name: string; state: State; isIn: boolean }[]
  /** How many more the person may bring. */
  left: number
  max: number
  state: FormState
}

export function companionsView(data: CompanionsData): Html {
  const { words, now, csrfToken, shift, refusal, companions, left, max, state } = data
  const facts = html`<span class="fact">${iconView('calendar-clock', { size: 18 })}<span>${words.span(shift.start, shift.end, now)}</span></span><span class="fact">${shift.title}</span>`
  const back = { href: shift.eventPath, label: words.t('signup.back') }
  const head = pageHeadView({ title: words.t('signup.bring_others'), facts })
  if (refusal !== undefined) return html`${head}${noteView('lock', html`${refusal}`)}<p>${linkButtonView(back)}</p>`
  return html`${head}<p>${words.t('companions.intro', { count: max })}${data.needsDecision && html` ${words.t('companions.decided')}`}</p>
${companionsForm.view({
  words,
  csrfToken,
  state,
  action: shift.path,
  cancel: back,
  submit: words.t('companions.save'),
  layout: (field) => [
    hiddenField('seen', fieldValue(state.values, 'seen')),
    companions.map((companion, index) => companionView(data, companion, index + 1)),
    left > 0
      ? fieldsetView({
          legend: words.t('companions.add'),
          help: words.t('companions.left', { count: left }),
          fields: html`${field('add', { attributes: { max: left } })}${field('names')}`,
        })
      : noteView('lock', html`${words.t('companions.none_left')}`),
  ],
})}`
}

function companionView(
  { words, state }: CompanionsData,
  { id, name, state: place, isIn }: CompanionsData['companions'][number],
  number: number,
): Html {
  const label = words.t('companions.person', { number })
  const badge = badgeView({
    tone: place === 1 ? 'good' : place === 0 ? 'info' : 'quiet',
    text: words.t(`companions.state.${place}`),
  })
  if (!isIn) return fieldsetView({ legend: label, fields: html`<p>${name} ${badge}</p>` })
  const [nameOf, leaveOf] = [nameField(id), leaveField(id)]
  return fieldsetView({
    legend: label,
    fields: html`<p>${badge}</p>${textField({
      words,
      name: nameOf,
      label: words.t('companions.name'),
      value: fieldValue(state.values, nameOf),
      error: errorOf(state.errors, nameOf),
      attributes: { maxlength: 254, autocomplete: 'off' },
    })}${checkboxField({ words, name: leaveOf, label: words.t('companions.leave'), checked: isChecked(state.values, leaveOf), error: errorOf(state.errors, leaveOf) })}`,
  })
}

/** The texts of the sign-up form are about the reader. */
export function companionReasonText(reasonContext: ReasonContext, reason: Reason): string {
  const { words } = reasonContext
  switch (reason.code) {
    case 'full':
    case 'not_qualified':
    case 'type_not_qualified':
    case 'may_not_leave':
      return words.t(`companions.reason.${reason.code}`)
    case 'age_unknown':
      return words.t('companions.reason.age_unknown', { age: reason.minimumAge })
    default:
      return reasonText(reasonContext, reason)
  }
}
