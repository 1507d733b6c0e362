import type { HeldQualification, Person } from '#features/accounts/users/queries/person.ts'
import { canSignIn, getValidity, isUnreachable } from '#features/accounts/users/rules.ts'
import { grantForm } from '#features/accounts/users/schema.ts'
import { VALIDITY_TONES } from '#features/accounts/users/views/profile.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { isAddress } from '#platform/no-address.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { mailView, phoneView } from '#platform/ui/contact.ts'
import { buttonView, csrfField, fieldRowView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { EMPTY_STATE, errorOf, type FormState, fieldValue } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { PersonAction } from '../points.ts'
import { personBadges, personPath } from './people.ts'
import { type PersonFormData, personFormView } from './person-form.ts'

type PersonData = {
  /** Address of the picture, if there is one that the caller may see. */
  picture?: string | undefined
  words: Words
  sections: readonly Child[]
  now: Date
  today: string
  csrfToken: string
  person: Person
  groups: readonly string[]
  held: readonly HeldQualification[]
  qualifications: readonly { id: number; name: string; category: string }[]
  /** Undefined if the caller may only view. */
  form?: PersonFormData | undefined
  /** Why the caller may not close the account. */
  closeRefusal?: 'administrator' | 'self' | undefined
  mayDelete: boolean
  /** A qualification that could not be granted or changed. */
  grantState?: FormState | undefined
  /** What features above offer. */
  actions: readonly PersonAction[]
  /** Links are passed on by hand. */
  isMailOff: boolean
}

export function personView(data: PersonData): Html {
  const { words, now, today, person, form } = data
  const isStaff = person.isStaff || person.isSuperuser
  const badges = html`<span class="cluster">${personBadges(words, { ...person, isStaff }, { now, today })}${!person.hasPassword && canSignIn(person) && badgeView({ tone: 'info', text: words.t('people.no_password') })}</span>`
  const seen = person.lastSeenAt ? words.relative(person.lastSeenAt, now) : words.t('people.never')
  return html`${pageHeadView({ title: person.name, badge: badges, facts: `${words.t('people.last_seen')}: ${seen}` })}
<div class="stack">${person.emailInvalid && isAddress(person.email) && addressCard(data)}${cardView({
    title: words.t('people.master_data'),
    body: form ? personFormView(form) : factsView(data),
    footer:
      person.ownPermissions.length > 0 &&
      html`<p class="muted">${words.t('people.own_permissions', { names: person.ownPermissions.join(', ') })}</p>`,
  })}
${contactCard(data)}${qualificationsCard(data)}${data.sections}${form && accountCard(data)}</div>`
}

/** Mails to the address come back. */
function addressCard({ words, now, csrfToken, person, form }: PersonData): Html {
  const { userId, email, emailFailedAt, emailFailure } = person
  const since = emailFailedAt
    ? words.t('people.address_failed_since', { email, when: words.relative(emailFailedAt, now) })
    : words.t('people.address_failed', { email })
  return cardView({
    title: words.t('people.address_failed_title'),
    body: html`<p class="wrap">${since}</p>${emailFailure && html`<p class="muted wrap">${words.t('people.address_reason', { reason: emailFailure })}</p>`}<p>${words.t('people.address_failed_help')}</p>`,
    footer:
      form &&
      postButtonView({
        action: personPath(userId, 'try-address'),
        csrfToken,
        kind: 'secondary',
        icon: 'mail',
        label: words.t('people.try_address'),
      }),
  })
}

function factsView({ words, person, groups }: PersonData): Html {
  const birth = person.dateOfBirth && words.date(new Date(`${person.dateOfBirth}T12:00:00Z`))
  return factListView([
    { name: words.t('people.email'), value: isAddress(person.email) ? mailView(person.email) : '–' },
    ...(person.username ? [{ name: words.t('people.username'), value: person.username }] : []),
    ...(person.contactEmail ? [{ name: words.t('people.contact_email'), value: mailView(person.contactEmail) }] : []),
    { name: words.t('people.birth_date'), value: birth || '–' },
    { name: words.t('people.phone'), value: person.phone ? phoneView(person.phone) : '–' },
    { name: words.t('people.groups'), value: groups.length ? words.list(groups) : '–' },
  ])
}

function contactCard({ words, person, picture }: PersonData): Html | false {
  const { emergencyName, emergencyPhone, name } = person
  if (!picture && !emergencyName && !emergencyPhone) return false
  const image =
    picture &&
    html`<img class="profile-picture" src="${picture}" alt="${words.t('people.picture_of', { name })}" width="96" height="96">`
  const contact =
    (emergencyName || emergencyPhone) &&
    factListView([
      {
        name: words.t('people.emergency'),
        value: html`${emergencyName} ${emergencyPhone && phoneView(emergencyPhone)}`,
      },
    ])
  return cardView({ body: html`<div class="stack">${image}${contact}</div>` })
}

function qualificationsCard(data: PersonData): Html {
  const { words, now, held, form } = data
  const list = held.length
    ? tableView<HeldQualification>({
        caption: words.t('people.qualifications'),
        rows: held,
        columns: [
          {
            label: words.t('people.qualification'),
            main: true,
            cell: (row) => html`${row.title} <small class="muted">${row.category}</small>`,
          },
          {
            label: words.t('people.validity'),
            cell: ({ expiresAt }) => {
              const validity = getValidity(expiresAt, now)
              const text =
                validity === 'soon'
                  ? words.t('people.soon', { when: words.relative(expiresAt!, now) })
                  : words.t(`people.${validity}`)
              return badgeView({ tone: VALIDITY_TONES[validity], text })
            },
          },
          { label: words.t('people.valid_until'), cell: (row) => untilView(data, row) },
          ...(form
            ? [{ label: words.t('people.actions'), actions: true, cell: (row: HeldQualification) => withdrawView(data, row) }]
            : []),
        ],
      })
    : html`<p class="muted">${words.t('people.no_qualifications')}</p>`
  return cardView({
    title: words.t('people.qualifications'),
    body: html`${list}${form && grantFormView(data)}`,
  })
}

const dayText = (words: Words, expiresAt: Date | null) => (expiresAt ? words.date(expiresAt) : words.t('people.unlimited'))

/** Forms of held qualifications and the form for a new one post to the same address: the value tells which one was refused. */
const isRefused = ({ grantState }: PersonData, qualificationId: number): boolean =>
  grantState !== undefined && fieldValue(grantState.values, 'qualification') === String(qualificationId)

function untilView(data: PersonData, row: HeldQualification): Html {
  const { words, csrfToken, person, form, grantState } = data
  if (!form || row.isExternal) return html`${dayText(words, row.expiresAt)}`
  const id = `until-${row.qualificationId}`
  const refused = grantState && isRefused(data, row.qualificationId) ? grantState : undefined
  const error = refused && (errorOf(refused.errors, 'until') ?? refused.errors[0]?.text)
  const stored = row.expiresAt ? words.inputDate(row.expiresAt) : ''
  const wrong = error ? { 'aria-invalid': 'true', 'aria-describedby': `${id}-error`, 'data-focus': true } : {}
  return html`<form class="inline-form until" method="post" action="${personPath(person.userId, 'grant')}">${csrfField(csrfToken)}<input type="hidden" name="qualification" value="${row.qualificationId}"><label class="sr-only" for="${id}">${words.t('people.until_of', { title: row.title })}</label><input ${attrs({ type: 'date', id, name: 'until', value: refused ? fieldValue(refused.values, 'until') : stored, ...wrong })}>${buttonView({ label: words.t('people.change_until'), kind: 'secondary', small: true })}</form>${error && html`<p class="field-error" id="${id}-error">${iconView('circle-alert', { size: 16 })}<span>${error}</span></p>`}`
}

function withdrawView({ words, csrfToken, person }: PersonData, row: HeldQualification): Html {
  if (row.isExternal)
    return html`<span title="${words.t('people.external_help')}">${badgeView({ tone: 'quiet', text: words.t('people.external'), icon: 'lock' })}</span>`
  return postButtonView({
    action: personPath(person.userId, 'withdraw'),
    csrfToken,
    fields: { qualification: row.qualificationId },
    label: words.t('people.withdraw'),
    kind: 'quiet',
    small: true,
    attributes: { 'aria-label': words.t('people.withdraw_of', { title: row.title }) },
  })
}

function grantFormView(data: PersonData): Html | false {
  const { words, csrfToken, person, held, qualifications, grantState } = data
  const open = qualifications.filter(({ id }) => !held.some(({ qualificationId }) => qualificationId === id))
  if (!open.length) return false
  const options = open.map(({ id, name, category }) => ({ value: id, label: `${name} · ${category}` }))
  const refused = grantState && !held.some(({ qualificationId }) => isRefused(data, qualificationId)) ? grantState : undefined
  const form = grantForm.view({
    words,
    csrfToken,
    action: personPath(person.userId, 'grant'),
    submit: { label: words.t('people.grant'), kind: 'secondary', icon: 'award' },
    guard: false,
    state: refused ?? EMPTY_STATE,
    layout: (field) => fieldRowView(field('qualification', { options }), field('until')),
  })
  return html`<details class="more-fields" ${attrs({ open: refused !== undefined })}><summary>${words.t('people.grant_title')}</summary>${form}</details>`
}

function accountCard({ words, csrfToken, person, closeRefusal, mayDelete, actions, isMailOff }: PersonData): Html {
  const { userId, isActive } = person
  const mayClose = closeRefusal === undefined
  const line = (button: Html, help?: string) => html`<li>${button}${help && html`<span class="muted">${help}</span>`}</li>`
  const mail = postButtonView({
    action: personPath(userId, 'send-link'),
    csrfToken,
    kind: 'secondary',
    icon: 'mail',
    label: words.t(person.hasPassword ? 'people.send_reset' : 'people.send_welcome'),
  })
  const invitation = linkButtonView({
    href: personPath(userId, 'invitation'),
    label: words.t('people.invitation'),
    icon: 'link',
  })
  const signsIn = canSignIn(person)
  const isNew = !person.hasPassword && person.lastSeenAt === null
  const toggle = isActive
    ? linkButtonView({ href: personPath(userId, 'deactivate'), label: words.t('people.deactivate'), icon: 'user-x' })
    : postButtonView({
        action: personPath(userId, 'reactivate'),
        csrfToken,
        kind: 'secondary',
        icon: 'user-check',
        label: words.t('people.reactivate'),
      })
  const revoke = linkButtonView({ href: personPath(userId, 'revoke'), label: words.t('people.revoke'), icon: 'shield-alert' })
  const remove = linkButtonView({
    href: personPath(userId, 'delete'),
    label: words.t('people.delete'),
    kind: 'danger',
    icon: 'trash-2',
  })
  return cardView({
    title: words.t('people.account'),
    body: html`<ul class="action-list" role="list">${isActive && !signsIn && html`<li class="muted">${words.t('people.no_sign_in')}</li>`}${isActive && signsIn && !isMailOff && line(mail, words.t('people.send_reset_help'))}${isActive && signsIn && (isNew || isMailOff || isUnreachable(person)) && line(invitation, words.t('people.invitation_help'))}${mayClose && line(toggle, isActive ? words.t('people.deactivate_help') : undefined)}${mayClose && line(revoke, words.t('people.revoke_help'))}${actions.map(({ href, label, help, icon }) => line(linkButtonView({ href, label, icon }), help))}${mayClose && mayDelete && line(remove, words.t('people.delete_help'))}${closeRefusal && html`<li class="muted">${words.t(`people.refused_${closeRefusal}`)}</li>`}</ul>`,
  })
}
