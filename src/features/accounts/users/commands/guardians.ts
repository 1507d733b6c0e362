import { type Kysely, sql } from 'kysely'
import { type Actor, hasPermission, userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { randomSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { record } from '#platform/journal/journal.ts'
import { noAddress } from '#platform/no-address.ts'
import { requirePermission } from '../access.ts'
import { givesRights } from '../queries/group-rights.ts'
import { isActedFor, isNotOfAge, type Moment } from '../queries/guardians.ts'
import { dayOf, type GuardianshipRefusal, mayChangeEmail, refuseGuardianship } from '../rules.ts'
import { lockPerson } from './locks.ts'
import { lockAndRequirePerson, setMemberships } from './people.ts'

type GuardianshipOutcome = { ok: true; name: string } | { ok: false; reason: GuardianshipRefusal | 'locked' }

type Facts = {
  userId: number
  name: string
  dateOfBirth: string | null
  isActive: boolean
  isStaff: boolean
  isSuperuser: boolean
  isServiceAccount: boolean
  permissionCount: number
  hasGuardian: boolean
  isGuardian: boolean
}

async function getFacts(db: Kysely<DB>, userId: number): Promise<Facts | undefined> {
  return rowsOf(db).first(sql<Facts>`
    select u.id as "userId", u.display_name as name, u.date_of_birth as "dateOfBirth", u.is_active as "isActive", u.is_staff as "isStaff",
      u.is_superuser as "isSuperuser", u.is_service_account as "isServiceAccount",
      ((select count(*) from user_permission p where p.user_id = u.id)
        + (select count(*) from group_permission p join user_group_member m on m.group_id = p.group_id where m.user_id = u.id))::int
        as "permissionCount",
      exists (select from guardianship g where g.child_id = u.id) as "hasGuardian",
      exists (select from guardianship g where g.guardian_id = u.id) as "isGuardian"
    from user_profile u where u.id = ${userId} and u.deleted_at is null`)
}

/** The account behind an e-mail address or a user name, as for signing in. */
async function getIdBySignInName(db: Kysely<DB>, name: string): Promise<number | undefined> {
  const row = await rowsOf(db).first(sql<{ id: number }>`
    select u.id from user_profile u
    where (lower(u.email) = lower(${name}::text) or lower(u.username) = lower(${name}::text))
      and not u.is_service_account and u.deleted_at is null`)
  return row?.id
}

type NewGuardianship = {
  childId: number
  /** E-mail address or user name of the guardian. */
  guardian: string
  /** Guardianships end when the child comes of age. */
  endsAtAge: boolean
}

/** Who may change the address of a person may name guardians: they get the person's mails, too. */
export async function addGuardian(
  context: CommandContext,
  { childId, guardian: name, endsAtAge }: NewGuardianship,
): Promise<GuardianshipOutcome> {
  const editor = requirePermission(context.actor, 'change_user')
  return transact(context.db, async (tx): Promise<GuardianshipOutcome> => {
    const guardianId = await getIdBySignInName(tx, name)
    if (guardianId === undefined) return { ok: false, reason: 'guardian_unknown' }
    // In the order of their ids, as commands that lock several people.
    for (const id of [guardianId, childId].toSorted((a, b) => a - b)) await lockPerson(tx, id)
    const person = await lockAndRequirePerson(tx, context, childId)
    if (!mayChangeEmail(editor, person)) return { ok: false, reason: 'locked' }
    return insertGuardianship(tx, context, { guardianId, childId, endsAtAge })
  })
}

async function insertGuardianship(
  tx: Tx,
  context: CommandContext,
  { guardianId, childId, endsAtAge }: { guardianId: number; childId: number; endsAtAge: boolean },
): Promise<GuardianshipOutcome> {
  const [guardian, child] = [await getFacts(tx, guardianId), await getFacts(tx, childId)]
  if (!guardian) return { ok: false, reason: 'guardian_unknown' }
  if (!child) throw new Problem('not_found')
  const exists = await isGuardianOf(tx, guardianId, childId)
  const today = dayOf(context.now, context.site.timeZone)
  const reason = refuseGuardianship(guardian, child, { today, endsAtAge, exists })
  if (reason) return { ok: false, reason }
  const by = userIdOrNull(context.actor)
  await tx
    .insertInto('guardianship')
    .values({ guardian_id: guardianId, child_id: childId, since: context.now, granted_by_id: by })
    .execute()
  await record(tx, context, {
    kind: 'guardianship.created',
    subject: { kind: 'user', id: childId },
    changes: { guardian_id: guardianId },
  })
  return { ok: true, name: guardian.name }
}

async function isGuardianOf(db: Kysely<DB>, guardianId: number, childId: number): Promise<boolean> {
  const row = await db
    .selectFrom('guardianship')
    .select('child_id')
    .where('guardian_id', '=', guardianId)
    .where('child_id', '=', childId)
    .executeTakeFirst()
  return row !== undefined
}

type Pair = { guardianId: number; childId: number }

/** By the guardian, or by those who manage people. False: there was none. */
export async function endGuardianship(context: CommandContext, { guardianId, childId }: Pair): Promise<boolean> {
  const { actor } = context
  if (actor.kind !== 'user' || actor.via.kind !== 'session' || actor.by) throw new Problem('permission_denied')
  const isOwn = actor.userId === guardianId
  if (!isOwn && !hasPermission(actor, 'change_user')) throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    if (isOwn) await lockPerson(tx, childId)
    else await lockAndRequirePerson(tx, context, childId)
    return removeGuardianship(tx, context, { guardianId, childId }, { cause: isOwn ? 'guardian' : 'management' })
  })
}

/** Sign-ups lock the child first and look at the guardianship after, so the caller locks the child, too. */
async function removeGuardianship(
  tx: Tx,
  context: CommandContext,
  { guardianId, childId }: Pair,
  ended: { cause: 'guardian' | 'management' } | { cause: 'age'; child_id: number; is_last: boolean },
): Promise<boolean> {
  const row = await tx
    .deleteFrom('guardianship')
    .where('guardian_id', '=', guardianId)
    .where('child_id', '=', childId)
    .returning('child_id')
    .executeTakeFirst()
  if (!row) return false
  await record(tx, context, {
    kind: 'guardianship.ended',
    subject: { kind: 'user', id: childId },
    changes: { guardian_id: guardianId, ...ended },
  })
  return true
}

/** Ends guardianships of people who have come of age, unless the organisation keeps them. Returns how many. */
export async function endGrownGuardianships(context: CommandContext): Promise<number> {
  const { rows: grown } = await sql<Pair>`
    select g.guardian_id as "guardianId", g.child_id as "childId"
    from guardianship g join user_profile c on c.id = g.child_id where not ${isNotOfAge(context)}
    order by g.child_id, g.guardian_id`.execute(context.db)
  let ended = 0
  for (const [childId, pairs] of Map.groupBy(grown, (pair) => pair.childId))
    await transact(context.db, async (tx) => {
      await lockPerson(tx, childId)
      for (const [index, { guardianId }] of pairs.entries()) {
        // The child is notified with the last one.
        const cause = { cause: 'age', child_id: childId, is_last: index === pairs.length - 1 } as const
        if (await removeGuardianship(tx, context, { guardianId, childId }, cause)) ended++
      }
    })
  return ended
}

type NewChild = { name: string; dateOfBirth: string | null; groupName: string; endsAtAge: boolean }

/**
 * A child of the caller: a person without a sign-in. The group is the one that administrators chose, if its members have no permissions.
 */
export async function addChild(
  context: CommandContext,
  { name, dateOfBirth, groupName, endsAtAge }: NewChild,
): Promise<{ ok: true; childId: number } | { ok: false; reason: GuardianshipRefusal }> {
  const { actor, now } = context
  if (actor.kind !== 'user' || actor.via.kind !== 'session' || actor.by) throw new Problem('permission_denied')
  const refused: { reason?: GuardianshipRefusal } = {}
  const childId = await transact(context.db, async (tx) => {
    await lockPerson(tx, actor.userId)
    const { id } = await tx
      .insertInto('user_profile')
      .values({
        display_name: name,
        email: noAddress(randomSecret(20)),
        email_invalid: true,
        date_of_birth: dateOfBirth,
        preferred_language: actor.language as Language,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const groupIds = await findPlainGroup(tx, groupName)
    await setMemberships(tx, id, [], groupIds)
    await record(tx, context, {
      kind: 'user.created',
      subject: { kind: 'user', id },
      changes: { by: 'guardian', groups: groupIds },
      personal: { personId: id, values: { display_name: name, date_of_birth: dateOfBirth } },
    })
    const outcome = await insertGuardianship(tx, context, { guardianId: actor.userId, childId: id, endsAtAge })
    if (outcome.ok) return id
    refused.reason = outcome.reason as GuardianshipRefusal
    throw new RefusedChild()
  }).catch((error: unknown) => {
    if (error instanceof RefusedChild) return undefined
    throw error
  })
  return childId === undefined ? { ok: false, reason: refused.reason! } : { ok: true, childId }
}

/** Rolls the new profile back. */
class RefusedChild extends Error {}

async function findPlainGroup(db: Kysely<DB>, name: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select g.id from user_group g where g.name = ${name} and not ${givesRights}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * For commands that a guardian carries out as the child. Call it after the child is locked: ending a guardianship locks the child, too,
 * so that nobody acts for a child after the guardianship has ended.
 */
export async function requireActing(tx: Tx, { actor, ...at }: Moment & { actor: Actor }): Promise<void> {
  if (actor.kind !== 'user' || !actor.by) return
  const { rows } = await sql`
    select from guardianship g join user_profile c on c.id = g.child_id
    where g.guardian_id = ${actor.by.userId} and g.child_id = ${actor.userId} and ${isActedFor(at)}`.execute(tx)
  if (!rows.length) throw new Problem('not_found')
}

/** Whether the own calendar contains the shifts of a child. */
export async function setChildInCalendar(context: CommandContext, childId: number, isIn: boolean): Promise<void> {
  const { actor } = context
  if (actor.kind !== 'user' || actor.via.kind !== 'session' || actor.by) throw new Problem('permission_denied')
  await transact(context.db, async (tx) => {
    const { rows } = await sql`
      update guardianship g set in_calendar = ${isIn} from user_profile c
      where g.guardian_id = ${actor.userId} and g.child_id = ${childId} and c.id = g.child_id and ${isActedFor(context)}
      returning g.child_id`.execute(tx)
    if (!rows.length) throw new Problem('not_found')
    await record(tx, context, {
      kind: 'guardianship.calendar_changed',
      subject: { kind: 'user', id: childId },
      changes: { in_calendar: isIn },
    })
  })
}

/** For the erasure of a person. */
export async function deleteGuardianshipsOf(tx: Tx, userId: number): Promise<void> {
  await tx
    .deleteFrom('guardianship')
    .where((eb) => eb.or([eb('guardian_id', '=', userId), eb('child_id', '=', userId)]))
    .execute()
}
