import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'
import { classOf, type Engagement, helpFor, type MissingAnyOf, type Reason, type Warning } from '../rules/reasons.ts'
import type { Links } from './links.ts'

/** What it takes to put reasons into words. */
export type Telling = { words: Words; now: Date; titleOf: (qualificationId: number) => string }
/** And where they lead. */
export type Linked = { links: Links }

const otherOf = ({ words, now }: Telling, { eventTitle, start, end, abroad }: Engagement): string =>
  `${eventTitle}${abroad ? ` (${words.t('abroad.at', { host: abroad.host })})` : ''}, ${words.span(start, end, now)}`

/** More ways to fit than these are too many to read. */
const MOST_WAYS = 4

function waysOf({ words, titleOf }: Telling, missingAnyOf: MissingAnyOf): string {
  const ways = missingAnyOf.slice(0, MOST_WAYS).map((ids) => words.list(ids.map(titleOf)))
  return ways.reduceRight((rest, way) => (rest === '' ? way : words.t('signup.or', { a: way, b: rest })), '')
}

export function reasonText(telling: Telling, reason: Reason): string {
  const { words, titleOf } = telling
  switch (reason.code) {
    case 'no_self_service':
      return reason.explanation || words.t('signup.reason.no_self_service')
    case 'not_open_yet':
    case 'closed':
      return words.t(`signup.reason.${reason.code}`, { at: words.dateTime(reason.at) })
    case 'type_not_qualified':
      return words.t('signup.reason.type_not_qualified', { titles: words.list(reason.missing.map(titleOf)) })
    case 'not_qualified':
      return words.t('signup.reason.not_qualified', { titles: waysOf(telling, reason.missingAnyOf) })
    case 'too_young':
    case 'age_unknown':
      return words.t(`signup.reason.${reason.code}`, { age: reason.minimumAge })
    case 'conflict':
    case 'partial_conflict':
      return words.t(`signup.reason.${reason.code}`, { other: otherOf(telling, reason.with) })
    case 'times_outside':
      return words.t('signup.reason.times_outside', {
        earliest: words.dateTime(reason.earliest),
        latest: words.dateTime(reason.latest),
      })
    default:
      return words.t(`signup.reason.${reason.code}`)
  }
}

export function warningText(telling: Telling, warning: Warning): string {
  const { words } = telling
  if (warning.code === 'qualification_expires') return words.t('signup.warning.qualification_expires')
  const other = otherOf(telling, warning.with)
  if (warning.code === 'conflict') return words.t('signup.warning.conflict', { other })
  return words.t('signup.warning.short_rest', { count: warning.hours, other })
}

/** A line each, with the way out where there is one. */
export function reasonsView(telling: Telling & Linked, reasons: readonly Reason[]): Html[] {
  const isHelpSaid = new Set<string>()
  return reasons.map((reason) => {
    const icon: IconName =
      classOf(reason) === 'unfit' ? 'graduation-cap' : reason.code.endsWith('conflict') ? 'calendar-x' : 'lock'
    return noteView(icon, html`${reasonText(telling, reason)}${helpView(telling, reason, isHelpSaid)}`)
  })
}

function helpView({ words, links }: Telling & Linked, reason: Reason, isSaid: Set<string>): Html | false {
  const help = helpFor(reason)
  if (help === 'see_other_shift' && 'with' in reason)
    return html` <a href="${reason.with.abroad?.href ?? links.event(reason.with.eventId, reason.with.eventTitle)}">${words.t('signup.help.see_other_shift')}</a>`
  if (help !== 'ask_responsible' || isSaid.has(help)) return false
  isSaid.add(help)
  return html` ${words.t('signup.help.ask_responsible')}`
}

export function warningsView(telling: Telling, warnings: readonly Warning[]): Html[] {
  return warnings.map((warning) => noteView('triangle-alert', html`${warningText(telling, warning)}`))
}

export function noteView(icon: IconName, body: Html): Html {
  return html`<p class="side-note">${iconView(icon, { size: 16 })}<span>${body}</span></p>`
}
