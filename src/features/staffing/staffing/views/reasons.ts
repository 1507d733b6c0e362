import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { contactLinksView } from '#platform/ui/contact.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import type { Engagement, MissingAnyOf, Reason, ReasonContext, Warning, WaysOut } from '../rules/model.ts'
import { helpFor, isUnfit } from '../rules/reasons.ts'

type EventLinks = {
  links: { event: (id: number, title: string) => string; signup: (shiftId: number) => string }
  /** Where those who plan are named. */
  contactHref?: string | undefined
}

/** Of the card on the page of an event. */
export const CONTACT = 'contact'

export const otherShiftText = ({ words, now }: ReasonContext, { eventTitle, start, end, partner }: Engagement): string =>
  eventTitle === null
    ? words.span(start, end, now)
    : `${eventTitle}${partner ? ` (${words.t('external.at', { host: partner.host })})` : ''}, ${words.span(start, end, now)}`

/** A sentence with more names is hard to read. */
const MAX_DECIDERS = 3

/** A sentence stays readable up to this many alternatives. */
const MAX_ALTERNATIVES = 4

function alternativesText({ words, titleOf }: ReasonContext, missingAnyOf: MissingAnyOf): string {
  const ways = missingAnyOf.slice(0, MAX_ALTERNATIVES).map((ids) => words.list(ids.map(titleOf)))
  return ways.reduceRight((rest, way) => (rest === '' ? way : words.t('signup.or', { a: way, b: rest })), '')
}

export function reasonText(reasonContext: ReasonContext, reason: Reason): string {
  const { words, titleOf } = reasonContext
  switch (reason.code) {
    case 'no_self_service':
      return reason.explanation || words.t('signup.reason.no_self_service')
    case 'not_open_yet':
    case 'closed':
      return words.t(`signup.reason.${reason.code}`, { at: words.dateTime(reason.at) })
    case 'type_not_qualified':
      return words.t('signup.reason.type_not_qualified', { titles: words.list(reason.missing.map(titleOf)) })
    case 'not_qualified':
      return words.t('signup.reason.not_qualified', { titles: alternativesText(reasonContext, reason.missingAnyOf) })
    case 'too_young':
      return words.t('signup.reason.too_young', { age: reason.minimumAge, day: words.date(reason.from) })
    case 'age_unknown':
      return words.t('signup.reason.age_unknown', { age: reason.minimumAge })
    case 'qualified_until':
      return words.t('signup.reason.qualified_until', { at: words.dateTime(reason.at) })
    case 'conflict':
    case 'partial_conflict':
      return words.t(`signup.reason.${reason.code}`, { other: otherShiftText(reasonContext, reason.with) })
    case 'answers_needed':
      return words.t('signup.reason.answers_needed', { names: words.list(reason.names) })
    case 'limit_rest':
      return words.t('signup.reason.limit_rest', {
        minimum: reason.minimum,
        count: reason.hours,
        other: otherShiftText(reasonContext, reason.with),
      })
    case 'limit_week':
    case 'limit_nights':
    case 'limit_minor_day':
    case 'limit_minor_hour':
    case 'limit_minor_alone':
      return limitText(words, reason)
    case 'added_rule':
      return addedText(words, reason)
    case 'times_outside':
      return words.t('signup.reason.times_outside', {
        earliest: words.dateTime(reason.earliest),
        latest: words.dateTime(reason.latest),
      })
    default:
      return words.t(`signup.reason.${reason.code}`)
  }
}

/** A few words instead of the sentence; undefined for reasons that say nothing about the person or the shift. */
export function shortReasonText({ words, now }: Pick<ReasonContext, 'words' | 'now'>, reason: Reason): string | undefined {
  switch (reason.code) {
    case 'type_not_qualified':
    case 'not_qualified':
      return words.t('signup.pill.unqualified')
    case 'too_young':
    case 'age_unknown':
      return words.t('signup.pill.age', { age: reason.minimumAge })
    case 'conflict':
      return words.t('signup.pill.busy')
    case 'closed':
      return words.t('signup.pill.closed')
    case 'not_open_yet':
      return words.t('signup.pill.not_open_yet', { day: words.day(reason.at, now) })
    case 'no_self_service':
      return words.t('signup.pill.assigned')
    case 'follows_other_shift':
      return words.t('signup.pill.linked')
    case 'limit_rest':
      return words.t('signup.pill.rest')
    default:
      return 'limit' in reason ? words.t('signup.pill.limit') : undefined
  }
}

export function warningText(reasonContext: ReasonContext, warning: Warning): string {
  const { words } = reasonContext
  if (warning.code === 'qualification_expires' || warning.code === 'not_available')
    return words.t(`signup.warning.${warning.code}`)
  if ('limit' in warning) return limitText(words, warning)
  if (warning.code === 'added_rule') return addedText(words, warning)
  const other = otherShiftText(reasonContext, warning.with)
  if (warning.code === 'conflict') return words.t('signup.warning.conflict', { other })
  return words.t('signup.warning.short_rest', { count: warning.hours, other })
}

/** Limits have one text, whether they refuse or warn. */
const limitText = (words: Words, { code, limit, actual }: Extract<Reason, { limit: number }>): string =>
  words.t(`signup.reason.${code}`, { limit, actual: words.number(actual) })

/** The keys of extensions are known only when the program runs. */
const addedText = ({ t }: Words, { message, values }: Extract<Reason, { code: 'added_rule' }>): string =>
  (t as (key: string, values: object) => string)(message, values)

/** One line per reason, with a hint or link if the person can do something about it. */
export function reasonsView(reasonContext: ReasonContext & EventLinks, reasons: readonly Reason[]): Html[] {
  const shownHelp = new Set<string>()
  return reasons.map((reason) => {
    return noteView(iconOf(reason), html`${reasonText(reasonContext, reason)}${helpView(reasonContext, reason, shownHelp)}`)
  })
}

function iconOf(reason: Reason): IconName {
  if (reason.code === 'added_rule') return 'lock'
  if (isUnfit(reason)) return 'graduation-cap'
  if (reason.code === 'answers_needed') return 'circle-question-mark'
  return reason.code.endsWith('conflict') ? 'calendar-x' : 'lock'
}

function helpView(context: ReasonContext & EventLinks, reason: Reason, shown: Set<string>): Html | false {
  const { words, links, waysOut, contactHref } = context
  const help = helpFor(reason)
  if (help === 'see_other_shift' && 'with' in reason)
    return html` <a href="${reason.with.partner?.href ?? links.event(reason.with.eventId, reason.with.eventTitle ?? '')}">${words.t('signup.help.see_other_shift')}</a>`
  if ((help !== 'ask_responsible' && help !== 'other_ways') || shown.has('ask_responsible')) return false
  const next = help === 'other_ways' && waysOut ? nextShiftView(context, waysOut) : false
  if (help === 'other_ways' && !waysOut) return false
  shown.add('ask_responsible')
  const deciders = waysOut?.deciders.slice(0, MAX_DECIDERS) ?? []
  const names = deciders.map(({ name }) => name)
  const who = names.length
    ? words.t('signup.help.deciders', { names: words.list(names), count: names.length })
    : words.t('signup.help.ask_responsible')
  return html`${next} ${contactHref === undefined ? who : html`<a href="${contactHref}">${who}</a>`}${deciders.length > 0 && html` ${contactLinksView(deciders)}`}`
}

function nextShiftView({ words, now, links }: ReasonContext & EventLinks, { next }: WaysOut): Html {
  if (!next) return html` ${words.t('signup.help.no_other_shift')}`
  const { shiftId, start, end, label } = next
  const text = `${words.span(start, end, now)}${label && `, ${label}`}`
  return html` ${words.t('signup.help.next_shift')} <a href="${links.signup(shiftId)}">${text}</a>.`
}

export function warningsView(reasonContext: ReasonContext, warnings: readonly Warning[]): Html[] {
  return warnings.map((warning) => noteView('triangle-alert', html`${warningText(reasonContext, warning)}`))
}

export function noteView(icon: IconName, body: Html): Html {
  return html`<p class="side-note">${iconView(icon, { size: 16 })}<span>${body}</span></p>`
}
