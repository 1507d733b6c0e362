import type { IndividualTimes } from '#features/participations/rules/individual-times.ts'
import type { ResponsibleTarget } from '#features/participations/rules/moves.ts'
import type { CardReason } from '../rules/board.ts'
import {
  type CardPerson,
  cardKey,
  isChanged,
  isFresh,
  moveOf,
  readCardKey,
  readCards,
  type TypedCard,
  timesOf,
} from '../rules/cards.ts'
import type { Board } from './board.ts'

export type { TypedCard } from '../rules/cards.ts'

/** What a board's form says, for the pages. */
export const readTyped = (values: Readonly<Record<string, string | string[]>>): TypedCard[] => readCards(values).filter(isChanged)

export type Wish = {
  shiftId: number
  who: CardPerson
  version: number | null
  to: ResponsibleTarget | undefined
  place: string | undefined
  times: Partial<IndividualTimes>
  comment: { text: string; isHidden: boolean } | undefined
}

/** What a card asks for, or why that cannot be read. */
export function wishOf(card: TypedCard, timeZone: string): { wish: Wish } | { reasons: CardReason[] } {
  const move = moveOf(card)
  const times = timesOf(card, timeZone)
  if (!move) return { reasons: [{ code: 'target_unknown' }] }
  if (!times) return { reasons: [{ code: 'times_unreadable' }] }
  const { shiftId, who, before, comment, isHidden } = card
  return {
    wish: { shiftId, who, version: before.version, ...move, times, comment: comment ? { text: comment, isHidden } : undefined },
  }
}

/** A new card for somebody who is on no board yet. */
export function freshCard(shiftId: number, key: string, to: string): TypedCard | undefined {
  const who = readCardKey(key)
  if (!who) return undefined
  const before = { version: null, to: '', start: '', end: '' }
  return { shiftId, key, who, before, to, start: '', end: '', comment: '', isHidden: false }
}

export const placeholderKey = (name: string): string => cardKey({ placeholder: name })
export const without = (cards: readonly TypedCard[], key: string): TypedCard[] => cards.filter((card) => card.key !== key)

/** Mine counts: the card is held against what is stored now. `stored`: the board without what was typed. */
export function keepMine(cards: readonly TypedCard[], key: string, stored: Board): TypedCard[] {
  const there = stored.cards.find((card) => card.key === key)
  return cards.flatMap((card) => {
    if (card.key !== key) return [card]
    if (!there) return [{ ...card, before: { ...card.before, version: null } }]
    const times = isFresh(card) && card.start === '' ? { start: there.start, end: there.end } : {}
    const kept = { ...card, ...times, before: there.before }
    return isChanged(kept) ? [kept] : []
  })
}
