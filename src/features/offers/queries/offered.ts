import { type Kysely, sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/users/queries/actor.ts'
import type { Actor, UserActor } from '#platform/auth/actor.ts'
import { type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import type { EntryState } from '../rules/line.ts'
import { formatToken, type OfferLink, parseToken, textToSign } from '../rules/links.ts'

/** For the links in mails and push messages. It works without a session and allows nothing but one answer. */
export const makeOfferToken = (keyring: Keyring, link: OfferLink): string =>
  formatToken(link, keyring.fingerprint(textToSign(link)).toString('base64url'))

export type OfferedByLink = OfferLink & {
  eventId: number
  state: EntryState
  since: Date
  offeredUntil: Date | null
  actor: Actor & UserActor
  isActive: boolean
}

type Row = ActorRow & Pick<OfferedByLink, 'id' | 'shiftId' | 'eventId' | 'state' | 'since' | 'offeredUntil' | 'isActive'>

/** The person and the offer behind a link. Undefined for tokens that this instance did not sign. */
export async function getOfferByLink(db: Kysely<DB>, keyring: Keyring, token: string): Promise<OfferedByLink | undefined> {
  const parsed = parseToken(token)
  if (!parsed) return undefined
  const { rows } = await sql<Row>`
    select w.id, w.shift_id as "shiftId", s.event_id as "eventId", w.state, w.since, w.offered_until as "offeredUntil",
      u.is_active and not u.is_service_account as "isActive", ${actorColumns}
    from waiting_entry w join shift s on s.id = w.shift_id join user_profile u on u.id = w.user_id where w.id = ${parsed.id}`.execute(
    db,
  )
  const [row] = rows
  if (!row) return undefined
  const { id, shiftId, eventId, state, since, offeredUntil, isActive } = row
  const link: OfferLink = { kind: parsed.kind, id, userId: row.user_id, shiftId }
  if (!secretsMatch(token, makeOfferToken(keyring, link))) return undefined
  const actor = actorFrom(row, { kind: 'token', tokenId: 0, scopes: new Set() })
  return { ...link, eventId, state, since, offeredUntil, isActive, actor }
}
