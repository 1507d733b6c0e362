import { type Kysely, sql } from 'kysely'
import { dayOf } from '#features/users/rules.ts'
import type { DB } from '#platform/db/tables.ts'
import { foldName, type NamedQualification } from '../rules/columns.ts'
import type { ImportSettings } from '../rules/import.ts'
import type { PersonLanguage } from '../rules/row.ts'
import { type Catalogue, type ExistingPerson, sharedKey } from '../rules/verdict.ts'

export async function findNamedQualifications(db: Kysely<DB>): Promise<NamedQualification[]> {
  return db.selectFrom('qualification').select(['id', 'title as name', 'abbreviation']).orderBy('id').execute()
}

/** Groups and qualifications by name; a name or abbreviation that two of them have belongs to none. */
export async function loadCatalogue(db: Kysely<DB>, settings: ImportSettings): Promise<Catalogue> {
  const [groups, qualifications] = await Promise.all([
    db.selectFrom('user_group').select(['id', 'name']).orderBy('id').execute(),
    findNamedQualifications(db),
  ])
  const titles = indexNames(qualifications.map(({ id, name }) => [name, id]))
  const abbreviations = indexNames(qualifications.map(({ id, abbreviation }) => [abbreviation, id]))
  return {
    groups: indexNames(groups.map(({ id, name }) => [name, id])),
    groupNames: new Map(groups.map(({ id, name }) => [id, name])),
    groupChoices: settings.groupChoices,
    qualifications: new Map([...abbreviations, ...titles]),
    qualificationNames: new Map(qualifications.map(({ id, name }) => [id, name])),
    qualificationChoices: settings.qualificationChoices,
  }
}

function indexNames(pairs: readonly (readonly [name: string, id: number])[]): Map<string, number> {
  const byName = Map.groupBy(pairs, ([name]) => foldName(name))
  const clear = [...byName].flatMap(([folded, found]) => (folded && found.length === 1 ? [[folded, found[0]![1]] as const] : []))
  return new Map(clear)
}

type PersonRow = {
  /** The own address, or the one that the person shares. */
  key: string
  isShared: boolean
  userId: number
  name: string
  birthDate: string | null
  phone: string | null
  language: PersonLanguage
  isActive: boolean
  isVisible: boolean
  isPerson: boolean
  groupIds: number[]
  grants: { id: number; until: string | null; external: boolean }[]
}

const BATCH = 2000

type Lookup = { seesHidden: boolean; timeZone: string /** Locks the people until the end of the transaction. */; locks: boolean }

/** The people with these addresses, by address in lower case, and those who share them, by `sharedKey`. */
export async function findPeopleByEmail(
  db: Kysely<DB>,
  emails: readonly string[],
  { seesHidden, timeZone, locks }: Lookup,
): Promise<Map<string, ExistingPerson>> {
  const found = new Map<string, ExistingPerson>()
  const keys = [...new Set(emails.map((email) => email.toLowerCase()))].sort()
  for (let at = 0; at < keys.length; at += BATCH) {
    const batch = keys.slice(at, at + BATCH)
    if (locks)
      await sql`/* planned each time */ select from user_profile where lower(email) = any (${batch}::text[]) or lower(contact_email) = any (${batch}::text[])
        order by id for no key update`.execute(db)
    // A plan for all batches would be made while there are few people, and compare each of 20,000 with each address of a batch.
    const { rows } = await sql<PersonRow>`/* planned each time */
      with person as materialized (
        select u.* from user_profile u where lower(u.email) = any (${batch}::text[])
          or (lower(u.contact_email) = any (${batch}::text[]) and u.email like '%@no-address.invalid')
      ), membership as materialized (
        select m.user_id, array_agg(m.group_id) as group_ids from user_group_member m where m.user_id = any (array(select id from person)) group by 1
      ), granted as materialized (
        select g.user_id, jsonb_agg(jsonb_build_object('id', g.qualification_id, 'until', g.expires_at, 'external', g.externally_managed)) as grants
        from qualification_grant g where g.user_id = any (array(select id from person)) group by 1
      )
      select case when u.email like '%@no-address.invalid' then lower(u.contact_email) else lower(u.email) end as key,
        u.email like '%@no-address.invalid' as "isShared", u.id as "userId", u.display_name as name, u.date_of_birth as "birthDate", u.phone,
        u.preferred_language as language, u.is_active as "isActive", u.is_visible as "isVisible",
        not u.is_service_account and u.deleted_at is null as "isPerson",
        coalesce(membership.group_ids, '{}') as "groupIds", coalesce(granted.grants, '[]') as grants
      from person u left join membership on membership.user_id = u.id left join granted on granted.user_id = u.id`.execute(db)
    for (const { key, isShared, isVisible, isPerson, grants, ...person } of rows)
      found.set(isShared ? sharedKey(key, person.name) : key, {
        ...person,
        isHidden: !isPerson || !(isVisible || seesHidden),
        grants: grants.map(({ id, until, external }) => ({
          qualificationId: id,
          until: until === null ? null : dayOf(new Date(until), timeZone),
          expiresAt: until,
          isExternal: external,
        })),
      })
  }
  return found
}

export const findGroupNames = (db: Kysely<DB>): Promise<{ id: number; name: string }[]> =>
  db.selectFrom('user_group').select(['id', 'name']).orderBy('name').execute()
