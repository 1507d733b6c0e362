import { type Kysely, sql } from 'kysely'
import { type PeopleFilter, peopleCondition } from '#features/accounts/users/queries/people.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { ActionKind, ActionState, SkipReason } from './rules.ts'

export type PeopleAction = {
  id: number
  createdById: number
  createdAt: Date
  kind: ActionKind
  groupId: number | null
  group: string | null
  qualificationId: number | null
  qualification: string | null
  until: string | null
  state: ActionState
  done: number
  people: number
  finishedAt: Date | null
  undoneAt: Date | null
}

const columns = sql`a.id, a.created_by_id as "createdById", a.created_at as "createdAt", a.kind, a.group_id as "groupId",
  (select g.name from user_group g where g.id = a.group_id) as group,
  a.qualification_id as "qualificationId", (select q.title from qualification q where q.id = a.qualification_id) as qualification,
  a.until, a.state, a.done, (select count(*)::int from people_action_person p where p.action_id = a.id) as people,
  a.finished_at as "finishedAt", a.undone_at as "undoneAt"`

export async function getAction(db: Kysely<DB>, id: number): Promise<PeopleAction | undefined> {
  // never null: people
  return rowsOf(db).first(sql<PeopleAction>`select ${columns} from people_action a where a.id = ${id}`)
}

const MOST_LISTED = 5

/** What the reader did to many people during the last day, newest first. */
export async function findRecentActions(db: Kysely<DB>, { userId }: UserActor): Promise<PeopleAction[]> {
  // never null: people
  return rowsOf(db).all(sql<PeopleAction>`
    select ${columns} from people_action a where a.created_by_id = ${userId} and a.state <> 'open'
    order by a.id desc limit ${MOST_LISTED}`)
}

type Selector = Pick<CommandContext, 'actor' | 'now' | 'site' | 'db'>

/** Ids of the people of the filter, by name; at most `limit`. */
export async function findSelected(context: Selector, filter: PeopleFilter, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from user_profile u where ${peopleCondition(context, filter)} and not u.is_service_account
    order by lower(u.display_name), u.id limit ${limit}`.execute(context.db)
  return rows.map(({ id }) => id)
}

export type ActionPerson = {
  id: number
  name: string
  outcome: 'done' | 'skipped' | 'undone' | 'kept' | null
  reason: SkipReason | null
}

/** The people of an action, by name. */
export async function findActionPeople(db: Kysely<DB>, actionId: number, limit: number): Promise<ActionPerson[]> {
  // never null: id, name
  return rowsOf(db).all(sql<ActionPerson>`
    select u.id, u.display_name as name, p.outcome, p.reason from people_action_person p join user_profile u on u.id = p.user_id
    where p.action_id = ${actionId} order by lower(u.display_name), u.id limit ${limit}`)
}

/** Those who were left out, or not undone, by name. */
export async function findOthers(
  db: Kysely<DB>,
  actionId: number,
  { outcome, limit }: { outcome: 'skipped' | 'kept'; limit: number },
): Promise<ActionPerson[]> {
  // never null: id, name
  return rowsOf(db).all(sql<ActionPerson>`
    select u.id, u.display_name as name, p.outcome, p.reason from people_action_person p join user_profile u on u.id = p.user_id
    where p.action_id = ${actionId} and p.outcome = ${outcome} order by lower(u.display_name), u.id limit ${limit}`)
}

/** How many people have which outcome. */
export async function countOutcomes(db: Kysely<DB>, actionId: number): Promise<Map<string, number>> {
  // never null: outcome (the condition)
  const { rows } = await sql<{ outcome: string; count: number }>`
    select outcome, count(*)::int as count from people_action_person
    where action_id = ${actionId} and outcome is not null group by outcome`.execute(db)
  return new Map(rows.map(({ outcome, count }) => [outcome, count]))
}
