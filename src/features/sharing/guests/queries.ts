import { type Kysely, type Selectable, sql } from 'kysely'
import { changeableBy, openTo } from '#features/events/events/access.ts'
import { shiftColumns } from '#features/events/events/queries/shift-columns.ts'
import type { Shift } from '#features/events/events/rules/shifts.ts'
import { reachableBy } from '#features/staffing/eligibility/access.ts'
import { loadSharedFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { type Candidacy, judgeCandidacy, UNKNOWN_PERSON } from '#features/staffing/eligibility/rules/candidacy.ts'
import { type Actor, type GuestActor, makeActor } from '#platform/auth/actor.ts'
import type { GuestAuthenticator } from '#platform/auth/authenticator.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { hashSecret, type Keyring, secretsMatch } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/languages.ts'
import {
  type Declared,
  guestIdIn,
  type ManagedEvent,
  type ManagedGuest,
  mailCode,
  makeMailToken,
  type OwnGuest,
  type OwnPlace,
  type PublicEvent,
} from './rules.ts'

const ACTOR_COLUMNS = ['id', 'event_id', 'display_name', 'language'] as const
type ActorRow = Pick<Selectable<DB['guest']>, (typeof ACTOR_COLUMNS)[number]>

/** `language`: for guests who have none of their own. */
const guestActorOf = (row: ActorRow, language: Language): Actor & GuestActor =>
  makeActor<GuestActor>({
    kind: 'guest',
    guestId: row.id,
    eventId: row.event_id,
    displayName: row.display_name,
    language: (row.language as Language | null) ?? language,
  })

/** The link alone does not permit anything: `reachableBy` checks the event and its share for every page and action. */
export function authenticateGuest(db: Database): GuestAuthenticator {
  return async (token, language) => {
    const row = await db.read
      .selectFrom('guest')
      .select(ACTOR_COLUMNS)
      .where('access_token_hash', '=', hashSecret(token))
      .executeTakeFirst()
    return row && guestActorOf(row, language)
  }
}

/** `current`: the address is proved, and the link is the personal one. `open`: a button can prove it. */
export type MailedLink = { state: 'current' | 'open'; actor: Actor & GuestActor; name: string; email: string }
export type MailedSecret = { mailToken: string } | { guestId: number; code: string }

/** The guest behind a link from a mail; undefined if no mail to the address of a guest contains it. `lock`: for a change. */
export async function getMailedLink(
  db: Kysely<DB>,
  keyring: Keyring,
  secret: MailedSecret,
  { lock = false } = {},
): Promise<MailedLink | undefined> {
  const isNew = 'mailToken' in secret
  const hash = isNew ? hashSecret(secret.mailToken) : undefined
  const id = isNew ? guestIdIn(secret.mailToken) : secret.guestId
  if (id === undefined) return undefined
  const row = await db
    .selectFrom('guest')
    .select([...ACTOR_COLUMNS, 'email', 'email_confirmed_at', 'access_token_hash'])
    .where('id', '=', id)
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (!row) return undefined
  const isOfAddress = isNew
    ? secretsMatch(secret.mailToken, makeMailToken(keyring, row))
    : secretsMatch(secret.code, mailCode(keyring, row))
  const isPersonal = hash === undefined || row.access_token_hash.equals(hash)
  // The link in mails to an address before stays the personal one until the new address is proved.
  if (!isOfAddress && !(isNew && isPersonal)) return undefined
  const isProved = row.email_confirmed_at !== null
  const actor = guestActorOf(row, 'en')
  return { state: isPersonal && (isProved || !isOfAddress) ? 'current' : 'open', actor, name: row.display_name, email: row.email }
}

/** Undefined: the guest is deleted, or has not proved the address. */
export async function getProvedGuest(db: Kysely<DB>, id: number): Promise<(Actor & GuestActor) | undefined> {
  const row = await db
    .selectFrom('guest')
    .select(ACTOR_COLUMNS)
    .where('id', '=', id)
    .where('email_confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row && guestActorOf(row, 'en')
}

/** The event of a registration link. Undefined if the link is unknown. */
export async function getEventOfLink(
  { db, actor }: RequestContext,
  eventId: number,
  token: string,
): Promise<PublicEvent | undefined> {
  return rowsOf(db).first(sql<PublicEvent>`
    select e.id, e.title, e.description, e.location, t.title as "typeTitle", t.color as "typeColor",
      e.start_time as start, e.end_time as end, s.active as "isLinkActive", e.active as "isPublished",
      e.deleted_at is not null as "isDeleted", e.cancelled_at is not null as "isCancelled",
      ${actor.kind === 'user' ? openTo(actor) : sql`false`} as "isOpenToReader"
    from guest_share s join event e on e.id = s.event_id join event_type t on t.id = e.type_id
    where s.event_id = ${eventId} and s.token_hash = ${hashSecret(token)}`)
}

type PublicShift = Shift & { structure_slug: string; structure_configuration: unknown }

/** Upcoming shifts of an event, without people. */
export async function findPublicShifts({ db, now }: RequestContext, eventId: number): Promise<PublicShift[]> {
  return rowsOf(db).all(sql<PublicShift>`
    select ${shiftColumns()}, s.structure_slug, s.structure_configuration
    from shift s where s.event_id = ${eventId} and s.end_time >= ${now} order by s.meeting_time, s.start_time, s.id`)
}

/** What somebody says about themselves before they are registered. */
export type Stranger = { dateOfBirth: string; qualifications: readonly number[] }

/** Old enough for everything. */
const EARLIEST_BIRTH = '1900-01-01'

/**
 * What a person without an account can do about shifts of a link. Without a person: what anybody can who has every qualification and
 * age, so shifts that are full, closed or without self-service are closed for all.
 */
export async function judgeStranger(
  { db, now, site }: Pick<RequestContext, 'db' | 'now' | 'site'>,
  shiftIds: readonly number[],
  stranger?: Stranger,
): Promise<Map<number, Candidacy>> {
  if (!shiftIds.length) return new Map()
  const held = stranger ? stranger.qualifications : (await findDeclarable(db)).map(({ id }) => id)
  const person = {
    ...UNKNOWN_PERSON,
    isProvisional: stranger !== undefined,
    dateOfBirth: stranger?.dateOfBirth ?? EARLIEST_BIRTH,
    grants: held.map((id) => ({ id, until: null })),
  }
  const shared = await loadSharedFacts(db, shiftIds, now)
  const nothing = { own: new Map(), answers: new Map(), engagements: [], who: { kind: 'guest', id: 0 } as const }
  const judged = shiftIds.flatMap((id) => {
    const candidacy = judgeCandidacy({ ...shared, ...nothing, person }, id, { now, timeZone: site.timeZone })
    return candidacy ? [[id, candidacy] as const] : []
  })
  return new Map(judged)
}

/** Qualifications that guests can declare, in the order of the catalogue. */
export async function findDeclarable(db: Kysely<DB>): Promise<{ id: number; title: string }[]> {
  return rowsOf(db).all(sql<{ id: number; title: string }>`
    select q.id, q.title from qualification q join qualification_category c on c.id = q.category_id
    order by lower(c.title), lower(q.title), q.id`)
}

export async function getOwnGuest(db: Kysely<DB>, actor: Actor): Promise<OwnGuest | undefined> {
  if (actor.kind !== 'guest') return undefined
  return rowsOf(db).first(sql<OwnGuest>`
    select g.id, e.id as "eventId", e.title as "eventTitle", e.start_time as start, e.end_time as end,
      e.deleted_at is not null as "isDeleted", ${reachableBy(actor)} as "isReachable", g.display_name as name, g.email,
      g.date_of_birth as "birthDate", g.phone, g.email_confirmed_at is not null as "isProved"
    from guest g join event e on e.id = g.event_id where g.id = ${actor.guestId}`)
}

const STATE_OF_DECLARED = sql`case when q.verified_at is not null then 'verified' when q.rejected_at is not null then 'rejected' else 'waiting' end`

export async function findDeclared(db: Kysely<DB>, guestId: number): Promise<Declared[]> {
  return rowsOf(db).all(sql<Declared>`
    select c.id, c.title, ${STATE_OF_DECLARED} as state from guest_qualification q join qualification c on c.id = q.qualification_id
    where q.guest_id = ${guestId} order by lower(c.title), c.id`)
}

export async function findOwnPlaces(db: Kysely<DB>, guestId: number): Promise<OwnPlace[]> {
  return rowsOf(db).all(sql<OwnPlace>`
    select s.label, p.start_time as start, p.end_time as end, p.state
    from participation p join shift s on s.id = p.shift_id where p.guest_id = ${guestId} order by p.start_time, p.id`)
}

/** An event whose guests the actor may see and change. */
export async function getManagedEvent(db: Kysely<DB>, actor: Actor, eventId: number): Promise<ManagedEvent | undefined> {
  type Row = Omit<ManagedEvent, 'share'> & { tokenSealed: string | null; isActive: boolean | null }
  const row = await rowsOf(db).first(sql<Row>`
    select e.id, e.title, e.location, e.start_time as start, e.end_time as end, e.active as "isPublished",
      e.cancelled_at is not null as "isCancelled", s.token_sealed as "tokenSealed", s.active as "isActive"
    from event e left join guest_share s on s.event_id = e.id
    where e.id = ${eventId} and e.deleted_at is null and ${changeableBy(actor)}`)
  if (!row) return undefined
  const { tokenSealed, isActive, ...event } = row
  return { ...event, share: tokenSealed === null ? undefined : { tokenSealed, isActive: isActive! } }
}

export async function findGuests(db: Kysely<DB>, eventId: number, guestId?: number): Promise<ManagedGuest[]> {
  return rowsOf(db).all(sql<ManagedGuest>`
    select g.id, g.display_name as name, g.email, g.phone, g.date_of_birth as "birthDate", g.created_at as "registeredAt",
      g.email_confirmed_at is not null as "isProved", g.access_token_sealed as "tokenSealed",
      g.mail_failure as "mailFailure",
      (select count(*) from participation p where p.guest_id = g.id and p.state = 0)::int as requested,
      (select count(*) from participation p where p.guest_id = g.id and p.state = 1)::int as confirmed,
      coalesce((select json_agg(json_build_object('id', c.id, 'title', c.title, 'state', ${STATE_OF_DECLARED}) order by lower(c.title), c.id)
        from guest_qualification q join qualification c on c.id = q.qualification_id where q.guest_id = g.id), '[]') as declared
    from guest g where g.event_id = ${eventId} and ${guestId === undefined ? sql`true` : sql`g.id = ${guestId}`}
    order by lower(g.display_name), g.id`)
}

type MailedGuest = {
  id: number
  name: string
  email: string
  language: Language | null
  isProved: boolean
  event: { title: string; location: string; start: Date | null; end: Date | null }
}

/** For the mail with the link. Undefined if the guest or the event was deleted. */
export async function getMailedGuest(db: Kysely<DB>, guestId: number): Promise<MailedGuest | undefined> {
  const row = await rowsOf(db).first(sql<Omit<MailedGuest, 'event'> & MailedGuest['event']>`
    select g.id, g.display_name as name, g.email, g.language, g.email_confirmed_at is not null as "isProved",
      e.title, e.location, e.start_time as start, e.end_time as end
    from guest g join event e on e.id = g.event_id where g.id = ${guestId} and e.deleted_at is null`)
  if (!row) return undefined
  const { title, location, start, end, ...guest } = row
  return { ...guest, event: { title, location, start, end } }
}

/** Guests of events that ended before this time. */
export async function findFormerGuests(db: Kysely<DB>, before: Date): Promise<{ count: number; oldest: Date | null }> {
  // never null: count (of rows)
  return rowsOf(db).one(sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(coalesce(e.end_time, g.created_at)) as oldest from guest g join event e on e.id = g.event_id
    where coalesce(e.end_time, g.created_at) < ${before}`)
}
