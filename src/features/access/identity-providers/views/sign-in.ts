import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { linkButtonView } from '#platform/ui/form.ts'

export const startPath = (providerId: number, next: string): string =>
  `/accounts/oidc/${providerId}/${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}`
export const linkStartPath = (providerId: number): string => `/accounts/oidc/${providerId}/link/`
export const CONFIRM_LINK = '/accounts/oidc/link/'
export const SIGNED_OUT = '/accounts/signed-out/'
const LOCAL_SIGN_IN = '/accounts/login/?local=true'

type Button = { id: number; label: string }

export function providerButtonsView(words: Words, providers: readonly Button[], next: string): Html {
  const buttons = providers.map(({ id, label }) =>
    linkButtonView({
      href: startPath(id, next),
      label: words.t('identity.sign_in_with', { label }),
      kind: 'secondary',
      icon: 'log-in',
    }),
  )
  return html`<div class="sign-in-ways">${buttons}</div>`
}

/** For a person who is signed in and shows again who they are. */
export function againButtonsView(words: Words, providers: readonly Button[], next: string): Html {
  const buttons = providers.map(({ id, label }) =>
    linkButtonView({
      href: `/accounts/oidc/${id}/again/?next=${encodeURIComponent(next)}`,
      label: words.t('identity.confirm_with', { label }),
      icon: 'log-in',
    }),
  )
  return html`<div class="sign-in-ways">${buttons}</div>`
}

type RefusalReason =
  | 'inactive'
  | 'no_account'
  | 'email_missing'
  | 'email_unverified'
  | 'denied'
  | 'failed'
  | 'unreachable'
  | 'linked_elsewhere'
  | 'not_again'
  | 'without_time'

/** Reasons for which another attempt may help. */
const RETRIED: readonly RefusalReason[] = ['denied', 'failed', 'unreachable', 'email_unverified']

type RefusalData = { words: Words; reason: RefusalReason; label: string; providerId: number; next: string }

/** The title of the page is the first heading. */
export const refusalTitle = (words: Words, reason: RefusalReason, label: string): string =>
  words.t(`identity.${reason}_title`, { label })

export function refusalView({ words, reason, label, providerId, next }: RefusalData): Html {
  const again =
    RETRIED.includes(reason) &&
    linkButtonView({ href: startPath(providerId, next), label: words.t('identity.try_again'), kind: 'primary' })
  const other = linkButtonView({
    href: LOCAL_SIGN_IN,
    label: words.t('identity.other_way'),
    kind: again ? 'secondary' : 'primary',
  })
  return html`<h1>${refusalTitle(words, reason, label)}</h1>
<p>${words.t(`identity.${reason}_text`, { label })}</p>
<div class="sign-in-ways">${again}${other}</div>`
}

/** The browser did not start the sign-in, or too long ago. */
export function notStartedView(words: Words): Html {
  return html`<h1>${words.t('identity.not_started_title')}</h1>
<p>${words.t('identity.not_started_text')}</p>
<div class="sign-in-ways">${linkButtonView({ href: '/accounts/login/', label: words.t('identity.start_again'), kind: 'primary' })}</div>`
}

/** An account with a way to sign in is linked only after its owner has used that way. */
export function signInToLinkView(words: Words, label: string): Html {
  const href = `/accounts/login/?local=true&next=${encodeURIComponent(CONFIRM_LINK)}`
  return html`<h1>${words.t('identity.prove_title')}</h1>
<p>${words.t('identity.prove_text', { label })}</p>
<div class="sign-in-ways">${linkButtonView({ href, label: words.t('identity.prove_action'), kind: 'primary', icon: 'log-in' })}</div>`
}

export function signedOutView(words: Words, provider: { label: string; url: string } | undefined): Html {
  if (provider)
    return html`<h1>${words.t('identity.signed_out_title')}</h1>
<p>${words.t('identity.signed_out_there', { label: provider.label })}</p>
<div class="sign-in-ways">${linkButtonView({ href: provider.url, label: words.t('identity.sign_out_of', { label: provider.label }), kind: 'primary', icon: 'log-out' })}</div>`
  return html`<h1>${words.t('identity.signed_out_title')}</h1>
<p>${words.t('identity.signed_out_text')}</p>
<div class="sign-in-ways">${linkButtonView({ href: '/accounts/login/', label: words.t('identity.start_again'), kind: 'primary' })}</div>`
}
