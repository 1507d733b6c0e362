import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { type FormError, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { qrView } from '#platform/ui/qr.ts'
import type { OpenInvite } from '../queries/invites.ts'
import { inviteForm, joinForm } from '../schema.ts'
import { FEDERATION, hostOf, INVITE, invitePath, JOIN } from './links.ts'

type FormData = { words: Words; csrfToken: string; state: FormState }

export function inviteFormView({ words, csrfToken, state }: FormData): Html {
  const steps = (['federation.invite_what_1', 'federation.invite_what_2', 'federation.invite_what_3'] as const).map(
    (key) => html`<li>${words.t(key)}</li>`,
  )
  return html`${pageHeadView({ title: words.t('federation.invite') })}
${inviteForm.view({
  words,
  csrfToken,
  state,
  action: INVITE,
  submit: words.t('federation.invite_submit'),
  cancel: { href: FEDERATION },
  layout: (field) =>
    html`${field('url')}<section class="what-then"><h2>${words.t('federation.invite_what')}</h2><ol>${steps}</ol></section>`,
})}`
}

/** Where the administrators of the invited instance redeem it. */
const redeemLink = (guestUrl: string, shareString: string): string =>
  `${guestUrl}/settings/federation/hosts/add/?${new URLSearchParams({ code: shareString })}`

export function invitationView(data: {
  words: Words
  now: Date
  csrfToken: string
  invite: OpenInvite & { shareString: string }
}): Html {
  const { words, now, csrfToken, invite } = data
  const { id, url, expiresAt: at, shareString } = invite
  const host = hostOf(url)
  const link = redeemLink(url, shareString)
  return html`${pageHeadView({
    title: words.t('federation.invite_title', { host }),
    facts: words.t('federation.invite_until', { at: words.dateTime(at), when: words.relative(at, now) }),
  })}
${cardView({
  body: html`<div class="invitation"><div class="invitation-texts">${copyView({ words, id: 'share-string', label: words.t('federation.share_string'), value: shareString, help: words.t('federation.share_string_help', { host }) })}
${copyView({ words, id: 'share-link', label: words.t('federation.share_link'), value: link })}</div>
<figure class="qr-figure">${qrView({ text: link, title: words.t('federation.qr', { host }) })}<figcaption>${words.t('federation.qr_text', { host })}</figcaption></figure></div>`,
  footer: html`<div class="button-row">${linkButtonView({ href: FEDERATION, label: words.t('federation.back'), kind: 'primary' })}${postButtonView({ action: invitePath(id, 'withdraw'), csrfToken, label: words.t('federation.withdraw'), kind: 'quiet' })}</div>`,
})}`
}

export function joinFormView({ words, csrfToken, state }: FormData): Html {
  return html`${pageHeadView({ title: words.t('federation.join'), facts: words.t('federation.join_intro') })}
${joinForm.view({
  words,
  csrfToken,
  state,
  action: JOIN,
  submit: words.t('federation.look'),
  cancel: { href: FEDERATION },
  guard: false,
  layout: (field) => [hiddenField('step', 'look'), field('code')],
})}`
}

type JoinPreview = {
  words: Words
  csrfToken: string
  errors: readonly FormError[]
  code: string
  hostUrl: string
  ownUrl: string
  wasLinked: boolean
}

/** Shown before anything is sent to the host. */
export function joinPreviewView({ words, csrfToken, errors, code, hostUrl, ownUrl, wasLinked }: JoinPreview): Html {
  const host = hostOf(hostUrl)
  return html`${pageHeadView({ title: words.t('federation.preview_title', { host }) })}
${formView({
  words,
  csrfToken,
  errors,
  action: JOIN,
  guard: false,
  submit: words.t('federation.join_submit', { host }),
  cancel: { href: JOIN, label: words.t('federation.join_other_code') },
  fields: html`${hiddenField('step', 'join')}${hiddenField('code', code)}<p class="consent-host">${iconView('globe')}<span>${words.t('federation.preview_host')}: <b>${hostUrl}</b></span></p>
${factListView([
  { name: words.t('federation.preview_for'), value: words.t('federation.preview_for_us', { url: ownUrl }) },
  { name: words.t('federation.preview_told'), value: words.t('federation.preview_told_text') },
  { name: words.t('federation.preview_then'), value: words.t('federation.preview_then_text', { host }) },
])}${wasLinked && html`<p>${words.t('federation.preview_again')}</p>`}`,
})}`
}
