import { sql } from 'kysely'
import { type Actor, hasPermission, type UserActor } from '#platform/auth/actor.ts'
import type { Condition } from '#platform/db/conditions.ts'

export const JOINING_REQUEST = 'joining'

/** Who may decide requests to join: a group by those who change its members, an account without a group by those who add people. */
const decidesGroups = (actor: Actor): boolean => hasPermission(actor, 'change_group')
const decidesAccounts = (actor: Actor): boolean => hasPermission(actor, 'add_user')

export const decidesJoining = ({ actor }: { actor: Actor }): boolean => decidesGroups(actor) || decidesAccounts(actor)

export const isJoiningDecidedBy = (actor: UserActor): Condition =>
  sql`case when r.data ->> 'group_id' is null then ${decidesAccounts(actor)}::boolean else ${decidesGroups(actor)}::boolean end`
