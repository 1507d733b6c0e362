import { type Html, html } from '#platform/html/html.ts'
import type { Shortage } from '../rules/coverage.ts'
import type { PlaceLabel, Reason, ReasonContext } from '../rules/model.ts'
import type { OpenSeat, SeatReason, SuggestedSeat, UnmatchedReason } from '../rules/suggestion.ts'
import { noteView, otherShiftText, reasonText } from './reasons.ts'

export function placeText({ words, titleOf }: ReasonContext, label: PlaceLabel): string {
  switch (label.kind) {
    case 'shift':
      return words.t('suggestion.place.shift')
    case 'team':
      return label.title
    case 'requirement':
      return label.qualificationId === null ? words.t('suggestion.place.anybody') : titleOf(label.qualificationId)
    case 'unit':
      return label.position ? words.t('suggestion.place.unit', { unit: label.title, position: label.position }) : label.title
  }
}

/** Alternatives for a place: "Driver and medic, or doctor". Empty if no qualification is required. */
export function needsText({ words, titleOf }: ReasonContext, needs: readonly (readonly number[])[]): string {
  if (needs.some((way) => way.length === 0)) return ''
  const ways = needs.map((way) => words.list(way.map(titleOf)))
  return ways.reduceRight((rest, way) => (rest === '' ? way : words.t('signup.or', { a: way, b: rest })), '')
}

function seatReasonText(reasonContext: ReasonContext, reason: SeatReason): string {
  const { words } = reasonContext
  if (reason.code !== 'needed') return words.t(`suggestion.reason.${reason.code}`)
  const needs = needsText(reasonContext, [reason.needs])
  return needs ? words.t('suggestion.reason.needed_as', { needs }) : words.t('suggestion.reason.needed')
}

/** Why the person is suggested for the place, and which wish could not be met. */
export function seatText(reasonContext: ReasonContext, { reason, wishMissed }: SuggestedSeat): string {
  const why = seatReasonText(reasonContext, reason)
  if (!wishMissed) return why
  return `${why} ${reasonContext.words.t('suggestion.wish_missed', { place: placeText(reasonContext, wishMissed) })}`
}

/** Why a person has no place, in the third person for the responsible. */
export function unmatchedText(reasonContext: ReasonContext, reason: UnmatchedReason): string {
  const { words } = reasonContext
  switch (reason.code) {
    case 'full':
      return words.t('suggestion.unmatched.full')
    case 'not_qualified':
      return words.t('suggestion.unmatched.not_qualified', { needs: needsText(reasonContext, reason.missingAnyOf) })
    case 'conflict':
      return words.t('suggestion.unmatched.conflict', { other: otherShiftText(reasonContext, reason.with) })
    default:
      return reasonText(reasonContext, reason satisfies Reason)
  }
}

/** What is missing and what would help. `nameOf` returns the name of a participant. */
export function openText(reasonContext: ReasonContext, open: OpenSeat, nameOf: (participationId: number) => string): string {
  const { words } = reasonContext
  const place = placeText(reasonContext, open.placeLabel)
  const needs = needsText(reasonContext, open.needs)
  const count = open.count ?? 0
  const what =
    open.count === null
      ? words.t('suggestion.open.any', { place })
      : needs && open.placeLabel.kind !== 'requirement'
        ? words.t('suggestion.open.needs', { count, place, needs })
        : words.t('suggestion.open.free', { count, place })
  const help = open.help.map((one) =>
    one.code === 'move'
      ? words.t('suggestion.help.move', { name: nameOf(one.participationId), from: placeText(reasonContext, one.from) })
      : words.t('suggestion.help.find'),
  )
  return [what, ...help].join(' ')
}

/** A note stays readable up to this many lines. */
const MAX_LINES = 4

/** Shortages that last for a part of the shift. Those of the whole shift are shown beside the places. */
export function shortagesView(reasonContext: ReasonContext, shortages: readonly Shortage[]): Html | false {
  const lines = new Map<string, Shortage & { what: string }>()
  for (const one of shortages.filter(({ isWhole }) => !isWhole)) {
    const what = lackText(reasonContext, one)
    const key = `${what} ${one.start.getTime()} ${one.end.getTime()}`
    lines.set(key, { ...one, what, count: one.count + (lines.get(key)?.count ?? 0) })
  }
  const shown = [...lines.values()].slice(0, MAX_LINES).map((one) => shortageText(reasonContext, one))
  const more = lines.size - shown.length
  if (more > 0) shown.push(reasonContext.words.t('suggestion.missing.more', { count: more }))
  return shown.length > 0 && html`${shown.map((text) => noteView('triangle-alert', html`${text}`))}`
}

function lackText(reasonContext: ReasonContext, { needs, placeLabel }: Shortage): string {
  const what = needsText(reasonContext, needs) || reasonContext.words.t('suggestion.missing.somebody')
  return placeLabel.kind === 'team' ? reasonContext.words.t('suggestion.missing.in', { place: placeLabel.title, what }) : what
}

function shortageText({ words, now }: ReasonContext, { what, count, start, end }: Shortage & { what: string }): string {
  return words.t('suggestion.missing.part', { count, what, times: words.hours(start, end, now) })
}

/** What is missing, one line each: “2 × Driver”, “Driver missing 18:00–20:00”. Empty if just anybody is missing for the whole shift. */
export function missingLines(reasonContext: ReasonContext, shortages: readonly Shortage[]): string[] {
  const lines = new Map<string, Shortage & { what: string }>()
  for (const one of shortages) {
    if (one.isWhole && one.placeLabel.kind === 'shift' && needsText(reasonContext, one.needs) === '') continue
    const what = lackText(reasonContext, one)
    const key = `${what} ${one.start.getTime()} ${one.end.getTime()}`
    lines.set(key, { ...one, what, count: one.count + (lines.get(key)?.count ?? 0) })
  }
  const shown = [...lines.values()]
    .slice(0, MAX_LINES)
    .map((one) =>
      one.isWhole
        ? reasonContext.words.t('suggestion.missing.whole', { count: reasonContext.words.number(one.count), what: one.what })
        : shortageText(reasonContext, one),
    )
  const more = lines.size - shown.length
  return more > 0 ? [...shown, reasonContext.words.t('suggestion.missing.more', { count: more })] : shown
}
