import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import type { Actor, UserActor } from '#platform/auth/actor.ts'
import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { EntryState } from '../rules/line.ts'
import { formatToken, type OfferLink, offerPath, parseToken, textToSign } from '../rules/links.ts'
import type { StandInState } from '../rules/stand-in.ts'
import type { OwnSwap } from '../rules/swap.ts'
import { getSwap, type Swap } from './swap.ts'

/** For the links in mails and push messages. It works without a session and allows nothing but one answer. */
export const makeOfferToken = (keyring: Keyring, link: OfferLink): string =>
  formatToken(link, keyring.fingerprint(textToSign(link)).toString('base64url'))

export type OfferedByLink = Omit<OfferLink, 'kind'> & {
  kind: 'line'
  eventId: number
  state: EntryState
  since: Date
  offeredUntil: Date | null
  actor: Actor & UserActor
  isActive: boolean
}

type Row = ActorRow & Pick<OfferedByLink, 'id' | 'shiftId' | 'eventId' | 'state' | 'since' | 'offeredUntil' | 'isActive'>

type AskedRow = ActorRow &
  Pick<AskedByLink, 'id' | 'standInId' | 'shiftId' | 'eventId' | 'state' | 'answer' | 'start' | 'seeker' | 'message' | 'isActive'>

/** A person who was asked to take the place of another. */
export type AskedByLink = Omit<OfferLink, 'kind'> & {
  kind: 'stand_in'
  standInId: number
  eventId: number
  state: StandInState
  answer: 'yes' | 'no' | null
  start: Date
  seeker: string
  message: string
  actor: Actor & UserActor
  isActive: boolean
}

async function getAskedByLink(
  db: Kysely<DB>,
  keyring: Keyring,
  token: string,
  askedId: number,
): Promise<AskedByLink | undefined> {
  const row = await rowsOf(db).first(sql<AskedRow>`
    select a.id, d.id as "standInId", d.shift_id as "shiftId", s.event_id as "eventId", d.state, a.answer, s.start_time as start,
      o.display_name as seeker, d.message, u.is_active and not u.is_service_account as "isActive", ${actorColumns}
    from stand_in_person a join stand_in d on d.id = a.stand_in_id join shift s on s.id = d.shift_id join user_profile o on o.id = d.user_id
      join user_profile u on u.id = a.user_id where a.id = ${askedId}`)
  if (!row) return undefined
  const { id, standInId, shiftId, eventId, state, answer, start, seeker, message, isActive } = row
  const link = { kind: 'stand_in', id, userId: row.user_id, shiftId } as const
  if (!secretsMatch(token, makeOfferToken(keyring, link))) return undefined
  const actor = actorFrom(row, { kind: 'token', tokenId: 0, scopes: new Set() })
  return { ...link, standInId, eventId, state, answer, start, seeker, message, isActive, actor }
}

/** A person to whom a swap was proposed. `shiftId` and `eventId` are those of the place that they would get. */
export type SwapByLink = Omit<OfferLink, 'kind'> & {
  kind: 'swap'
  eventId: number
  swap: Swap
  actor: Actor & UserActor
  isActive: boolean
}

async function getSwapByLink(db: Kysely<DB>, keyring: Keyring, token: string, id: number): Promise<SwapByLink | undefined> {
  const swap = await getSwap(db, id)
  if (!swap) return undefined
  const { shiftId, eventId } = swap.proposer
  const link = { kind: 'swap', id, userId: swap.other.userId, shiftId } as const
  if (!secretsMatch(token, makeOfferToken(keyring, link))) return undefined
  const row = await rowsOf(db).first(sql<ActorRow & { isActive: boolean }>`
    select u.is_active and not u.is_service_account as "isActive", ${actorColumns} from user_profile u where u.id = ${link.userId}`)
  if (!row) return undefined
  const actor = actorFrom(row, { kind: 'token', tokenId: 0, scopes: new Set() })
  return { ...link, eventId, swap, isActive: row.isActive, actor }
}

/** The person and the offer behind a link. Undefined for tokens that this instance did not sign. */
export async function getOfferByLink(
  db: Kysely<DB>,
  keyring: Keyring,
  token: string,
): Promise<OfferedByLink | AskedByLink | SwapByLink | undefined> {
  const parsed = parseToken(token)
  if (!parsed) return undefined
  if (parsed.kind === 'swap') return getSwapByLink(db, keyring, token, parsed.id)
  if (parsed.kind === 'stand_in') return getAskedByLink(db, keyring, token, parsed.id)
  const row = await rowsOf(db).first(sql<Row>`
    select w.id, w.shift_id as "shiftId", s.event_id as "eventId", w.state, w.since, w.offered_until as "offeredUntil",
      u.is_active and not u.is_service_account as "isActive", ${actorColumns}
    from waiting_entry w join shift s on s.id = w.shift_id join user_profile u on u.id = w.user_id where w.id = ${parsed.id}`)
  if (!row) return undefined
  const { id, shiftId, eventId, state, since, offeredUntil, isActive } = row
  const link = { kind: 'line' as const, id, userId: row.user_id, shiftId }
  if (!secretsMatch(token, makeOfferToken(keyring, link))) return undefined
  const actor = actorFrom(row, { kind: 'token', tokenId: 0, scopes: new Set() })
  return { ...link, eventId, state, since, offeredUntil, isActive, actor }
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
