import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { copyView } from '#platform/ui/copy.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { type Declared, mailAgainPath, type OwnGuest, ownDetailsPath } from '../rules.ts'

type BannerData = {
  words: Words
  csrfToken: string
  token: string
  guest: OwnGuest
  declared: readonly Declared[]
  url: string
  hasMail: boolean
  /** On the sign-up pages, the name is enough. */
  isShort: boolean
}

export function guestBannerView({ words, csrfToken, token, guest, declared, url, hasMail, isShort }: BannerData): Html {
  const titlesOf = (state: Declared['state']) =>
    words.list(declared.filter((each) => each.state === state).map(({ title }) => title))
  const [waiting, rejected] = [titlesOf('waiting'), titlesOf('rejected')]
  return html`<aside class="visit-banner" aria-label="${words.t('guests.banner_label')}">
<span class="visit-icon">${iconView('user')}</span>
<div class="visit-text"><p class="visit-title">${words.t('guests.here_as', { name: guest.name })}</p>${
    !isShort &&
    html`<p class="visit-told">${words.t('guests.banner_text')}</p>${waiting && html`<p class="visit-told">${words.t('guests.declared_waiting', { list: waiting })}</p>`}${rejected && html`<p class="visit-told">${words.t('guests.declared_rejected', { list: rejected })}</p>`}`
  }</div>
${!isShort && html`<div class="visit-actions">${linkButtonView({ href: ownDetailsPath(token), label: words.t('guests.own_details'), kind: 'quiet', icon: 'pencil', small: true })}</div>`}</aside>
${!isShort && !guest.isProved && notProvedView({ words, csrfToken, token, email: guest.email, hasMail })}
${
  !isShort &&
  html`<details class="guest-link"><summary>${words.t('guests.own_link')}</summary>${copyView({
    words,
    id: 'own-link',
    label: words.t('guests.own_link'),
    value: url,
    help: words.t(
      !hasMail ? 'guests.own_link_help_screen' : guest.isProved ? 'guests.own_link_help' : 'guests.own_link_help_first',
    ),
  })}</details>`
}`
}

type NotProved = { words: Words; csrfToken: string; token: string; email: string; hasMail: boolean }

function notProvedView({ words, csrfToken, token, email, hasMail }: NotProved): Html {
  if (!hasMail)
    return html`<div class="notice tone-info">${iconView('info')}<div><p>${words.t('guests.not_proved_screen')}</p></div></div>`
  return html`<div class="notice tone-warn">${iconView('mail')}<div><p class="notice-title">${words.t('guests.not_proved_title', { email })}</p><p>${words.t('guests.not_proved_text')}</p>${postButtonView({ action: mailAgainPath(token), csrfToken, label: words.t('guests.mail_again'), kind: 'quiet', small: true, icon: 'send' })}</div></div>`
}
