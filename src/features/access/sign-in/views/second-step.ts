import { passkeyFormView, passkeyMissingView } from '#features/access/second-factor/views/passkey-form.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxField } from '#platform/ui/fields.ts'
import { postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { codeForm, recoveryForm } from '../schema.ts'

export const SECOND_STEP = '/accounts/second-step/'
export const PASSKEY_SIGN_IN = '/accounts/passkey/'

type StepData = {
  words: Words
  csrfToken: string
  state: FormState
  kinds: { app: boolean; passkey: boolean; recovery: boolean }
  wantsRecovery: boolean
}

export function secondStepView(data: StepData): Html {
  const { words, csrfToken, wantsRecovery } = data
  const cancel = postButtonView({
    action: `${SECOND_STEP}cancel/`,
    csrfToken,
    label: words.t('ui.cancel'),
    kind: 'quiet',
    small: true,
  })
  return html`<h1>${words.t('second_step.title')}</h1>
${wantsRecovery ? recoveryView(data) : factorsView(data)}
${cancel}`
}

function recoveryView({ words, csrfToken, state }: StepData): Html {
  const form = recoveryForm.view({
    words,
    csrfToken,
    action: `${SECOND_STEP}?with=recovery`,
    state: { ...state, values: { ...state.values, method: 'recovery', code: '' } },
    submit: { label: words.t('sign_in.submit'), icon: 'log-in' },
    guard: false,
    layout: (field) => [field('method'), field('code', { attributes: { autofocus: state.errors.length === 0 } })],
  })
  return html`<p>${words.t('second_step.recovery_intro')}</p>${form}
<p><a href="${SECOND_STEP}">${words.t('second_step.back')}</a></p>`
}

function factorsView(data: StepData): Html {
  const { words, kinds } = data
  const recovery = html`<a href="${SECOND_STEP}?with=recovery">${words.t('second_step.use_recovery')}</a>`
  return html`${kinds.passkey && passkeyPart(data)}${kinds.app && codePart(data)}
<p>${kinds.recovery ? recovery : words.t('second_step.no_recovery')}</p>`
}

function passkeyPart({ words, csrfToken, kinds, state }: StepData): Html {
  const errors = kinds.app ? [] : state.errors
  const form = passkeyFormView({
    words,
    csrfToken,
    action: SECOND_STEP,
    options: `${SECOND_STEP}passkey/`,
    fields: html`<input type="hidden" name="method" value="passkey">${!kinds.app && checkboxField({ words, name: 'trust', label: words.t('second_step.trust'), help: words.t('second_step.trust_help') })}`,
    submit: { label: words.t('second_step.passkey'), icon: 'key-round', kind: kinds.app ? 'secondary' : 'primary' },
  })
  const missing = words.t(kinds.app ? 'second_step.passkey_missing_app' : 'second_step.passkey_missing')
  return html`${!kinds.app && html`<p>${words.t('second_step.passkey_intro')}</p>`}
${errors.length > 0 && html`<div class="error-summary" role="alert" tabindex="-1" data-focus><ul>${errors.map(({ text }) => html`<li>${text}</li>`)}</ul></div>`}
${passkeyMissingView(missing)}${form}
${kinds.app && html`<p class="separator"><span>${words.t('second_step.or')}</span></p>`}`
}

function codePart({ words, csrfToken, state, kinds }: StepData): Html {
  const form = codeForm.view({
    words,
    csrfToken,
    action: SECOND_STEP,
    state: { ...state, values: { ...state.values, method: 'code', code: '' } },
    submit: { label: words.t('sign_in.submit'), icon: 'log-in' },
    guard: false,
    layout: (field) => [
      field('method'),
      field('code', { attributes: { autofocus: state.errors.length === 0 && !kinds.passkey } }),
      field('trust'),
    ],
  })
  return html`<p>${words.t('second_step.intro')}</p>${form}`
}
