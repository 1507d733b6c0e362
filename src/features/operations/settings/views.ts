import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { fileField } from '#platform/ui/fields.ts'
import { type FormError, fieldsetView, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { errorOf, type FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { SECTIONS } from './schema/define-settings.ts'
import { instanceForm, namesIn } from './schema/settings.ts'

export const INSTANCE = '/manage/instance/'
export const REGION = `${INSTANCE}region/`
export const logoPath = (version: string): string => `/logo/${version}/`

export type MailHealth = { isSetUp: boolean; failure: string | undefined; late: number; addresses: number }

export type Health = {
  mail: MailHealth
  megabytes: number
  waiting: number
  /** When the oldest overdue job was due. */
  lateSince: Date | undefined
  failed: number
  backup: { isSetUp: boolean; madeAt: Date | undefined; isOld: boolean }
}
type InstanceData = {
  words: Words
  now: Date
  csrfToken: string
  state: FormState
  logoErrors?: readonly FormError[] | undefined
  logo: string | undefined
  fixed: {
    siteUrl: string
    timeZone: string
    language: string
    version: string
    /** Environment variables set both, so the page cannot change them. */
    isRegionFixed: boolean
    /** Stored, and different from what the server runs with. */
    isRestartNeeded: boolean
  }
  health: Health
}

export function instanceView(data: InstanceData): Html {
  const { words } = data
  return html`${pageHeadView({ title: words.t('instance.title'), facts: words.t('instance.intro') })}
<div class="stack">${settingsForm(data)}${logoCard(data)}${healthCard(data)}${fixedCard(data)}</div>`
}

function settingsForm({ words, csrfToken, state }: InstanceData): Html {
  return instanceForm.view({
    words,
    csrfToken,
    state,
    action: INSTANCE,
    submit: words.t('instance.save'),
    layout: (field) =>
      SECTIONS.map((section) =>
        fieldsetView({
          legend: words.t(`instance.${section}`),
          help: section === 'legal' ? words.t('instance.legal_help') : undefined,
          fields: namesIn(section).map((name) => field(name)),
        }),
      ),
  })
}

function logoCard({ words, csrfToken, logo, logoErrors = [] }: InstanceData): Html {
  const upload = formView({
    words,
    csrfToken,
    action: `${INSTANCE}logo/`,
    attributes: { enctype: 'multipart/form-data' },
    guard: false,
    errors: logoErrors,
    fields: fileField({
      words,
      name: 'logo',
      label: words.t('instance.logo_file'),
      help: words.t('instance.logo_help'),
      error: errorOf(logoErrors, 'logo'),
      accept: 'image/png,image/jpeg,image/webp',
    }),
    submit: { label: words.t('instance.logo_save'), kind: 'secondary', icon: 'upload' },
  })
  const present =
    logo &&
    html`<p><img class="logo-shown" src="${logo}" alt="${words.t('instance.logo_now')}" height="64"></p>${postButtonView({
      action: `${INSTANCE}logo/remove/`,
      csrfToken,
      label: words.t('instance.logo_remove'),
      kind: 'quiet',
      icon: 'trash-2',
    })}`
  return cardView({ title: words.t('instance.logo'), body: html`${present}${upload}` })
}

function healthCard({ words, now, health }: InstanceData): Html {
  const { megabytes, waiting, lateSince, failed, backup, mail } = health
  const state = (isGood: boolean, text: Child) =>
    html`<span class="cluster">${badgeView({ tone: isGood ? 'good' : 'bad', text: words.t(isGood ? 'instance.health_ok' : 'instance.health_bad') })}<span>${text}</span></span>`
  const work = lateSince
    ? words.t('instance.health_worker_late', { when: words.relative(lateSince, now) })
    : waiting
      ? words.t('instance.health_worker_waiting', { count: waiting })
      : words.t('instance.health_worker_idle')
  const kept = backup.madeAt
    ? state(!backup.isOld, words.dateTime(backup.madeAt))
    : backup.isSetUp
      ? state(false, words.t('instance.health_backup_never'))
      : html`<span class="muted">${words.t('instance.health_backup_none')}</span>`
  return cardView({
    title: words.t('instance.health'),
    body: factListView([
      {
        name: words.t('instance.health_database'),
        value: state(true, words.t('instance.health_database_size', { size: megabytes })),
      },
      {
        name: words.t('instance.health_worker'),
        value: state(!lateSince && !failed, failed ? `${work} · ${words.t('instance.health_failed', { count: failed })}` : work),
      },
      { name: words.t('instance.health_mail'), value: mailView(words, mail, state) },
      { name: words.t('instance.health_backup'), value: kept },
    ]),
  })
}

function mailView(words: Words, mail: MailHealth, state: (isGood: boolean, text: Child) => Html): Html {
  const { isSetUp, failure, late, addresses } = mail
  const text = !isSetUp
    ? words.t('instance.health_mail_none')
    : failure !== undefined
      ? words.t('instance.health_mail_failing', { reason: failure })
      : late
        ? words.t('instance.health_mail_late', { count: late })
        : words.t('instance.health_mail_works')
  const more = addresses > 0 && html` · ${words.t('instance.health_mail_addresses', { count: addresses })}`
  return state(isSetUp && failure === undefined && !late, html`<a href="/manage/mail/">${text}</a>${more}`)
}

function fixedCard({ words, fixed }: InstanceData): Html {
  const named = (value: string, name: string) => html`${value} <small class="muted"><code>${name}</code></small>`
  return cardView({
    title: words.t('instance.fixed'),
    body: factListView([
      { name: words.t('instance.address'), value: named(fixed.siteUrl, 'SITE_URL') },
      { name: words.t('instance.zone'), value: named(fixed.timeZone, 'TIME_ZONE') },
      { name: words.t('instance.language'), value: named(fixed.language, 'DEFAULT_LANGUAGE') },
      { name: words.t('instance.version'), value: fixed.version },
    ]),
    footer: html`${
      fixed.isRestartNeeded && html`<p class="notice tone-warn">${words.t('instance.restart_needed')}</p>`
    }<p class="muted">${words.t('instance.fixed_help')}</p>${
      !fixed.isRegionFixed && linkButtonView({ href: REGION, label: words.t('instance.region'), icon: 'globe' })
    }`,
  })
}
