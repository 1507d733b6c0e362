import { type Kysely, sql } from 'kysely'
import type { Mention } from '#features/accounts/users/rules.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { patternOf } from '../rules/identifying.ts'

type IdentifyingTexts = { names: string[]; addresses: string[] }

/** The present and former names, e-mail addresses and phone numbers of a person; the log has the former ones until an erasure. */
async function getIdentifyingTexts(db: Kysely<DB>, userId: number): Promise<IdentifyingTexts> {
  return rowsOf(db).one(sql<IdentifyingTexts>`
    with logged as (
      select field.key, found.part #>> '{}' as value
      from journal j
      cross join lateral jsonb_each(j.personal) as field
      cross join lateral jsonb_path_query(field.value, 'lax $[*] ? (@.type() == "string")') as found (part)
      where j.person_id = ${userId} and j.personal is not null and field.key in ('display_name', 'email', 'phone', 'former_name', 'former_email')
    ), known as (
      select 'display_name' as key, display_name as value from user_profile where id = ${userId}
      union select 'email', email from user_profile where id = ${userId}
      union select 'phone', phone from user_profile where id = ${userId}
      union select 'email', unnest(array[c.former_email, c.new_email]) from email_change c where c.user_id = ${userId}
      union select key, value from logged
    )
    select coalesce(array_agg(value) filter (where key in ('display_name', 'former_name')), '{}') as names,
      coalesce(array_agg(value) filter (where key not in ('display_name', 'former_name')), '{}') as addresses
    from known where value is not null`)
}

export async function getIdentifyingPattern(db: Kysely<DB>, userId: number): Promise<string | undefined> {
  return patternOf(await getIdentifyingTexts(db, userId))
}

/** Also those that the pattern leaves out because they could be ordinary words: for records, where a name stands alone. */
export async function findNames(db: Kysely<DB>, userId: number): Promise<string[]> {
  return (await getIdentifyingTexts(db, userId)).names
}

/** Texts that others wrote and that stay as they are. `instance`: imprint and privacy notice. */
export async function findMentions(db: Kysely<DB>, pattern: string): Promise<Mention[]> {
  return rowsOf(db).all(sql<Mention>`
    select 'event' as kind, e.id, e.title from event e
      where e.deleted_at is null and concat_ws(' ', e.title, e.location, e.description) ~ ${pattern}
    union all select 'page', p.id, p.title from content_page p where concat_ws(' ', p.title, p.content) ~ ${pattern}
    union all select 'instance', null, '' where exists (
      select from setting s where s.name in ('imprint', 'privacy', 'organization_name') and s.value #>> '{}' ~ ${pattern})
    order by 1, 2 desc limit 50`)
}
