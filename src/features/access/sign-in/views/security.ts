import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import type { FieldDetails } from '#platform/ui/define-form.ts'
import { emailField } from '#platform/ui/fields.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { tableView } from '#platform/ui/table.ts'
import type { OwnSession } from '../queries.ts'
import { MIN_PASSWORD_LENGTH } from '../rules/passwords.ts'
import type { Strength } from '../rules/strength.ts'
import { parseUserAgent } from '../rules/user-agents.ts'
import { changePasswordForm } from '../schema.ts'
import { formatDevice } from './devices.ts'

type SecurityData = {
  words: Words
  email: string
  now: Date
  csrfToken: string
  devices: readonly OwnSession[]
  state: FormState
  hasPassword: boolean
  factorSection: Child
  /** Other ways to sign in. */
  section: Child
}

export function securityView(data: SecurityData): Html {
  return html`<div class="stack">${passwordCard(data)}${data.factorSection}${data.section}${devicesCard(data)}</div>`
}

function passwordCard({ words, email, csrfToken, state, hasPassword }: SecurityData): Html {
  if (!hasPassword)
    return cardView({
      title: words.t('security.password'),
      body: html`<p>${words.t('security.no_password')}</p>`,
      footer: linkButtonView({ href: '/accounts/reset/', label: words.t('security.request_link'), icon: 'mail' }),
    })
  const form = changePasswordForm.view({
    words,
    csrfToken,
    state,
    action: '/settings/security/',
    submit: { label: words.t('security.submit'), icon: 'key-round' },
    guard: false,
    layout: (field) => [
      usernameField(words, email),
      field('current'),
      field('password', newPasswordDetails(words, '/settings/security/strength/')),
      field('password_again'),
    ],
  })
  const body = html`<p class="muted">${words.t('security.password_ends')}</p>${form}`
  return cardView({ title: words.t('security.password'), body })
}

/** Lets password managers assign the password to an account. */
export function usernameField(words: Words, email: string): Html {
  const attributes = { autocomplete: 'username', readonly: true }
  return html`<div hidden>${emailField({ words, name: 'username', label: words.t('sign_in.email'), value: email, attributes })}</div>`
}

const HINT = 'password-strength'

/** With `checkAt`, a script asks there for a hint while the password is typed; the response to the form says the same. */
export function newPasswordDetails(words: Words, checkAt?: string): FieldDetails {
  const help = words.t('sign_in.password_help', { count: MIN_PASSWORD_LENGTH })
  if (!checkAt) return { help }
  return {
    help: html`${help} <span id="${HINT}" role="status"></span>`,
    attributes: {
      'data-hx-post': checkAt,
      'data-hx-trigger': 'input changed delay:400ms',
      'data-hx-target': `#${HINT}`,
      'data-hx-swap': 'innerHTML',
    },
  }
}

const TONES: Record<Strength, Tone> = { weak: 'bad', fair: 'warn', good: 'good', strong: 'good' }

export function strengthView(words: Words, strength: Strength, advice: string | undefined): Html {
  const text = words.t('security.strength', { strength: words.t(`security.strength_${strength}`) })
  return html`${badgeView({ tone: TONES[strength], text: text.replace(/\.$/, '') })} ${advice}`
}

function devicesCard({ words, now, csrfToken, devices }: SecurityData): Html {
  const table = tableView({
    caption: words.t('security.devices'),
    rows: devices,
    columns: [
      { label: words.t('security.device'), cell: (device) => deviceCell(words, device) },
      {
        label: words.t('security.last_seen'),
        cell: ({ isThis, lastSeenAt }) =>
          isThis
            ? words.t('security.now')
            : html`<span title="${words.dateTime(lastSeenAt)}">${words.relative(lastSeenAt, now)}</span>`,
      },
      { label: words.t('security.since'), cell: ({ createdAt }) => words.dateTime(createdAt) },
      { label: words.t('ui.actions'), actions: true, cell: (device) => signOutButton(words, csrfToken, device) },
    ],
  })
  const others = devices.length - 1
  const footer =
    others > 0
      ? postButtonView({
          action: '/settings/security/others/',
          csrfToken,
          label: words.t('security.others_submit'),
          kind: 'secondary',
          icon: 'log-out',
        })
      : html`<p class="muted">${words.t('security.alone')}</p>`
  return cardView({ title: words.t('security.devices'), body: table, footer })
}

function deviceCell(words: Words, { userAgent, isThis }: OwnSession): Html {
  return html`<span class="cluster">${iconView(parseUserAgent(userAgent).isPhone ? 'phone' : 'monitor')}<span>${formatDevice(words, userAgent)}</span>${isThis && badgeView({ tone: 'good', text: words.t('security.this_device') })}</span>`
}

function signOutButton(words: Words, csrfToken: string, { key, userAgent, isThis }: OwnSession): Html | false {
  if (isThis) return false
  return postButtonView({
    action: '/settings/security/device/',
    csrfToken,
    fields: { device: key },
    label: words.t('security.sign_out'),
    kind: 'quiet',
    small: true,
    attributes: { 'aria-label': words.t('security.sign_out_of', { device: formatDevice(words, userAgent) }) },
  })
}
