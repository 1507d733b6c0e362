import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Permission } from '#platform/auth/permissions.ts'
import type { DB } from '#platform/db/tables.ts'
import { GROUPS, type Group, PARTNERS, type Partner, PEOPLE, type Person } from './people.ts'

type Db = Kysely<DB>
export type Stats = { missing?: number; free?: number | null; min?: number | null; max?: number | null }
export type ShiftOptions = {
  label?: string
  /** ISO 8601 with an offset; the default duration is one hour. */
  start?: string
  end?: string
  meeting?: string
  flow?: string
  flowConfiguration?: object
  structure?: string
  configuration?: object
  stats?: Stats
}
export type EventOptions = {
  title?: string
  description?: string | null
  location?: string
  type?: number
  seenBy?: (Person | Group)[]
  responsible?: (Person | Group)[]
  sharedWith?: Partner[]
  shifts?: ShiftOptions[]
  draft?: boolean
  cancelled?: boolean
  deleted?: boolean
}
export type MadeEvent = { id: number; shifts: number[] }

export const START = '2031-05-04T08:00:00+02:00'
/** As text, since a `Date` has no microseconds. */
const at = (time: string) => sql<Date>`${time}::timestamptz`
const hoursAfter = (time: string, hours: number): string => new Date(Date.parse(time) + hours * 3_600_000).toISOString()

export async function addPerson(db: Db, person: Person, createdAt: Date): Promise<void> {
  await db
    .insertInto('user_profile')
    .values({
      id: person.id,
      email: person.email,
      display_name: person.name,
      date_of_birth: person.dateOfBirth,
      phone: person.phone,
      is_superuser: person.isSuperuser ?? false,
      is_staff: person.isStaff ?? false,
      is_active: person.isActive ?? true,
      is_visible: person.isVisible ?? true,
      created_at: createdAt,
    })
    .execute()
  for (const permission of person.permissions ?? []) await addPermission(db, person, permission)
}

export async function addGroup(db: Db, { id, name, members, permissions = [] }: Group): Promise<void> {
  await db.insertInto('user_group').values({ id, name }).execute()
  for (const { id: userId } of members)
    await db.insertInto('user_group_member').values({ group_id: id, user_id: userId }).execute()
  for (const permission of permissions) await db.insertInto('group_permission').values({ group_id: id, permission }).execute()
}

export async function addPermission(db: Db, to: Person | Group, permission: Permission): Promise<void> {
  await (to.kind === 'person'
    ? db.insertInto('user_permission').values({ user_id: to.id, permission }).execute()
    : db.insertInto('group_permission').values({ group_id: to.id, permission }).execute())
}

export async function addPartner(db: Db, { id, name, url }: Partner): Promise<void> {
  const values = { id, name, url, client_id: `client of ${name}`, client_secret_sealed: 'sealed' }
  await db.insertInto('federated_guest').values(values).execute()
}

/** Adds the sample users, groups and partners; records that tests add later get much higher ids. */
export async function addPeople(db: Db, now: Date): Promise<void> {
  for (const person of PEOPLE) await addPerson(db, person, now)
  for (const group of GROUPS) await addGroup(db, group)
  for (const partner of PARTNERS) await addPartner(db, partner)
  for (const table of ['user_profile', 'user_group', 'federated_guest'])
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), 100)`.execute(db)
}

export async function nextId(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`.execute(db)
  return rows[0]!.id
}

export async function addEvent(db: Db, wish: EventOptions, now: Date): Promise<MadeEvent> {
  const { id } = await db
    .insertInto('event')
    .values({
      title: wish.title ?? 'Harbour run',
      description: wish.description === undefined ? null : wish.description,
      location: wish.location ?? 'Pier 3',
      type_id: wish.type ?? 1,
      active: !wish.draft,
      cancelled_at: wish.cancelled ? now : null,
      cancellation_reason: wish.cancelled ? 'storm' : null,
      deleted_at: wish.deleted ? now : null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const to of wish.seenBy ?? []) await grantEvent(db, id, to, 'view')
  for (const to of wish.responsible ?? []) await grantEvent(db, id, to, 'change')
  for (const partner of wish.sharedWith ?? [])
    await db.insertInto('event_share').values({ event_id: id, federated_guest_id: partner.id }).execute()
  const shifts: number[] = []
  for (const shift of wish.shifts ?? []) shifts.push(await addShift(db, id, shift))
  return { id, shifts }
}

export async function grantEvent(db: Db, eventId: number, to: Person | Group, permission: 'view' | 'change'): Promise<void> {
  await (to.kind === 'person'
    ? db.insertInto('event_user_grant').values({ event_id: eventId, user_id: to.id, permission }).execute()
    : db.insertInto('event_group_grant').values({ event_id: eventId, group_id: to.id, permission }).execute())
}

export async function addShift(db: Db, eventId: number, wish: ShiftOptions): Promise<number> {
  const start = wish.start ?? START
  const { missing = 0, free = null, min = null, max = null } = wish.stats ?? {}
  const { id } = await db
    .insertInto('shift')
    .values({
      event_id: eventId,
      label: wish.label ?? '',
      meeting_time: at(wish.meeting ?? start),
      start_time: at(start),
      end_time: at(wish.end ?? hoursAfter(start, 1)),
      signup_flow_slug: wish.flow ?? 'request_confirm',
      signup_flow_configuration: JSON.stringify(wish.flowConfiguration ?? {}),
      structure_slug: wish.structure ?? 'uniform',
      structure_configuration: JSON.stringify(wish.configuration ?? {}),
      missing,
      free,
      min_count: min,
      max_count: max,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type ExternalPerson = { name: string; email?: string; dateOfBirth?: string | null }
export type Participant = Person | { placeholder: string } | { visitor: ExternalPerson; of: Partner } | { guest: ExternalPerson }
export type NewComment = { text: string; level: 0 | 1 | 2; by?: Person | 'a deleted user'; at?: string }
export type ParticipationOptions = {
  who: Participant
  shift: number
  state?: 0 | 1 | 2 | 3 | 4
  start?: string
  end?: string
  data?: object
  comments?: NewComment[]
}

/** The columns of a participation that identify the participant; creates visitors and guests. */
async function personOf(db: Db, { who, shift }: ParticipationOptions) {
  if ('kind' in who) return { kind: 'local', user_id: who.id }
  if ('placeholder' in who) return { kind: 'placeholder', placeholder_name: who.placeholder }
  if ('visitor' in who) {
    const { name, email = `${name}@nord.example`, dateOfBirth = null } = who.visitor
    const { id } = await db
      .insertInto('visitor')
      .values({ federated_guest_id: who.of.id, display_name: name, email, date_of_birth: dateOfBirth })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { kind: 'visitor', visitor_id: id }
  }
  const { name, email = `${name}@guest.example`, dateOfBirth } = who.guest
  const event = await db.selectFrom('shift').select('event_id').where('id', '=', shift).executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('guest')
    .values({
      event_id: event.event_id,
      display_name: name,
      email,
      date_of_birth: dateOfBirth ?? '1980-01-01',
      access_token_hash: randomBytes(32),
      email_confirmed_at: new Date(0),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { kind: 'guest', guest_id: id }
}

export async function addParticipation(db: Db, wish: ParticipationOptions, now: Date): Promise<number> {
  const { id } = await db
    .insertInto('participation')
    .values({
      ...(await personOf(db, wish)),
      shift_id: wish.shift,
      state: wish.state ?? 1,
      individual_start_time: wish.start ? at(wish.start) : null,
      individual_end_time: wish.end ? at(wish.end) : null,
      structure_data: JSON.stringify(wish.data ?? {}),
      created_at: now,
      // A trigger overwrites this value.
      event_id: 0,
      start_time: now,
      end_time: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { text, level, by, at: time } of wish.comments ?? []) {
    await db
      .insertInto('participation_comment')
      .values({
        participation_id: id,
        text,
        visible_for: level,
        author_kind: by === undefined ? 'participant' : 'responsible',
        author_id: by === undefined || by === 'a deleted user' ? null : by.id,
        created_at: time ? at(time) : now,
      })
      .execute()
  }
  return id
}
