import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import type { Link } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Actor, UserActor } from '#platform/auth/actor.ts'
import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { formatToken, type OfferLink, offerPath, parseToken, textToSign } from '../rules/links.ts'
import type { EntryState } from '../rules/waiting-list.ts'

/** For the links in mails and push messages. It works without a session and allows nothing but one answer. */
export const makeOfferToken = (keyring: Keyring, link: OfferLink): string =>
  formatToken(link, keyring.fingerprint(textToSign(link)).toString('base64url'))

/** The page on which a person answers an offer without signing in. */
export const offerAnswer = (keyring: Keyring, link: OfferLink): { accept: Link } => ({
  accept: { path: offerPath(makeOfferToken(keyring, link)), label: (words) => words.t('notification.place_offered.answer') },
})

/** An offer of any kind, and the person who answers it. */
export type OfferByLink = OfferLink & { eventId: number; actor: Actor & UserActor; isActive: boolean }

/** The columns of a person `u` that `personOf` reads. */
export const personColumns = sql`u.is_active and not u.is_service_account as "isActive", ${actorColumns}`
export type PersonRow = ActorRow & { isActive: boolean }

export const personOf = (row: PersonRow): Pick<OfferByLink, 'userId' | 'actor' | 'isActive'> => ({
  userId: row.user_id,
  isActive: row.isActive,
  actor: actorFrom(row, { kind: 'token', tokenId: 0, scopes: new Set() }),
})

export type OfferLoader = { kind: OfferLink['kind']; load: (db: Kysely<DB>, id: number) => Promise<OfferByLink | undefined> }

/** The person and the offer behind a link. Undefined for tokens that this instance did not sign. */
export async function getOfferByLink<Kind extends OfferLoader>(
  db: Kysely<DB>,
  { keyring, kinds }: { keyring: Keyring; kinds: readonly Kind[] },
  token: string,
): Promise<{ kind: Kind; offer: OfferByLink } | undefined> {
  const parsed = parseToken(token)
  const kind = parsed && kinds.find((each) => each.kind === parsed.kind)
  const offer = await kind?.load(db, parsed!.id)
  return kind && offer && secretsMatch(token, makeOfferToken(keyring, offer)) ? { kind, offer } : undefined
}

export type OfferedByLink = OfferByLink & { kind: 'waiting_list'; state: EntryState; since: Date; offeredUntil: Date | null }

/** A place that was offered to a person on the waiting list. */
export async function getOfferedPlace(db: Kysely<DB>, id: number): Promise<OfferedByLink | undefined> {
  type Row = PersonRow & Pick<OfferedByLink, 'shiftId' | 'eventId' | 'state' | 'since' | 'offeredUntil'>
  const row = await rowsOf(db).first(sql<Row>`
    select w.shift_id as "shiftId", s.event_id as "eventId", w.state, w.since, w.offered_until as "offeredUntil", ${personColumns}
    from waiting_entry w join shift s on s.id = w.shift_id join user_profile u on u.id = w.user_id where w.id = ${id}`)
  if (!row) return undefined
  const { shiftId, eventId, state, since, offeredUntil } = row
  return { kind: 'waiting_list', id, ...personOf(row), shiftId, eventId, state, since, offeredUntil }
}
