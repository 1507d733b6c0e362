import { proposalForm } from '#features/accounts/own-profile/schema.ts'
import type { OwnAccount } from '#features/accounts/users/queries/own-account.ts'
import { getAgeOn } from '#features/accounts/users/rules.ts'
import { ownDetailsForm } from '#features/accounts/users/schema.ts'
import { ownDetailsState } from '#features/accounts/users/views/profile.ts'
import type { EventSummary } from '#features/events/browse/rules/summaries.ts'
import { eventRow, shiftTitle, typeOf } from '#features/events/browse/views/list-items.ts'
import { type EventRowData, eventListView } from '#features/events/events/views/event-row.ts'
import { familyLinks } from '#features/staffing/participations/rules/links.ts'
import { type Html, html } from '#platform/html/html.ts'
import { type Words, wordsAboutChild } from '#platform/i18n/words.ts'
import { shownAddress } from '#platform/no-address.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { buttonView, csrfField, fieldRowView, fieldsetView, linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { type ChildShift, childPath, FAMILY, guardiansPath } from './rules.ts'
import { calendarForm, childForm, guardianForm } from './schema.ts'

type Person = { userId: number; name: string }

/** A shift of a child as a row of a list; the link leads to the shift as the child sees it. */
export const childShiftRow = (words: Words, { child, shift, isConfirmed }: ChildShift, showsName = true): EventRowData => ({
  href: `${familyLinks(child.userId).event(shift.eventId, shift.eventTitle)}#shift-${shift.id}`,
  title: shiftTitle(shift),
  start: shift.start,
  end: shift.end,
  location: shift.location,
  type: typeOf(shift),
  notes: [
    ...(showsName ? [{ tone: 'info' as const, text: child.name }] : []),
    shift.cancellationReason !== null
      ? { tone: 'bad' as const, text: words.t('event.cancelled') }
      : {
          tone: isConfirmed ? ('good' as const) : ('warn' as const),
          text: words.t(isConfirmed ? 'families.confirmed' : 'families.requested'),
        },
  ],
})

/** Shifts of children, each with the name of the child. */
const childShiftsView = (words: Words, now: Date, shifts: readonly ChildShift[], showsName = true): Html =>
  eventListView({ words, now, events: shifts.map((shift) => childShiftRow(words, shift, showsName)) })

type ShownChild = Person & { dateOfBirth: string | null }

type FamilyData = {
  words: Words
  now: Date
  today: string
  csrfToken: string
  children: readonly ShownChild[]
  shifts: readonly ChildShift[]
  /** Undefined: people do not add children themselves. */
  form: FormState | undefined
}

const ageText = (words: Words, dateOfBirth: string | null, today: string): string =>
  dateOfBirth === null ? words.t('families.age_unknown') : words.t('families.age', { count: getAgeOn(dateOfBirth, today) })

export function familyView({ words, now, today, csrfToken, children, shifts, form }: FamilyData): Html {
  const list = children.length
    ? html`<ul class="action-list" role="list">${children.map(
        ({ userId, name, dateOfBirth }) =>
          html`<li><a class="family-child" href="${childPath(userId)}">${iconView('user', { size: 18 })}<b>${name}</b></a><span class="muted">${ageText(words, dateOfBirth, today)}</span></li>`,
      )}</ul>`
    : emptyView({ icon: 'users', text: words.t(form ? 'families.none_add' : 'families.none') })
  return html`${pageHeadView({ title: words.t('families.title'), facts: words.t('families.intro') })}
<div class="stack">${cardView({ title: words.t('families.children'), body: list })}
${
  children.length > 0 &&
  cardView({
    title: words.t('families.shifts'),
    body: shifts.length ? childShiftsView(words, now, shifts) : html`<p class="muted">${words.t('families.no_shifts')}</p>`,
  })
}
${
  form &&
  cardView({
    title: words.t('families.add'),
    body: childForm.view({
      words,
      csrfToken,
      action: FAMILY,
      state: form,
      submit: { label: words.t('families.add_submit'), icon: 'user-plus' },
      layout: (field) => [
        fieldRowView(field('name'), field('date_of_birth', { attributes: { max: today } })),
        html`<p class="help">${words.t('families.add_help')}</p>`,
      ],
    }),
  })
}</div>`
}

export const bannerView = (words: Words, name: string): Html =>
  html`<div class="notice tone-info">${iconView('users')}<div><p class="notice-title">${words.t('families.acting', { name })}</p></div></div>`

type ChildData = {
  words: Words
  now: Date
  today: string
  csrfToken: string
  childId: number
  account: OwnAccount
  isInCalendar: boolean
  guardians: readonly Person[]
  shifts: readonly ChildShift[]
  events: readonly EventSummary[]
  refusedDetails: FormState | undefined
  isNameLocked: boolean
  /** There are pages about when the child can take part. */
  hasAvailability: boolean
}

export function childView(data: ChildData): Html {
  const { words, now, today, childId, account, shifts, events } = data
  const rows = events.map((event) => ({
    ...eventRow(words, now, event),
    href: familyLinks(childId).event(event.id, event.title),
  }))
  return html`${pageHeadView({ title: account.name, facts: ageText(words, account.dateOfBirth, today) })}
<div class="stack">${cardView({
    title: words.t('families.upcoming'),
    body: shifts.length
      ? childShiftsView(words, now, shifts, false)
      : html`<p class="muted">${words.t('families.no_shifts')}</p>`,
  })}
${cardView({
  title: words.t('families.events'),
  body: rows.length ? eventListView({ words, now, events: rows }) : html`<p class="muted">${words.t('families.no_events')}</p>`,
})}
${aboutCard(data)}${detailsCard(data)}${calendarCard(data)}</div>`
}

function aboutCard({ words, childId, account, guardians, hasAvailability }: ChildData): Html {
  const birth = account.dateOfBirth && words.date(new Date(`${account.dateOfBirth}T12:00:00Z`))
  const signIn = shownAddress(account.email) ?? account.username
  return cardView({
    title: words.t('families.about'),
    body: factListView([
      { name: words.t('families.birth_date'), value: birth || words.t('families.unknown') },
      { name: words.t('families.sign_in'), value: signIn ?? words.t('families.no_sign_in') },
      {
        name: words.t('families.groups'),
        value: account.groups.length
          ? html`<span class="cluster">${account.groups.map((name) => badgeView({ tone: 'info', text: name }))}</span>`
          : words.t('families.no_groups'),
      },
      { name: words.t('families.guardians'), value: words.list(guardians.map(({ name }) => name)) },
    ]),
    footer: html`<div class="cluster">${linkButtonView({ href: childPath(childId, 'propose'), label: words.t('families.propose'), icon: 'pencil' })}${hasAvailability && linkButtonView({ href: childPath(childId, 'availability'), label: words.t('families.availability'), icon: 'calendar-clock' })}</div>`,
  })
}

function detailsCard({ words: ownWords, csrfToken, childId, account, refusedDetails, isNameLocked }: ChildData): Html {
  const words = wordsAboutChild(ownWords, account.name)
  const body = ownDetailsForm.view({
    words,
    csrfToken,
    action: childPath(childId, 'details'),
    state: refusedDetails ?? ownDetailsState(account),
    submit: words.t('families.save'),
    layout: (field) => [
      !isNameLocked && field('name', { attributes: { autocomplete: 'off' } }),
      field('phone', { attributes: { autocomplete: 'off' } }),
      field('shows_phone'),
      fieldsetView({
        legend: words.t('settings.emergency'),
        help: words.t('settings.emergency_help'),
        fields: fieldRowView(field('emergency_name'), field('emergency_phone')),
      }),
    ],
  })
  return cardView({ title: words.t('families.details'), body })
}

function calendarCard({ words, csrfToken, childId, isInCalendar }: ChildData): Html {
  const form = calendarForm.view({
    words,
    csrfToken,
    action: childPath(childId, 'calendar'),
    state: calendarForm.state({ in_calendar: isInCalendar }),
    submit: { label: words.t('families.calendar_save'), kind: 'secondary' },
    guard: false,
    layout: (field) => field('in_calendar'),
  })
  const end = linkButtonView({
    href: childPath(childId, 'end'),
    label: words.t('families.end'),
    kind: 'danger',
    icon: 'user-minus',
  })
  return html`${cardView({ title: words.t('families.calendar'), body: form })}${cardView({ title: words.t('families.end_card'), body: html`<p class="muted">${words.t('families.end_help')}</p>`, footer: end })}`
}

export function proposalView({
  words,
  csrfToken,
  childId,
  state,
  isNameLocked,
  today,
}: {
  words: Words
  csrfToken: string
  childId: number
  state: FormState
  isNameLocked: boolean
  today: string
}): Html {
  const form = proposalForm.view({
    words,
    csrfToken,
    action: childPath(childId, 'propose'),
    state,
    submit: words.t('families.propose_submit'),
    cancel: { href: childPath(childId) },
    layout: (field) => [isNameLocked && field('name'), field('date_of_birth', { attributes: { max: today } }), field('note')],
  })
  return html`${pageHeadView({ title: words.t('families.propose'), facts: words.t('families.propose_help') })}${cardView({ body: form })}`
}

type GuardiansData = {
  words: Words
  csrfToken: string
  userId: number
  name: string
  guardians: readonly (Person & { since: Date; isActive: boolean })[]
  state: FormState
}

type Summary = { words: Words; userId: number; guardians: readonly Person[]; children: readonly Person[] }

const personLinks = (people: readonly Person[]): Html =>
  html`${people.map(({ userId, name }, index) => html`${index > 0 && ', '}<a href="/manage/people/${userId}/">${name}</a>`)}`

/** On the page of a person, for those who manage people. */
export function guardiansSummaryView({ words, userId, guardians, children }: Summary): Html {
  const facts = [
    ...(guardians.length ? [{ name: words.t('families.guardians'), value: personLinks(guardians) }] : []),
    ...(children.length ? [{ name: words.t('families.guardian_of'), value: personLinks(children) }] : []),
  ]
  return cardView({
    title: words.t('families.guardians'),
    body: facts.length ? factListView(facts) : html`<p class="muted">${words.t('families.no_guardians')}</p>`,
    footer: linkButtonView({ href: guardiansPath(userId), label: words.t('families.change_guardians'), icon: 'users' }),
  })
}

/** The guardians of a person, to be added and removed. */
export function guardiansView({ words, csrfToken, userId, name, guardians, state }: GuardiansData): Html {
  const list =
    guardians.length > 0 &&
    html`<ul class="action-list" role="list">${guardians.map(
      (guardian) =>
        html`<li><span><a href="/manage/people/${guardian.userId}/">${guardian.name}</a> <span class="muted">${words.t('families.since', { date: words.date(guardian.since) })}</span>${!guardian.isActive && badgeView({ tone: 'quiet', text: words.t('people.inactive') })}</span><form method="post" action="${guardiansPath(userId, 'end')}">${csrfField(csrfToken)}<input type="hidden" name="guardian" value="${guardian.userId}">${buttonView({ label: words.t('families.remove'), kind: 'quiet', small: true, attributes: { 'aria-label': words.t('families.remove_of', { name: guardian.name }) } })}</form></li>`,
    )}</ul>`
  const form = guardianForm.view({
    words,
    csrfToken,
    action: guardiansPath(userId),
    state,
    submit: { label: words.t('families.add_guardian'), kind: 'secondary', icon: 'user-plus' },
    guard: false,
    layout: (field) => field('guardian'),
  })
  return html`${pageHeadView({ title: words.t('families.guardians_of', { name }), facts: words.t('families.guardians_help') })}
<div class="stack">${cardView({ body: list || html`<p class="muted">${words.t('families.no_guardians')}</p>` })}${cardView({ title: words.t('families.add_guardian'), body: form })}</div>`
}
