import { type Kysely, sql } from 'kysely'
import {
  makeOfferToken,
  type OfferByLink,
  type PersonRow,
  personColumns,
  personOf,
} from '#features/staffing/waiting-list/queries/offered.ts'
import { offerPath } from '#features/staffing/waiting-list/rules/links.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { StandInState } from '../rules/stand-in.ts'
import type { OwnSwap } from '../rules/swap.ts'
import { getSwap, type Swap } from './swap.ts'

type Asked = {
  standInId: number
  state: StandInState
  answer: 'yes' | 'no' | null
  start: Date
  seeker: string
  message: string
  /** This person wanted the place, and has it or waits for the planners. */
  isTaker: boolean
}
export type AskedByLink = OfferByLink & Asked & { kind: 'stand_in' }

/** A person who was asked to take the place of another. */
export async function getAskedStandIn(db: Kysely<DB>, id: number): Promise<AskedByLink | undefined> {
  const row = await rowsOf(db).first(sql<PersonRow & Asked & { shiftId: number; eventId: number }>`
    select d.id as "standInId", d.shift_id as "shiftId", s.event_id as "eventId", d.state, a.answer, s.start_time as start,
      coalesce(d.taken_by_id = a.user_id, false) as "isTaker", o.display_name as seeker, d.message, ${personColumns}
    from stand_in_person a join stand_in d on d.id = a.stand_in_id join shift s on s.id = d.shift_id join user_profile o on o.id = d.user_id
      join user_profile u on u.id = a.user_id where a.id = ${id} and a.asked_at is not null`)
  if (!row) return undefined
  const { standInId, shiftId, eventId, state, answer, start, seeker, message, isTaker } = row
  return { kind: 'stand_in', id, ...personOf(row), shiftId, standInId, eventId, state, answer, start, seeker, message, isTaker }
}

/** `shiftId` and `eventId` are those of the place that the person would get. */
export type SwapByLink = OfferByLink & { kind: 'swap'; swap: Swap }

/** A person to whom a swap was proposed. */
export async function getProposedSwap(db: Kysely<DB>, id: number): Promise<SwapByLink | undefined> {
  const swap = await getSwap(db, id)
  const row =
    swap &&
    (await rowsOf(db).first(sql<PersonRow>`select ${personColumns} from user_profile u where u.id = ${swap.other.userId}`))
  if (!row) return undefined
  const { shiftId, eventId } = swap.proposer
  return { kind: 'swap', id, ...personOf(row), shiftId, eventId, swap }
}

/** The proposal as the reader, who is one of the two people, sees it. */
export function ownSwapOf(keyring: Keyring, userId: number, swap: Swap): OwnSwap {
  const { id, state, proposer, other } = swap
  const isMine = proposer.userId === userId
  const token = makeOfferToken(keyring, { kind: 'swap', id, userId, shiftId: proposer.shiftId })
  return {
    id,
    isMine,
    state,
    name: isMine ? other.name : proposer.name,
    get: isMine ? other : proposer,
    answerPath: isMine ? undefined : offerPath(token),
  }
}
