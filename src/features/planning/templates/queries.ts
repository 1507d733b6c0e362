import { type Kysely, sql } from 'kysely'
import type { Actor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { ORGANISATIONS, type Organisation } from '#platform/features/modules.ts'
import { usableBy } from './access.ts'
import type { TemplateContent } from './rules/content.ts'

export type TemplateLine = {
  id: number
  name: string
  description: string
  type: string | null
  shifts: number
  lastUsedAt: Date | null
  deletedAt: Date | null
}

const lineColumns = sql`t.id, t.name, t.description, y.title as type, jsonb_array_length(t.content -> 'shifts') as shifts,
  t.last_used_at as "lastUsedAt", t.deleted_at as "deletedAt"`

/** Templates that the reader may use, by name; those in the bin at the end. */
export async function findTemplates({ db, actor }: RequestContext): Promise<TemplateLine[]> {
  return rowsOf(db).all(sql<TemplateLine>`
    select ${lineColumns} from event_template t left join event_type y on y.id = t.type_id
    where ${usableBy(actor)} order by t.deleted_at is not null, lower(t.name), t.id limit 500`)
}

export type Template = {
  id: number
  name: string
  description: string
  typeId: number | null
  content: TemplateContent
  users: number[]
}

/** A template that the caller may use and that is not in the bin. */
export async function getTemplate(
  db: Kysely<DB>,
  actor: Actor,
  id: number,
  state: 'kept' | 'binned' = 'kept',
): Promise<Template | undefined> {
  const where = state === 'kept' ? sql`t.deleted_at is null` : sql`t.deleted_at is not null`
  return rowsOf(db).first(sql<Template>`
    select t.id, t.name, t.description, t.type_id as "typeId", t.content,
      array(select u.user_id from event_template_user u where u.template_id = t.id order by 1) as users
    from event_template t where t.id = ${id} and ${where} and ${usableBy(actor)}`)
}

/** What kind of organisation an administrator chose; undefined: none, or modules one by one. */
export async function getOrganisation(db: Kysely<DB>): Promise<Organisation | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', 'modules_chosen').executeTakeFirst()
  return ORGANISATIONS.find((kind) => kind === row?.value)
}

/** Ids of qualifications by uuid. */
export async function findQualificationIds(db: Kysely<DB>, uuids: readonly string[]): Promise<Map<string, number>> {
  if (!uuids.length) return new Map()
  const rows = await db
    .selectFrom('qualification')
    .select(['id', 'uuid'])
    .where('uuid', 'in', [...uuids])
    .execute()
  return new Map(rows.map(({ id, uuid }) => [uuid, id]))
}

/** The template of this name that the caller may use and that is not in the bin. */
export async function getNamedTemplate(db: Kysely<DB>, actor: Actor, name: string): Promise<{ id: number } | undefined> {
  return rowsOf(db).first(sql<{ id: number }>`
    select t.id from event_template t where t.deleted_at is null and t.name = ${name} and ${usableBy(actor)} order by t.id limit 1`)
}

/** Those of the questions that still exist. */
export async function findKnownQuestions(db: Kysely<DB>, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`select q.id from question q where q.id = any (${ids}::bigint[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
