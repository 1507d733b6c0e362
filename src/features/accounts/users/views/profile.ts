import { type Html, html } from '#platform/html/html.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { languageOptions } from '#platform/i18n/offered.ts'
import type { Words } from '#platform/i18n/words.ts'
import { formatPhone } from '#platform/phone.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { addressText } from '#platform/ui/contact.ts'
import { type FormError, fieldRowView, fieldsetView, linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { tableView } from '#platform/ui/table.ts'
import type { OwnAccount } from '../queries/own-account.ts'
import { getValidity } from '../rules.ts'
import { languageForm, ownDetailsForm } from '../schema.ts'

export const OWN_DETAILS = '/settings/profile/details/'

type ProfileData = {
  /** People can ask for qualifications. */
  hasQualificationsPage: boolean
  words: Words
  now: Date
  csrfToken: string
  account: OwnAccount
  errors: readonly FormError[]
  /** The own details as they were entered, if they were refused. */
  refusedDetails: FormState | undefined
  isNameLocked: boolean
  /** That people can choose. */
  languages: readonly Language[]
  /** Parts of other features. */
  sections: Html
}

export function profileView(data: ProfileData): Html {
  return html`<div class="stack">${aboutCard(data)}${detailsCard(data)}${data.sections}${qualificationsCard(data)}${languageCard(data)}</div>`
}

function aboutCard({ words, account, isNameLocked }: ProfileData): Html {
  const unknown = html`<span class="muted">${words.t('settings.unknown')}</span>`
  // Noon in UTC is the same day in every time zone in use.
  const birthDate = account.dateOfBirth && words.date(new Date(`${account.dateOfBirth}T12:00:00Z`))
  const groups = account.groups.length
    ? html`<span class="cluster">${account.groups.map((name) => badgeView({ tone: 'info', text: name }))}</span>`
    : html`<span class="muted">${words.t('settings.no_groups')}</span>`
  const facts = factListView([
    // Otherwise it stands in the form below.
    ...(isNameLocked ? [{ name: words.t('settings.name'), value: account.name }] : []),
    {
      name: words.t('settings.email'),
      value: account.username
        ? html`${addressText(words, account.email)}<br><span class="muted">${words.t('settings.username', { name: account.username })}</span>`
        : addressText(words, account.email),
    },
    { name: words.t('settings.birth_date'), value: birthDate || unknown },
    { name: words.t('settings.groups'), value: groups },
  ])
  return cardView({
    title: words.t('settings.about'),
    body: facts,
    footer: html`<p class="muted">${words.t('settings.about_help')}</p>${linkButtonView({ href: '/settings/profile/propose/', label: words.t('settings.propose'), icon: 'pencil' })}`,
  })
}

/** What the form for the own details begins with. */
export const ownDetailsState = (account: Omit<OwnAccount, 'qualifications'>): FormState =>
  ownDetailsForm.state({
    name: account.name,
    emergency_name: account.emergencyName,
    emergency_phone: account.emergencyPhone && formatPhone(account.emergencyPhone),
    phone: account.phone && formatPhone(account.phone),
    shows_phone: account.showsPhone,
  })

function detailsCard({ words, csrfToken, account, refusedDetails, isNameLocked }: ProfileData): Html {
  const body = ownDetailsForm.view({
    words,
    csrfToken,
    action: OWN_DETAILS,
    state: refusedDetails ?? ownDetailsState(account),
    submit: words.t('settings.own_submit'),
    layout: (field) => [
      !isNameLocked && field('name'),
      field('phone'),
      field('shows_phone'),
      fieldsetView({
        legend: words.t('settings.emergency'),
        help: words.t('settings.emergency_help'),
        fields: fieldRowView(field('emergency_name'), field('emergency_phone')),
      }),
    ],
  })
  return cardView({ title: words.t('settings.own_details'), body })
}

export const VALIDITY_TONES: Record<ReturnType<typeof getValidity>, Tone> = { valid: 'good', soon: 'warn', expired: 'bad' }

function qualificationsCard({ words, now, hasQualificationsPage, account: { qualifications } }: ProfileData): Html {
  const title = words.t('settings.qualifications')
  const more =
    hasQualificationsPage && html`<p><a href="/settings/qualifications/">${words.t('settings.qualifications_more')}</a></p>`
  if (!qualifications.length)
    return cardView({ title, body: html`<p class="muted">${words.t('settings.no_qualifications')}</p>`, footer: more })
  return cardView({ title, body: heldQualificationsView(words, now, qualifications), footer: more })
}

type Held = ProfileData['account']['qualifications'][number]

/** Qualifications with their validity. */
export function heldQualificationsView(words: Words, now: Date, held: readonly Held[]): Html {
  return tableView<Held>({
    caption: words.t('settings.qualifications'),
    rows: held,
    columns: [
      {
        label: words.t('settings.qualification'),
        cell: (held) => html`${held.title} <small class="muted">${held.category}</small>`,
      },
      {
        label: words.t('settings.valid_until'),
        cell: ({ expiresAt }) => (expiresAt ? words.date(expiresAt) : words.t('settings.unlimited')),
      },
      {
        label: words.t('settings.state'),
        cell: ({ expiresAt }) => {
          const validity = getValidity(expiresAt, now)
          const text =
            validity === 'soon'
              ? words.t('settings.soon', { when: words.relative(expiresAt!, now) })
              : words.t(`settings.${validity}`)
          return badgeView({ tone: VALIDITY_TONES[validity], text })
        },
      },
    ],
  })
}

function languageCard({ words, csrfToken, errors, languages }: ProfileData): Html {
  const body = languageForm.view({
    words,
    csrfToken,
    state: { ...languageForm.state({ language: words.language }), errors },
    action: '/settings/profile/',
    submit: { label: words.t('settings.language_submit'), kind: 'secondary', icon: 'globe' },
    guard: false,
    layout: (field) => [field('language', { options: languageOptions(languages, words.language) })],
  })
  return cardView({ title: words.t('settings.language'), body })
}
