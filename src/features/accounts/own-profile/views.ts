import { settingsCrumbs } from '#features/accounts/users/views/settings.ts'
import { MAX_PICTURE_BYTES, PICTURE_TYPES } from '#platform/files/file-types.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { addressText } from '#platform/ui/contact.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { emailChangeForm, PROFILE_PICTURE, pictureForm, proposalForm } from './schema.ts'

export const PROFILE = '/settings/profile/'
export const EMAIL = `${PROFILE}email/`
export const ADDRESS = `${PROFILE}address/`
export const PROPOSE = `${PROFILE}propose/`
export const PICTURE = `${PROFILE}picture/`
export const picturePath = (userId: number, fileId: string): string => `/people/${userId}/picture/?v=${fileId.slice(0, 8)}`
export const profileCrumbs = (words: Words) => settingsCrumbs(words, 'profile')

type SectionsData = {
  words: Words
  email: string
  hasMail: boolean
  waiting: { newEmail: string } | undefined
  picture: string | undefined
  name: string
}

/** Below the data on the profile page. */
export function profileSectionsView({ words, email, hasMail, waiting, picture, name }: SectionsData): Html {
  const image = picture
    ? html`<img class="profile-picture" src="${picture}" alt="${words.t('profiles.picture_of', { name })}" width="96" height="96">`
    : html`<p class="muted">${words.t('profiles.no_picture')}</p>`
  const change = hasMail
    ? linkButtonView({ href: EMAIL, label: words.t('profiles.change_email'), icon: 'mail' })
    : html`<p class="muted">${words.t('profiles.no_mail')}</p>`
  return html`${cardView({
    title: words.t('profiles.picture'),
    body: html`<div class="cluster">${image}</div>`,
    footer: linkButtonView({
      href: PICTURE,
      label: words.t(picture ? 'profiles.change_picture' : 'profiles.add_picture'),
      icon: 'upload',
    }),
  })}
${cardView({
  title: words.t('profiles.email'),
  body: html`<p>${words.t('profiles.email_is', { email: addressText(words, email) })}</p>${waiting && html`<p class="notice tone-warn">${words.t('profiles.email_waiting', { email: waiting.newEmail })}</p>`}`,
  footer: change,
})}`
}

type AddressData = {
  words: Words
  now: Date
  csrfToken: string
  email: string
  failure: { since: Date | null; reason: string | null } | undefined
  hasMail: boolean
}

/** Mails to the own address come back. */
export function addressView({ words, now, csrfToken, email, failure, hasMail }: AddressData): Html {
  const head = pageHeadView({ title: words.t('profiles.address_title') })
  if (!failure) return html`${head}<p>${words.t('profiles.address_works', { email })}</p>`
  const since = failure.since
    ? words.t('profiles.address_since', { email, when: words.relative(failure.since, now) })
    : words.t('profiles.address_failed', { email })
  const buttons = html`<div class="button-row">${hasMail && linkButtonView({ href: EMAIL, label: words.t('profiles.address_other'), kind: 'primary', icon: 'mail' })}${postButtonView({ action: ADDRESS, csrfToken, label: words.t('profiles.address_try'), kind: 'secondary' })}</div>`
  return html`${head}${cardView({
    body: html`<p class="wrap">${since}</p>${failure.reason && html`<p class="muted wrap">${words.t('profiles.address_reason', { reason: failure.reason })}</p>`}<p>${words.t('profiles.address_help')}</p>${!hasMail && html`<p>${words.t('profiles.no_mail')}</p>`}`,
    footer: buttons,
  })}`
}

type FormData = { words: Words; csrfToken: string; state: FormState }

export function emailChangeView({
  words,
  csrfToken,
  state,
  email,
  waiting,
}: FormData & { email: string; waiting: { newEmail: string } | undefined }): Html {
  const form = emailChangeForm.view({
    words,
    csrfToken,
    action: EMAIL,
    state,
    submit: { label: words.t('profiles.send_confirmation'), icon: 'mail' },
    cancel: { href: PROFILE },
  })
  const withdraw =
    waiting &&
    html`<div class="notice tone-warn"><div><p>${words.t('profiles.email_waiting', { email: waiting.newEmail })}</p>${postButtonView({ action: `${EMAIL}withdraw/`, csrfToken, label: words.t('profiles.withdraw'), kind: 'secondary', small: true })}</div></div>`
  return html`${pageHeadView({ title: words.t('profiles.change_email'), facts: words.t('profiles.email_is', { email }) })}
${withdraw}<p>${words.t('profiles.email_how')}</p>${form}`
}

export function confirmEmailView({
  words,
  csrfToken,
  action,
  newEmail,
  email,
}: {
  words: Words
  csrfToken: string
  action: string
  newEmail: string
  email: string
}): Html {
  return html`${pageHeadView({ title: words.t('profiles.confirm_title') })}
<p>${words.t('profiles.confirm_text', { from: addressText(words, email), to: newEmail })}</p>
<div class="button-row">${postButtonView({ action, csrfToken, label: words.t('profiles.confirm'), icon: 'check' })}${linkButtonView({ href: PROFILE, label: words.t('ui.cancel'), kind: 'quiet' })}</div>`
}

export function deadLinkView(words: Words, text: string): Html {
  return html`<h1>${words.t('profiles.dead_title')}</h1><p>${text}</p><p>${linkButtonView({ href: '/', label: words.t('profiles.home') })}</p>`
}

export function stopView({
  words,
  csrfToken,
  action,
  what,
}: {
  words: Words
  csrfToken: string
  action: string
  what: 'stop' | 'revert'
}): Html {
  return html`<h1>${words.t('profiles.stop_title')}</h1>
<p>${words.t(what === 'stop' ? 'profiles.stop_text' : 'profiles.revert_text')}</p><p>${words.t('profiles.stop_also')}</p>
${postButtonView({ action, csrfToken, label: words.t(what === 'stop' ? 'profiles.stop' : 'profiles.revert'), kind: 'danger' })}`
}

export function stoppedView(words: Words, what: 'stop' | 'revert'): Html {
  return html`<h1>${words.t(what === 'stop' ? 'profiles.stopped_title' : 'profiles.reverted_title')}</h1>
<p>${words.t('profiles.stopped_text')}</p><p>${linkButtonView({ href: '/accounts/login/', label: words.t('profiles.sign_in') })}</p>`
}

export function proposalView({
  words,
  csrfToken,
  state,
  isNameLocked,
  today,
}: FormData & { isNameLocked: boolean; today: string }): Html {
  const form = proposalForm.view({
    words,
    csrfToken,
    action: PROPOSE,
    state,
    submit: words.t('profiles.propose'),
    cancel: { href: PROFILE },
    layout: (field) => [isNameLocked && field('name'), field('date_of_birth', { attributes: { max: today } }), field('note')],
  })
  return html`${pageHeadView({ title: words.t('profiles.propose_title'), facts: words.t('profiles.propose_text') })}${form}`
}

export function pictureView({
  words,
  csrfToken,
  state,
  picture,
  name,
}: FormData & { picture: string | undefined; name: string }): Html {
  const form = pictureForm.view({
    words,
    csrfToken,
    action: PICTURE,
    state,
    guard: false,
    attributes: { enctype: 'multipart/form-data' },
    submit: { label: words.t('profiles.picture_save'), icon: 'upload' },
    cancel: { href: PROFILE },
    layout: (field) =>
      field('picture', {
        attributes: { accept: PICTURE_TYPES.join(','), 'data-max-side': PROFILE_PICTURE.maxSide },
        sizeLimit: { maxBytes: MAX_PICTURE_BYTES, message: words.t('profiles.picture_large') },
      }),
  })
  const present =
    picture &&
    html`<p><img class="profile-picture" src="${picture}" alt="${words.t('profiles.picture_of', { name })}" width="96" height="96"></p>${postButtonView({ action: `${PICTURE}remove/`, csrfToken, label: words.t('profiles.picture_remove'), kind: 'quiet', icon: 'trash-2' })}`
  return html`${pageHeadView({ title: words.t('profiles.picture'), facts: words.t('profiles.picture_who') })}${present}${form}`
}
