import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import type { Passkey } from '../queries.ts'

export const SECURITY = '/settings/security/'
export const REQUIRED = '/settings/security/second-factor/'
export const APP = '/settings/security/app/'
export const RECOVERY = '/settings/security/recovery-codes/'
export const PASSKEYS = '/settings/security/passkeys/'
export const TRUSTED = '/settings/security/trusted-devices/'
export const passkeyPath = (id: number, what = ''): string => `${PASSKEYS}${id}/${what && `${what}/`}`
export type SectionData = {
  words: Words
  now: Date
  csrfToken: string
  factors: {
    app: { createdAt: Date; lastUsedAt: Date | null } | undefined
    passkeys: readonly Passkey[]
    recoveryCodes: number
    trustedDevices: number
  }
  /** Passkeys do not work under the address of every instance. */
  hasPasskeys: boolean
}

/** Codes to be replaced soon. */
const FEW_CODES = 3

export function factorSectionView(data: SectionData): Html {
  const { words, factors } = data
  const isOn = factors.app !== undefined || factors.passkeys.length > 0
  const aside = badgeView(isOn ? { tone: 'good', text: words.t('factor.on') } : { tone: 'quiet', text: words.t('factor.off') })
  const body = html`<p class="muted">${words.t('factor.intro')}</p>
<ul class="action-list" role="list">${appLine(data)}${(data.hasPasskeys || factors.passkeys.length > 0) && passkeyLines(data)}${isOn && recoveryLine(data)}${isOn && factors.trustedDevices > 0 && trustedLine(data)}</ul>`
  return cardView({ title: words.t('factor.title'), aside, body })
}

const lineView = (text: Html, actions: Html | false): Html =>
  html`<li class="factor"><div>${text}</div>${actions && html`<div class="cluster">${actions}</div>`}</li>`

const usedText = (words: Words, now: Date, lastUsedAt: Date | null): string =>
  lastUsedAt ? words.t('factor.last_used', { when: words.relative(lastUsedAt, now) }) : words.t('factor.never_used')

function appLine({ words, now, factors: { app } }: SectionData): Html {
  if (!app)
    return lineView(
      html`<b>${words.t('factor.app')}</b><p class="muted">${words.t('factor.app_text')}</p>`,
      linkButtonView({ href: APP, label: words.t('factor.app_set_up'), icon: 'phone', small: true }),
    )
  const since = words.t('factor.since', { date: words.date(app.createdAt) })
  return lineView(
    html`<b>${words.t('factor.app')}</b><p class="muted">${since} · ${usedText(words, now, app.lastUsedAt)}</p>`,
    html`${linkButtonView({ href: APP, label: words.t('factor.app_replace'), small: true })}${linkButtonView({ href: `${APP}remove/`, label: words.t('factor.remove'), kind: 'quiet', small: true, attributes: { 'aria-label': words.t('factor.app_remove') } })}`,
  )
}

function passkeyLines({ words, now, factors: { passkeys }, hasPasskeys }: SectionData): Html {
  const add = linkButtonView({ href: `${PASSKEYS}add/`, label: words.t('factor.passkey_add'), icon: 'key-round', small: true })
  return html`${lineView(html`<b>${words.t('factor.passkeys')}</b><p class="muted">${words.t('factor.passkeys_text')}</p>`, hasPasskeys && add)}${passkeys.map(
    ({ id, name, isSynced, createdAt, lastUsedAt }) =>
      lineView(
        html`<span class="cluster">${iconView('key-round')}<b>${name}</b>${isSynced && badgeView({ tone: 'quiet', text: words.t('factor.synced') })}</span><p class="muted">${words.t('factor.since', { date: words.date(createdAt) })} · ${usedText(words, now, lastUsedAt)}</p>`,
        html`${linkButtonView({ href: passkeyPath(id), label: words.t('factor.rename'), kind: 'quiet', small: true, attributes: { 'aria-label': words.t('factor.rename_of', { name }) } })}${linkButtonView({ href: passkeyPath(id, 'remove'), label: words.t('factor.remove'), kind: 'quiet', small: true, attributes: { 'aria-label': words.t('factor.remove_of', { name }) } })}`,
      ),
  )}`
}

function recoveryLine({ words, factors: { recoveryCodes } }: SectionData): Html {
  const left = words.t('factor.codes_left', { count: recoveryCodes })
  const few = recoveryCodes <= FEW_CODES && badgeView({ tone: 'warn', text: words.t('factor.codes_few') })
  return lineView(
    html`<span class="cluster"><b>${words.t('factor.recovery')}</b>${few}</span><p class="muted">${left}</p>`,
    linkButtonView({ href: RECOVERY, label: words.t('factor.codes_new'), small: true }),
  )
}

function trustedLine({ words, csrfToken, factors: { trustedDevices } }: SectionData): Html {
  return lineView(
    html`<b>${words.t('factor.trusted')}</b><p class="muted">${words.t('factor.trusted_count', { count: trustedDevices })}</p>`,
    postButtonView({ action: TRUSTED, csrfToken, label: words.t('factor.trusted_forget'), kind: 'quiet', small: true }),
  )
}
