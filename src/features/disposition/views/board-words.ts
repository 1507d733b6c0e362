import type { PlaceLabel, ReasonContext } from '#features/staffing/rules/model.ts'
import { placeText, seatText, unmatchedText } from '#features/staffing/views/explanations.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { BoardCard, CardReason, PlaceChoice } from '../rules/board.ts'
import { readTarget } from '../rules/cards.ts'

/** What a qualification is called in full and on a badge. */
export type Naming = ReasonContext & { shortOf: (qualificationId: number) => string }

/** A unit as such, and not one of its positions. */
export const wholePlace = (label: PlaceLabel): PlaceLabel => (label.kind === 'unit' ? { ...label, position: null } : label)

/** Of somebody else: those of the sign-up form speak to the person. */
export function cardReasonText({ words, now, titleOf }: ReasonContext, reason: CardReason): string {
  switch (reason.code) {
    case 'type_not_qualified':
      return words.t('board.reason.type_not_qualified', { titles: words.list(reason.missing.map(titleOf)) })
    case 'not_qualified': {
      const [way] = reason.missingAnyOf
      if (!way?.length || reason.missingAnyOf.length > 1) return words.t('board.reason.not_qualified_any')
      return words.t('board.reason.not_qualified', { titles: words.list(way.map(titleOf)) })
    }
    case 'too_young':
    case 'age_unknown':
      return words.t(`board.reason.${reason.code}`, { age: reason.minimumAge })
    case 'conflict':
    case 'partial_conflict': {
      const { eventTitle, start, end } = reason.with
      return words.t('board.reason.conflict', { other: `${eventTitle}, ${words.span(start, end, now)}` })
    }
    case 'full':
    case 'wish_needed':
    case 'wish_not_offered':
    case 'times_in_wrong_order':
    case 'times_unreadable':
    case 'target_unknown':
    case 'person_unknown':
    case 'name_empty':
    case 'name_long':
    case 'comment_long':
      return words.t(`board.reason.${reason.code}`)
    default:
      return words.t('board.reason.other')
  }
}

export function adviceText(reasonContext: ReasonContext, advice: NonNullable<BoardCard['advice']>): string {
  const { words } = reasonContext
  if (advice.code === 'nowhere') return words.t('board.advice.nowhere', { reason: unmatchedText(reasonContext, advice.reason) })
  const place = placeText(reasonContext, advice.seat.placeLabel)
  return words.t('board.advice.seat', { place, why: seatText(reasonContext, advice.seat) })
}

/** Where a card stands, in words. */
export function targetText(reasonContext: ReasonContext, to: string, places: readonly PlaceChoice[]): string {
  const target = readTarget(to)
  if (!target) return ''
  const state = reasonContext.words.t(`board.state.${target.state}`)
  const choice = places.find(({ place }) => place === target.place)
  return choice ? `${state}, ${placeText(reasonContext, choice.label)}` : state
}

export const stateText = (words: Words, state: 0 | 1 | 2 | 3 | 4): string => words.t(`board.state.${state}`)
