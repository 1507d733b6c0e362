import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { copyView } from '#platform/ui/copy.ts'
import { buttonView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { qrView } from '#platform/ui/qr.ts'
import { passkeyForm, passkeyNameForm, totpForm } from '../schema.ts'
import { passkeyFormView, passkeyMissingView } from './passkey-form.ts'
import { APP, PASSKEYS, RECOVERY, SECURITY } from './section.ts'

type FormData = { words: Words; csrfToken: string; action: string; state: FormState }

export function appView(data: FormData & { setup: { sealed: string; secret: string; uri: string }; isReplaced: boolean }): Html {
  const { words, csrfToken, action, state, setup, isReplaced } = data
  const form = totpForm.view({
    words,
    csrfToken,
    action,
    state: { ...state, values: { setup: setup.sealed } },
    submit: words.t('factor.app_submit'),
    cancel: { href: SECURITY },
    guard: false,
    layout: (field) => [field('setup'), field('code')],
  })
  const secret = setup.secret.match(/.{1,4}/g)!.join(' ')
  return html`${pageHeadView({ title: words.t('factor.app_title') })}
<div class="stack">${isReplaced && html`<p class="notice tone-info">${words.t('factor.app_replaces')}</p>`}
<section class="card"><div class="card-body"><h2>${words.t('factor.app_first')}</h2><p>${words.t('factor.app_scan')}</p>
<div class="qr-box">${qrView({ text: setup.uri, title: words.t('factor.app_qr') })}</div>
<p>${linkButtonView({ href: setup.uri, label: words.t('factor.app_open'), icon: 'external-link' })}</p>
${copyView({ words, id: 'totp-secret', label: words.t('factor.app_secret'), value: secret, help: words.t('factor.app_secret_help') })}</div></section>
<section class="card"><div class="card-body"><h2>${words.t('factor.app_second')}</h2>${form}</div></section></div>`
}

/** `next`: where the person wanted to go before. */
type CodesData = { words: Words; csrfToken: string; codes: readonly string[]; next: string }

export function codesView({ words, csrfToken, codes, next }: CodesData): Html {
  const save = postButtonView({
    action: `${RECOVERY}file/`,
    csrfToken,
    fields: { codes: codes.join(' ') },
    label: words.t('factor.codes_save'),
    kind: 'secondary',
    icon: 'download',
  })
  const print = buttonView({
    label: words.t('factor.codes_print'),
    kind: 'secondary',
    icon: 'printer',
    attributes: { type: 'button', 'data-print': true, hidden: true },
  })
  return html`${pageHeadView({ title: words.t('factor.codes_title') })}
<div class="stack"><div class="notice tone-warn"><div><p class="notice-title">${words.t('factor.codes_once')}</p><p>${words.t('factor.codes_why')}</p></div></div>
<section class="card"><div class="card-body"><ol class="recovery-codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<div class="cluster">${save}${print}</div></div></section>
<p>${linkButtonView({ href: next, label: words.t('factor.codes_done'), kind: 'primary' })}</p></div>`
}

export function addPasskeyView({ words, csrfToken, action, state }: FormData): Html {
  const field = passkeyForm.fields(words, state)
  const form = passkeyFormView({
    words,
    csrfToken,
    action,
    create: true,
    options: `${PASSKEYS}options/`,
    fields: field('name'),
    submit: { label: words.t('factor.passkey_create'), icon: 'key-round' },
  })
  const errors = state.errors.filter(({ field: name }) => name === undefined)
  return html`${pageHeadView({ title: words.t('factor.passkey_add') })}
<section class="card"><div class="card-body"><p>${words.t('factor.passkey_intro')}</p>
${errors.length > 0 && html`<div class="error-summary" role="alert" tabindex="-1" data-focus><ul>${errors.map(({ text }) => html`<li>${text}</li>`)}</ul></div>`}
${passkeyMissingView(html`${words.t('factor.passkey_missing')} <a href="${APP}">${words.t('factor.app_instead')}</a>`)}${form}</div></section>`
}

export function renamePasskeyView({ words, csrfToken, action, state }: FormData): Html {
  const form = passkeyNameForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('factor.rename_submit'),
    cancel: { href: SECURITY },
  })
  return html`${pageHeadView({ title: words.t('factor.rename_title') })}<section class="card"><div class="card-body">${form}</div></section>`
}

type RequiredData = { words: Words; csrfToken: string; next: string; hasPasskeys: boolean }

/** The only page that people see who lack a required factor. */
export function requiredView({ words, csrfToken, next, hasPasskeys }: RequiredData): Html {
  const goOn = next === '/' ? '?next=%2F' : `?next=${encodeURIComponent(next)}`
  return html`<h1>${words.t('factor.required_title')}</h1>
<p>${words.t('factor.required_text')}</p>
<div class="stack">${linkButtonView({ href: `${APP}${goOn}`, label: words.t('factor.app_set_up'), kind: 'primary', icon: 'phone' })}
${hasPasskeys && linkButtonView({ href: `${PASSKEYS}add/${goOn}`, label: words.t('factor.passkey_add'), icon: 'key-round' })}
${postButtonView({ action: '/accounts/logout/', csrfToken, label: words.t('ui.sign_out'), kind: 'quiet' })}</div>`
}
