import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Actor, makeActor, type UserActor } from '#platform/auth/actor.ts'
import { currentSnapshot, type Snapshot } from '#platform/db/state.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/languages.ts'

/** What authenticators read about the owner of a credential. */
export type ActorRow = Snapshot & {
  user_id: number
  display_name: string
  email: string
  preferred_language: string
  is_staff: boolean
  is_superuser: boolean
  group_ids: number[]
  permissions: string[]
}

/** For queries that join `user_profile` as `u`: identity, groups and permissions in one look-up. */
export const actorColumns: RawBuilder<ActorRow> = sql<ActorRow>`
  u.id as user_id, u.display_name, u.email, u.preferred_language, u.is_staff, u.is_superuser,
  array(select m.group_id from user_group_member m where m.user_id = u.id order by m.group_id) as group_ids,
  array(
    select p.permission from user_permission p where p.user_id = u.id
    union
    select p.permission from group_permission p join user_group_member m on m.group_id = p.group_id where m.user_id = u.id
  ) as permissions, ${currentSnapshot}`

export function actorFrom(row: ActorRow, via: UserActor['via']): Actor & UserActor {
  return makeActor<UserActor>({
    kind: 'user',
    userId: row.user_id,
    displayName: row.display_name,
    email: row.email,
    language: row.preferred_language as Language,
    isStaff: row.is_staff,
    isSuperuser: row.is_superuser,
    groupIds: row.group_ids,
    permissions: new Set(row.permissions),
    via,
  })
}

/** For a job that acts for the person who asked for it, with the permissions of now. Undefined: no active account. */
export async function getActingPerson(db: Kysely<DB>, userId: number): Promise<(Actor & UserActor) | undefined> {
  const { rows } = await sql<ActorRow>`
    select ${actorColumns} from user_profile u where u.id = ${userId} and u.is_active and not u.is_service_account`.execute(db)
  return rows[0] && actorFrom(rows[0], { kind: 'session', sessionHash: Buffer.alloc(0) })
}
