import { type Kysely, sql } from 'kysely'
import { dayOf } from '#features/accounts/users/rules.ts'
import type { DB } from '#platform/db/tables.ts'
import { foldName } from '#platform/spreadsheet/fold-name.ts'
import type { NamedQualification } from '../rules/columns.ts'
import type { ExistingPerson } from '../rules/identity.ts'
import type { ImportSettings } from '../rules/import.ts'
import type { Catalogue } from '../rules/judgement.ts'

export async function findNamedQualifications(db: Kysely<DB>): Promise<NamedQualification[]> {
  return db.selectFrom('qualification').select(['id', 'title as name', 'abbreviation']).orderBy('id').execute()
}

/** Groups and qualifications by name; a name or abbreviation that two of them have belongs to none. */
export async function loadCatalogue(db: Kysely<DB>, settings: ImportSettings): Promise<Catalogue> {
  const [groups, powerful, qualifications] = await Promise.all([
    db.selectFrom('user_group').select(['id', 'name']).orderBy('id').execute(),
    db.selectFrom('group_permission').select('group_id').distinct().execute(),
    findNamedQualifications(db),
  ])
  const titles = indexNames(qualifications.map(({ id, name }) => [name, id]))
  const abbreviations = indexNames(qualifications.map(({ id, abbreviation }) => [abbreviation, id]))
  return {
    groups: indexNames(groups.map(({ id, name }) => [name, id])),
    groupNames: new Map(groups.map(({ id, name }) => [id, name])),
    powerfulGroups: new Set(powerful.map(({ group_id }) => group_id)),
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

type PersonRow = Omit<ExistingPerson, 'isHidden' | 'grants'> & {
  isVisible: boolean
  isPerson: boolean
  grants: { id: number; until: string | null; external: boolean }[]
}

const BATCH = 2000

type Lookup = { seesHidden: boolean; timeZone: string /** Locks the people until the end of the transaction. */; locks: boolean }
/** In lower case. `names`: of rows without an address and a user name. */
type Wanted = { signInNames: readonly string[]; names: readonly string[] }

/**
 * The people who sign in with these addresses and user names, those who share the addresses, their children, and people without an
 * address who have one of the names.
 */
export async function findPeopleOf(db: Kysely<DB>, { signInNames, names }: Wanted, lookup: Lookup): Promise<ExistingPerson[]> {
  const found = new Map<number, ExistingPerson>()
  const wanted = [
    ...[...new Set(signInNames)].sort().map((text) => ({ text, isName: false })),
    ...[...new Set(names)].sort().map((text) => ({ text, isName: true })),
  ]
  for (let at = 0; at < wanted.length; at += BATCH) {
    const batch = wanted.slice(at, at + BATCH)
    const people = await findBatch(
      db,
      {
        signInNames: batch.flatMap(({ text, isName }) => (isName ? [] : [text])),
        names: batch.flatMap(({ text, isName }) => (isName ? [text] : [])),
      },
      lookup,
    )
    for (const person of people) found.set(person.userId, person)
  }
  return [...found.values()]
}

async function findBatch(db: Kysely<DB>, { signInNames, names }: Wanted, lookup: Lookup): Promise<ExistingPerson[]> {
  const { seesHidden, timeZone, locks } = lookup
  // A condition for each index. A plan for all batches would be made while there are few people, and compare each of 20,000 with each
  // address of a batch.
  const ids = sql`
    with signed as materialized (
      select id from user_profile where lower(email) = any (${signInNames}::text[])
      union select id from user_profile where lower(username) = any (${signInNames}::text[])
    )
    select id from signed
    union select g.child_id from guardianship g join signed on signed.id = g.guardian_id
    union select id from user_profile where lower(contact_email) = any (${signInNames}::text[]) and email like '%@no-address.invalid'
    union select id from user_profile where lower(display_name) = any (${names}::text[]) and email like '%@no-address.invalid'`
  if (locks)
    await sql`/* planned each time */ select from user_profile where id = any (array(${ids})) order by id for no key update`.execute(
      db,
    )
  const { rows } = await sql<PersonRow>`/* planned each time */
    with person as materialized (
      select u.* from user_profile u where u.id = any (array(${ids}))
    ), membership as materialized (
      select m.user_id, array_agg(m.group_id) as group_ids from user_group_member m where m.user_id = any (array(select id from person)) group by 1
    ), granted as materialized (
      select g.user_id, jsonb_agg(jsonb_build_object('id', g.qualification_id, 'until', g.expires_at, 'external', g.externally_managed)) as grants
      from qualification_grant g where g.user_id = any (array(select id from person)) group by 1
    )
    select u.id as "userId", u.display_name as name, nullif(case when u.email like '%@no-address.invalid' then '' else u.email end, '') as email,
      u.username, u.contact_email as "contactEmail", u.date_of_birth as "birthDate", u.phone, u.preferred_language as language,
      u.is_active as "isActive", u.is_visible as "isVisible", not u.is_service_account and u.deleted_at is null as "isPerson",
      u.is_staff as "isStaff", u.is_superuser as "isSuperuser",
      array(select p.permission from user_permission p where p.user_id = u.id) as "ownPermissions",
      array(select g.guardian_id from guardianship g where g.child_id = u.id) as "guardianIds",
      exists (select from guardianship g where g.guardian_id = u.id) as "isGuardian",
      coalesce(membership.group_ids, '{}') as "groupIds", coalesce(granted.grants, '[]') as grants
    from person u left join membership on membership.user_id = u.id left join granted on granted.user_id = u.id`.execute(db)
  return rows.map(({ isVisible, isPerson, grants, ...person }) => ({
    ...person,
    isHidden: !isPerson || !(isVisible || seesHidden),
    grants: grants.map(({ id, until, external }) => ({
      qualificationId: id,
      until: until === null ? null : dayOf(new Date(until), timeZone),
      expiresAt: until,
      isExternal: external,
    })),
  }))
}

export const findGroupNames = (db: Kysely<DB>): Promise<{ id: number; name: string }[]> =>
  db.selectFrom('user_group').select(['id', 'name']).orderBy('name').execute()
