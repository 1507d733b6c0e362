import { sql } from 'kysely'
import { randomSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { lockPerson } from './locks.ts'
import { setMemberships } from './people.ts'

type NewProfile = { name: string; language: Language; groupIds: readonly number[]; now: Date }

/** The profile of a service account; undefined: the name is taken. A check constraint keeps it closed for everything people do. */
export async function addServiceProfile(tx: Tx, { name, language, groupIds, now }: NewProfile): Promise<number | undefined> {
  // RFC 2606 reserves `.invalid`, so nobody can receive mails there.
  const email = `${randomSecret(20).toLowerCase()}@service-account.invalid`
  const { rows } = await sql<{ id: number }>`
    insert into user_profile (display_name, email, email_invalid, is_visible, is_service_account, preferred_language, created_at)
    values (${name}, ${email}, true, false, true, ${language}, ${now})
    on conflict do nothing returning id`.execute(tx)
  const id = rows[0]?.id
  if (id !== undefined) await setMemberships(tx, id, [], groupIds)
  return id
}

type ProfileChange = { name: string; before: readonly number[]; groupIds: readonly number[] }

/** False: the name is taken. The caller has locked the profile. */
export async function changeServiceProfile(tx: Tx, id: number, { name, before, groupIds }: ProfileChange): Promise<boolean> {
  const { rows } = await sql`
    select from user_profile u where lower(u.display_name) = lower(${name}::text) and u.is_service_account and u.deleted_at is null
      and u.id <> ${id}`.execute(tx)
  if (rows.length) return false
  await tx.updateTable('user_profile').set({ display_name: name }).where('id', '=', id).execute()
  await setMemberships(tx, id, before, groupIds)
  return true
}

export async function setServiceProfileActive(tx: Tx, id: number, isActive: boolean): Promise<void> {
  await tx
    .updateTable('user_profile')
    .set({ is_active: isActive })
    .where('id', '=', id)
    .where('is_service_account', '=', true)
    .execute()
}

/** The row stays with its name, because the log refers to it. */
export async function closeServiceProfile(tx: Tx, id: number, now: Date): Promise<void> {
  await lockPerson(tx, id)
  await tx.updateTable('user_profile').set({ is_active: false, deleted_at: now }).where('id', '=', id).execute()
  await tx.deleteFrom('user_group_member').where('user_id', '=', id).execute()
  await tx.deleteFrom('user_permission').where('user_id', '=', id).execute()
}
