import type { Question } from '#features/events/questionnaires/rules.ts'
import { askedView } from '#features/events/questionnaires/views.ts'
import type { Engagement, Reason, ReasonContext, Warning } from '#features/staffing/staffing/rules/model.ts'
import { CONTACT, noteView, otherShiftText, reasonsView, warningsView } from '#features/staffing/staffing/views/reasons.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { FieldRenderer } from '#platform/ui/define-form.ts'
import { textareaField, timeField } from '#platform/ui/fields.ts'
import { type FormError, fieldRowView, fieldsetView, linkButtonView } from '#platform/ui/form.ts'
import { errorOf, type FormState, fieldValue } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { VisibleComment } from '../queries/signup.ts'
import { type Links, type Origin, originPath } from '../rules/links.ts'
import { signupForm } from '../schema.ts'

type WishData = {
  kind: 'team' | 'unit'
  isRequired: boolean
  options: readonly { value: string; title: string }[]
  full: readonly string[]
  unqualified: readonly string[]
}

export type SignupFormData = ReasonContext & { links: Links } & {
  csrfToken: string
  shift: { id: number; title: string; start: Date; end: Date; eventPath: string }
  doing: 'sign-up' | 'customize'
  /** The page from which the reader came, and to which they return. */
  from: Origin
  /** Other shifts of the person during a part of this one. */
  conflicts: readonly Engagement[]
  /** The times of the form are the part without them. */
  hasPart: boolean
  /** Reasons against it; if there are any, no form is shown. */
  reasons: readonly Reason[]
  warnings: readonly Warning[]
  /** The person is qualified until then, which is before the end of the shift. */
  earlierEnd: Date | undefined
  /** Undefined if times are fixed. */
  limits: { earliest: Date; latest: Date } | undefined
  wish: WishData | undefined
  canDecline: boolean
  /** A change now needs a new decision. */
  needsNewDecision: boolean
  /** The individual times are outside the shift, because it was moved. */
  areTimesOutside: boolean
  comments: readonly VisibleComment[]
  questions: readonly Question[]
  /** The person has a profile here, and a question uses saved answers. */
  offersSaving: boolean
  state: FormState
}

const backText = (words: Words, from: Origin): string => words.t(from.startsWith('event') ? 'signup.back' : 'signup.back_to_list')

export function signupFormView(data: SignupFormData): Html {
  const { words, now, csrfToken, shift, doing, state, links } = data
  const isSignUp = doing === 'sign-up'
  const facts = html`<span class="fact">${iconView('calendar-clock', { size: 18 })}<span>${words.span(shift.start, shift.end, now)}</span></span><span class="fact">${shift.title}</span>`
  const back = { href: originPath(data.from, shift.eventPath), label: backText(words, data.from) }
  if (data.reasons.length)
    return html`${pageHeadView({ title: words.t('signup.impossible_title'), facts })}${reasonsView({ ...data, contactHref: `${shift.eventPath}#${CONTACT}` }, data.reasons)}<p>${linkButtonView(back)}</p>`
  return html`${pageHeadView({ title: words.t(isSignUp ? 'signup.title' : 'signup.change_title'), facts })}
${data.earlierEnd && noteView('graduation-cap', html`${words.t('signup.reason.qualified_until', { at: words.dateTime(data.earlierEnd) })}`)}${data.areTimesOutside && noteView('triangle-alert', html`${words.t('signup.times_outside')}`)}${data.needsNewDecision && noteView('triangle-alert', html`${words.t('signup.change_needs_decision')}`)}${conflictsView(data)}${warningsView(data, data.warnings)}
${signupForm.view({
  words,
  csrfToken,
  state,
  action: links.signup(shift.id),
  cancel: back,
  submit: words.t(isSignUp ? 'signup.sign_up' : 'signup.save'),
  extra: data.canDecline && linkButtonView({ href: links.decline(shift.id), label: words.t('signup.decline'), kind: 'quiet' }),
  layout: (field) => [
    field('doing'),
    field('from'),
    timesView(data, field),
    wishView(data, field),
    askedView({ words, questions: data.questions, offersSaving: data.offersSaving, ...state }),
    earlierView(data),
    field('comment'),
    field('public'),
  ],
})}`
}

/** Which other shifts, and what the form does about them. */
function conflictsView(data: SignupFormData): Html | false {
  const { words, conflicts, hasPart, links } = data
  if (!conflicts.length) return false
  const notes = conflicts.map((other, index) => {
    const href = other.partner?.href ?? links.event(other.eventId, other.eventTitle ?? '')
    const isLast = index === conflicts.length - 1
    return noteView(
      'calendar-x',
      html`${words.t('signup.form_conflict', { other: otherShiftText(data, other) })}${isLast && hasPart && html` ${words.t('signup.form_free_part')}`} <a href="${href}">${words.t('signup.help.see_other_shift')}</a>`,
    )
  })
  return html`${notes}`
}

type Field = FieldRenderer<'start' | 'end' | 'start_which' | 'end_which' | 'wish' | 'comment' | 'public'>

function timesView({ words, now, limits, shift, state }: SignupFormData, field: Field): Html | false {
  if (!limits) return false
  const bounds = { min: words.inputDateTime(limits.earliest), max: words.inputDateTime(limits.latest) }
  const isOneDay = words.sameDay(limits.earliest, limits.latest)
  const timeOf = (value: string) => (value.includes('T') ? value.slice(11, 16) : value)
  const time = (name: 'start' | 'end') =>
    isOneDay
      ? timeField({
          words,
          name,
          label: words.t(`signup.${name}`),
          value: timeOf(fieldValue(state.values, name)),
          error: errorOf(state.errors, name),
          attributes: { min: timeOf(bounds.min), max: timeOf(bounds.max) },
        })
      : field(name, bounds)
  const options = (['earlier', 'later'] as const).map((value) => ({ value, label: words.t(`form.which_${value}`) }))
  /** Only for a time that occurs twice, because the clocks are set back. */
  const which = (name: 'start' | 'end') => {
    const isAsked = errorOf(state.errors, name) === words.t('form.time_ambiguous')
    return (isAsked || !!state.values[`${name}_which`]) && field(`${name}_which`, { options })
  }
  return fieldsetView({
    legend: words.t('signup.times'),
    help: words.t('signup.times_help', { times: words.span(shift.start, shift.end, now) }),
    fields: fieldRowView(html`${time('start')}${which('start')}`, html`${time('end')}${which('end')}`),
  })
}

function wishView({ words, wish }: SignupFormData, field: Field): Html | false {
  if (!wish) return false
  const help = [
    wish.full.length > 0 && words.t('signup.full', { titles: words.list(wish.full) }),
    wish.unqualified.length > 0 && words.t('signup.unqualified', { titles: words.list(wish.unqualified) }),
  ].filter(Boolean)
  return field('wish', {
    label: words.t(`signup.${wish.kind}`),
    required: wish.isRequired,
    help: help.length > 0 && help.join(' '),
    options: [
      ...(wish.isRequired ? [] : [{ value: '', label: words.t('signup.no_wish') }]),
      ...wish.options.map(({ value, title }) => ({ value, label: title })),
    ],
  })
}

/** What was said before, oldest first: a comment that is written now joins it and replaces nothing. */
function earlierView({ words, now, comments }: SignupFormData): Html | false {
  if (!comments.length) return false
  const lines = comments.map(
    ({ text, at, author, isPublic }) =>
      html`<li><p>${text}</p><p class="help">${author ?? words.t('signup.comment_own')}, ${words.relative(at, now)}${isPublic && html` · ${words.t('signup.comment_public')}`}</p></li>`,
  )
  return html`<section class="field" aria-labelledby="earlier"><p id="earlier"><b>${words.t('signup.comments_before')}</b></p><ul class="stack" role="list">${lines}</ul></section>`
}

type DeclineData = ReasonContext & { links: Links } & {
  csrfToken: string
  shift: SignupFormData['shift']
  reasons: readonly Reason[]
  consequences: { freesPlace: boolean; companions: number; needsNewDecision: boolean }
  from: Origin
  comment: string
  errors: readonly FormError[]
}

export function declineView(data: DeclineData): Html {
  const { words, now, csrfToken, shift, reasons, consequences, links, from } = data
  const text = `${shift.title}, ${words.span(shift.start, shift.end, now)}`
  if (reasons.length)
    return html`${pageHeadView({ title: words.t('signup.impossible_title'), facts: text })}${reasonsView({ ...data, contactHref: `${shift.eventPath}#${CONTACT}` }, reasons)}<p>${linkButtonView({ href: shift.eventPath, label: words.t('signup.back') })}</p>`
  return confirmView({
    words,
    csrfToken,
    text,
    action: links.decline(shift.id),
    danger: false,
    title: words.t(consequences.freesPlace ? 'signup.give_up_title' : 'signup.decline_title'),
    consequences: [
      ...(consequences.freesPlace ? [words.t('signup.decline_free')] : []),
      ...(consequences.companions ? [words.t('signup.companions_leave_too', { count: consequences.companions })] : []),
      words.t('signup.decline_answer'),
      ...(consequences.needsNewDecision ? [words.t('signup.decline_again')] : []),
    ],
    fields: { from, sure: '1' },
    inputs: textareaField({
      words,
      name: 'comment',
      label: words.t('signup.decline_reason'),
      help: words.t('signup.decline_reason_help'),
      rows: 2,
      value: data.comment,
      error: errorOf(data.errors, 'comment'),
      attributes: { maxlength: 255 },
    }),
    submit: words.t(consequences.freesPlace ? 'signup.give_up_submit' : 'signup.decline_submit'),
    cancel: {
      href: originPath(from, shift.eventPath),
      label: consequences.freesPlace ? words.t('signup.keep') : backText(words, from),
    },
  })
}
