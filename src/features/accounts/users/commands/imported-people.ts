import { sql } from 'kysely'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { type Entry, erasePeople, recordAll } from '#platform/journal/journal.ts'
import { isAddress } from '#platform/no-address.ts'
import { accountHooks } from '../points.ts'

// People of a list, in batches and in the transaction of the import, which has checked what the importer may do. None of these
// functions can make an administrator: they do not write that column, nor permissions.

type Profile = { name: string; birthDate: string | null; phone: string | null; language: string }
export type NewPerson = Profile & {
  email: string /** Shared with another person. */
  contactEmail: string | null
  username: string | null
  groupIds: readonly number[]
  grants: readonly Grant[]
}
export type Grant = { qualificationId: number; expiresAt: Date | null }

/** Returns the ids by address in lower case. A person whose address or user name another account has by now is left out. */
export async function createPeople(tx: Tx, context: CommandContext, people: readonly NewPerson[]): Promise<Map<string, number>> {
  if (!people.length) return new Map()
  const values = people.map(({ name, email, contactEmail, username, birthDate, phone, language }) => ({
    name,
    email,
    contactEmail,
    username,
    invalid: !isAddress(email),
    birthDate,
    phone,
    language,
  }))
  const { rows } = await sql<{ id: number; email: string }>`
    insert into user_profile (display_name, email, contact_email, username, email_invalid, date_of_birth, phone, preferred_language, created_at)
    select name, email, "contactEmail", username, invalid, "birthDate", phone, language, ${context.now}
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as person (name text, email text, "contactEmail" text, username text, invalid boolean, "birthDate" date, phone text, language text)
    on conflict do nothing returning id, lower(email) as email`.execute(tx)
  const ids = new Map(rows.map(({ id, email }) => [email, id]))
  const created = people.flatMap((person) => {
    const id = ids.get(person.email.toLowerCase())
    return id === undefined ? [] : [{ id, person }]
  })
  await addMemberships(
    tx,
    created.flatMap(({ id, person }) => person.groupIds.map((groupId) => ({ userId: id, groupId }))),
  )
  await writeGrants(
    tx,
    created.flatMap(({ id, person }) => person.grants.map((grant) => ({ userId: id, ...grant }))),
  )
  await recordAll(
    tx,
    context,
    created.map(({ id, person: { name, email, contactEmail, username, birthDate, phone, groupIds, grants } }) => ({
      kind: 'user.created',
      subject: { kind: 'user', id },
      changes: {
        is_staff: false,
        is_visible: true,
        groups: groupIds,
        ...(grants.length ? { qualifications: { added: grants.map(({ qualificationId }) => qualificationId) } } : {}),
      },
      personal: {
        personId: id,
        values: {
          display_name: name,
          email,
          ...(contactEmail && { contact_email: contactEmail }),
          ...(username && { username }),
          date_of_birth: birthDate,
          phone,
        },
      },
    })),
  )
  return ids
}

/** Each value with the one before, as the journal shows it. */
type Pair = [before: string | null, after: string | null]
export type ProfileChange = Partial<
  Record<'display_name' | 'username' | 'contact_email' | 'date_of_birth' | 'phone' | 'preferred_language', Pair>
>
export type PersonChange = {
  userId: number
  profile: ProfileChange
  addedGroups: readonly number[]
  removedGroups: readonly number[]
  /** `before` undefined: was not held. `after` undefined: is not held any more. */
  grants: readonly { qualificationId: number; before: Date | null | undefined; after: Date | null | undefined }[]
}

/** The caller has locked the people. */
export async function changePeople(tx: Tx, context: CommandContext, changes: readonly PersonChange[]): Promise<void> {
  await writeProfiles(tx, changes)
  await addMemberships(
    tx,
    changes.flatMap(({ userId, addedGroups }) => addedGroups.map((groupId) => ({ userId, groupId }))),
  )
  await removeMemberships(
    tx,
    changes.flatMap(({ userId, removedGroups }) => removedGroups.map((groupId) => ({ userId, groupId }))),
  )
  const grants = changes.flatMap(({ userId, grants: each }) => each.map((grant) => ({ userId, ...grant })))
  await writeGrants(
    tx,
    grants.flatMap(({ userId, qualificationId, after }) =>
      after === undefined ? [] : [{ userId, qualificationId, expiresAt: after }],
    ),
  )
  await deleteGrants(
    tx,
    grants.filter(({ after }) => after === undefined),
  )
  const regrouped = changes.filter(({ addedGroups, removedGroups }) => addedGroups.length + removedGroups.length > 0)
  if (regrouped.length)
    await accountHooks.of(context.site).onMembershipsChanged(tx, {
      userIds: regrouped.map(({ userId }) => userId),
      left: [...new Set(regrouped.flatMap(({ removedGroups }) => removedGroups))],
      now: context.now,
    })
  if (grants.length)
    await accountHooks.of(context.site).onQualificationsChanged(tx, [...new Set(grants.map(({ userId }) => userId))], context.now)
  await recordAll(tx, context, changes.map(entryOf))
}

function entryOf({ userId, profile, addedGroups, removedGroups, grants }: PersonChange): Entry<'user.changed'> {
  const { preferred_language, ...personal } = profile
  const idsOf = (wanted: (grant: PersonChange['grants'][number]) => boolean) =>
    grants.filter(wanted).map(({ qualificationId }) => qualificationId)
  const qualifications = {
    added: idsOf(({ before }) => before === undefined),
    removed: idsOf(({ after }) => after === undefined),
  }
  return {
    kind: 'user.changed',
    subject: { kind: 'user', id: userId },
    changes: {
      ...(preferred_language ? { preferred_language } : {}),
      ...(addedGroups.length + removedGroups.length ? { groups: { added: addedGroups, removed: removedGroups } } : {}),
      ...(grants.length ? { qualifications } : {}),
    },
    personal: { personId: userId, values: personal },
  }
}

async function writeProfiles(tx: Tx, changes: readonly PersonChange[]): Promise<void> {
  const rows = changes
    .filter(({ profile }) => Object.keys(profile).length)
    .map(({ userId, profile }) => ({
      userId,
      ...Object.fromEntries(Object.entries(profile).map(([name, [, after]]) => [name, after])),
      given: Object.keys(profile),
    }))
  if (!rows.length) return
  await sql`
    update user_profile u set
      display_name = case when 'display_name' = any (given) then n.display_name else u.display_name end,
      username = case when 'username' = any (given) then n.username else u.username end,
      contact_email = case when 'contact_email' = any (given) then n.contact_email else u.contact_email end,
      date_of_birth = case when 'date_of_birth' = any (given) then n.date_of_birth else u.date_of_birth end,
      phone = case when 'phone' = any (given) then n.phone else u.phone end,
      preferred_language = case when 'preferred_language' = any (given) then n.preferred_language else u.preferred_language end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n ("userId" bigint, display_name text, username text, contact_email text, date_of_birth date, phone text, preferred_language text, given text[])
    where u.id = n."userId"`.execute(tx)
}

type Guardianship = { guardianId: number; childId: number }
/** The caller has locked the people and has checked the rules (`refuseGuardianship`). */
export async function addGuardianships(tx: Tx, context: CommandContext, pairs: readonly Guardianship[]): Promise<void> {
  if (!pairs.length) return
  const { actor, now } = context
  const { rows } = await sql<Guardianship>`
    insert into guardianship (guardian_id, child_id, since, granted_by_id)
    select guardian_id, child_id, ${now}, ${userIdOrNull(actor)}
    from unnest(${pairs.map(({ guardianId }) => guardianId)}::bigint[], ${pairs.map(({ childId }) => childId)}::bigint[]) as n (guardian_id, child_id)
    on conflict do nothing returning guardian_id as "guardianId", child_id as "childId"`.execute(tx)
  await recordAll(
    tx,
    context,
    rows.map(({ guardianId, childId }) => ({
      kind: 'guardianship.created',
      subject: { kind: 'user', id: childId },
      changes: { guardian_id: guardianId },
    })),
  )
}

/** When an import is undone. The caller has locked the children. */
export async function removeGuardianships(tx: Tx, context: CommandContext, pairs: readonly Guardianship[]): Promise<void> {
  if (!pairs.length) return
  const { rows } = await sql<Guardianship>`
    delete from guardianship g
    using unnest(${pairs.map(({ guardianId }) => guardianId)}::bigint[], ${pairs.map(({ childId }) => childId)}::bigint[]) as gone (guardian_id, child_id)
    where g.guardian_id = gone.guardian_id and g.child_id = gone.child_id
    returning g.guardian_id as "guardianId", g.child_id as "childId"`.execute(tx)
  await recordAll(
    tx,
    context,
    rows.map(({ guardianId, childId }) => ({
      kind: 'guardianship.ended',
      subject: { kind: 'user', id: childId },
      changes: { guardian_id: guardianId, cause: 'management' },
    })),
  )
}

type Membership = { userId: number; groupId: number }

async function addMemberships(tx: Tx, rows: readonly Membership[]): Promise<void> {
  if (!rows.length) return
  await sql`
    insert into user_group_member (user_id, group_id)
    select * from unnest(${rows.map(({ userId }) => userId)}::bigint[], ${rows.map(({ groupId }) => groupId)}::bigint[])
    on conflict do nothing`.execute(tx)
}

async function removeMemberships(tx: Tx, rows: readonly Membership[]): Promise<void> {
  if (!rows.length) return
  await sql`
    delete from user_group_member m
    using unnest(${rows.map(({ userId }) => userId)}::bigint[], ${rows.map(({ groupId }) => groupId)}::bigint[]) as gone (user_id, group_id)
    where m.user_id = gone.user_id and m.group_id = gone.group_id`.execute(tx)
}

async function writeGrants(tx: Tx, rows: readonly (Grant & { userId: number })[]): Promise<void> {
  if (!rows.length) return
  await sql`
    insert into qualification_grant (user_id, qualification_id, expires_at)
    select * from unnest(${rows.map(({ userId }) => userId)}::bigint[], ${rows.map(({ qualificationId }) => qualificationId)}::bigint[],
      ${rows.map(({ expiresAt }) => expiresAt)}::timestamptz[])
    on conflict (user_id, qualification_id) do update set expires_at = excluded.expires_at
      where not qualification_grant.externally_managed`.execute(tx)
}

async function deleteGrants(tx: Tx, rows: readonly { userId: number; qualificationId: number }[]): Promise<void> {
  if (!rows.length) return
  await sql`
    delete from qualification_grant g
    using unnest(${rows.map(({ userId }) => userId)}::bigint[], ${rows.map(({ qualificationId }) => qualificationId)}::bigint[])
      as gone (user_id, qualification_id)
    where g.user_id = gone.user_id and g.qualification_id = gone.qualification_id and not g.externally_managed`.execute(tx)
}

/**
 * Deletes accounts that an import created, when it is undone. The caller has locked them and has checked that the people never signed
 * in and take part in nothing; foreign keys delete what else refers to them. Not even a row without a name stays.
 */
export async function removeImportedPeople(tx: Tx, context: CommandContext, userIds: readonly number[]): Promise<void> {
  if (!userIds.length) return
  await sql`delete from user_profile where id = any (${userIds}::bigint[])`.execute(tx)
  await erasePeople(tx, userIds)
  await recordAll(
    tx,
    context,
    userIds.map((id) => ({ kind: 'user.deleted', subject: { kind: 'user', id } })),
  )
}
