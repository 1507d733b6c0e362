import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { record } from '#platform/journal/journal.ts'
import { pairChanges } from '#platform/journal/kinds.ts'
import { accountHooks } from '../points.ts'
import { getPerson } from '../queries/person.ts'
import { lockPerson } from './locks.ts'
import { missingIn, setMemberships } from './people.ts'

// Accounts of people who sign in at an identity provider. Access was checked there.

type NewAccount = { email: string; name: string; language: Language; providerId: number }

/** Without a password. Undefined: the email address is taken. */
export async function createProvidedPerson(tx: Tx, context: CommandContext, account: NewAccount): Promise<number | undefined> {
  const { email, name, language, providerId } = account
  const row = await tx
    .insertInto('user_profile')
    .values({ email, display_name: name, preferred_language: language, created_at: context.now })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  await record(tx, context, {
    kind: 'user.created',
    subject: { kind: 'user', id: row.id },
    changes: { identity_provider_id: providerId },
    personal: { personId: row.id, values: { display_name: name, email } },
  })
  return row.id
}

/** What a provider says about a person. Absent parts stay as they are. */
export type ProvidedData = {
  name?: string | undefined
  phone?: string | undefined
  dateOfBirth?: string | undefined
  /** `set`: these groups, `keptIds` if the person is in them, and no others. `add`: these groups besides the present ones. */
  groups?: { mode: 'set' | 'add'; ids: readonly number[]; keptIds: readonly number[] } | undefined
  /** All qualifications that the provider grants. */
  qualificationIds?: readonly number[] | undefined
}

/** Updates profile, memberships and externally managed qualifications, with one journal entry if something has changed. */
export async function updateProvidedPerson(
  tx: Tx,
  context: CommandContext,
  { userId, providerId, data }: { userId: number; providerId: number; data: ProvidedData },
): Promise<void> {
  await lockPerson(tx, userId)
  const person = await getPerson(tx, userId)
  if (!person) return
  const personal = await updateProfile(tx, userId, person, data)
  const groups = await updateGroups(tx, context, person, data.groups)
  const qualifications = await updateQualifications(tx, context, userId, data.qualificationIds)
  const changes = { ...groups, ...qualifications }
  if (!Object.keys(personal).length && !Object.keys(changes).length) return
  await record(tx, context, {
    kind: 'user.updated_by_provider',
    subject: { kind: 'user', id: userId },
    changes: { identity_provider_id: providerId, ...changes },
    personal: { personId: userId, values: personal },
  })
}

type Profile = { name: string; phone: string | null; dateOfBirth: string | null }

async function updateProfile(tx: Tx, userId: number, before: Profile, after: ProvidedData) {
  const values = {
    ...(after.name === undefined || after.name === before.name ? {} : { display_name: after.name }),
    ...(after.phone === undefined || after.phone === before.phone ? {} : { phone: after.phone }),
    ...(after.dateOfBirth === undefined || after.dateOfBirth === before.dateOfBirth ? {} : { date_of_birth: after.dateOfBirth }),
  }
  if (Object.keys(values).length) await tx.updateTable('user_profile').set(values).where('id', '=', userId).execute()
  const old = { display_name: before.name, phone: before.phone, date_of_birth: before.dateOfBirth }
  return pairChanges(Object.keys(values) as (keyof typeof old)[], old, { ...old, ...values })
}

async function updateGroups(
  tx: Tx,
  { now, site }: CommandContext,
  { userId, groupIds: present }: { userId: number; groupIds: readonly number[] },
  wanted: ProvidedData['groups'],
) {
  if (!wanted) return {}
  const kept = wanted.mode === 'set' ? present.filter((id) => wanted.keptIds.includes(id)) : present
  const after = [...kept, ...wanted.ids]
  const added = missingIn(present, [...new Set(after)])
  const removed = missingIn(after, present)
  if (!added.length && !removed.length) return {}
  await setMemberships(tx, userId, present, [...new Set(after)])
  await accountHooks.of(site).onMembershipsChanged(tx, { userIds: [userId], left: removed, now })
  return { groups: { added, removed } }
}

/** Qualifications that were granted by hand stay, also if the provider grants them, too. */
async function updateQualifications(
  tx: Tx,
  { now, site }: CommandContext,
  userId: number,
  wanted: ProvidedData['qualificationIds'],
) {
  if (!wanted) return {}
  const held = await tx
    .selectFrom('qualification_grant')
    .select(['qualification_id', 'externally_managed'])
    .where('user_id', '=', userId)
    .execute()
  const added = missingIn(
    held.map(({ qualification_id }) => qualification_id),
    wanted,
  )
  const removed = missingIn(
    wanted,
    held.filter(({ externally_managed }) => externally_managed).map(({ qualification_id }) => qualification_id),
  )
  if (!added.length && !removed.length) return {}
  if (removed.length)
    await tx.deleteFrom('qualification_grant').where('user_id', '=', userId).where('qualification_id', 'in', removed).execute()
  if (added.length)
    await tx
      .insertInto('qualification_grant')
      .values(added.map((id) => ({ user_id: userId, qualification_id: id, externally_managed: true })))
      .execute()
  await accountHooks.of(site).onQualificationsChanged(tx, [userId], now)
  return { qualifications: { added, removed } }
}

/** Groups without permissions, for names that a provider sends. Returns the ids. */
export async function createProvidedGroups(tx: Tx, context: CommandContext, names: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) {
    const row = await tx
      .insertInto('user_group')
      .values({ name })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) await record(tx, context, { kind: 'group.created', subject: { kind: 'group', id: row.id }, changes: { name } })
    const found = row ?? (await tx.selectFrom('user_group').select('id').where('name', '=', name).executeTakeFirst())
    if (found) ids.push(found.id)
  }
  return ids
}
