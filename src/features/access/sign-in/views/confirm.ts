import { passkeyFormView } from '#features/access/second-factor/views/passkey-form.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, linkButtonView } from '#platform/ui/form.ts'
import type { FormState, FormValues } from '#platform/ui/form-values.ts'
import { confirmCodeForm, confirmPasswordForm } from '../schema.ts'
import { usernameField } from './security.ts'

export const CONFIRM = '/accounts/confirm/'

type ConfirmData = {
  words: Words
  csrfToken: string
  action: string
  /** The person wants to change what protects the account. */
  isOwnOnly: boolean
  /** Where the person came from. */
  cancel: string
  email: string
  state: FormState
  /** Which form the errors belong to. */
  method: 'password' | 'code' | 'passkey' | undefined
  /** The submitted form, sealed. */
  resume: string
  ways: { password: boolean; app: boolean; passkey: boolean; others: Child }
}

export function confirmSignInView(data: ConfirmData): Html {
  const { words, ways, cancel, state, method } = data
  const forms = [
    ways.passkey && passkeyPart(data),
    ways.app && codePart(data),
    ways.password && passwordPart(data),
    ways.others,
  ].filter((form) => form !== undefined && form !== false)
  const or = html`<p class="separator"><span>${words.t('second_step.or')}</span></p>`
  const errors = method === undefined || method === 'passkey' ? state.errors : []
  return html`<h1>${words.t('confirm_sign_in.title')}</h1>
<p>${words.t(data.isOwnOnly ? 'confirm_sign_in.intro_own' : 'confirm_sign_in.intro')}</p>
${errors.length > 0 && html`<div class="error-summary" role="alert" tabindex="-1" data-focus><ul>${errors.map(({ text }) => html`<li>${text}</li>`)}</ul></div>`}
${forms.length ? forms.map((form, at) => html`${at > 0 && or}${form}`) : html`<p>${words.t('confirm_sign_in.no_way')}</p>`}
<p>${linkButtonView({ href: cancel, label: words.t('ui.cancel'), kind: 'quiet', small: true })}</p>`
}

const stateOf = ({ state, method, resume }: ConfirmData, own: 'password' | 'code'): FormState => ({
  values: { method: own, resume },
  errors: method === own ? state.errors : [],
})

function passwordPart(data: ConfirmData): Html {
  const { words, csrfToken, action, email, ways } = data
  const isFirst = !ways.passkey && !ways.app
  return confirmPasswordForm.view({
    words,
    csrfToken,
    action,
    state: stateOf(data, 'password'),
    submit: { label: words.t('confirm_sign_in.submit'), kind: isFirst ? 'primary' : 'secondary' },
    guard: false,
    layout: (field) => [
      field('method'),
      field('resume'),
      usernameField(words, email),
      field('password', { attributes: { autofocus: isFirst && data.state.errors.length === 0 } }),
    ],
  })
}

function codePart(data: ConfirmData): Html {
  const { words, csrfToken, action, ways } = data
  return confirmCodeForm.view({
    words,
    csrfToken,
    action,
    state: stateOf(data, 'code'),
    submit: { label: words.t('confirm_sign_in.submit'), kind: ways.passkey ? 'secondary' : 'primary' },
    guard: false,
    layout: (field) => [field('method'), field('resume'), field('code')],
  })
}

const passkeyPart = ({ words, csrfToken, action, resume }: ConfirmData): Html =>
  passkeyFormView({
    words,
    csrfToken,
    action,
    options: `${CONFIRM}passkey/`,
    fields: html`${hiddenField('method', 'passkey')}${hiddenField('resume', resume)}`,
    submit: { label: words.t('second_step.passkey'), icon: 'key-round' },
  })

/** Sends the form again that was interrupted; by script at once, otherwise by its button. */
export function continueView({
  words,
  csrfToken,
  url,
  values,
}: {
  words: Words
  csrfToken: string
  url: string
  values: FormValues
}): Html {
  const fields = Object.entries(values).flatMap(([name, value]) => [value].flat().map((each) => hiddenField(name, String(each))))
  return html`<h1>${words.t('confirm_sign_in.done')}</h1>
<p>${words.t('confirm_sign_in.continue_text')}</p>
<form method="post" action="${url}" data-continue>${csrfField(csrfToken)}${fields}<div class="form-actions">${buttonView({ label: words.t('confirm_sign_in.continue') })}</div></form>`
}
