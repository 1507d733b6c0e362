import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { type PeopleFilter, peopleCondition } from '#features/accounts/users/queries/people.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { isStaff } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { formatCsv, formatLines, separatorFor } from '#platform/csv.ts'
import type { Language } from '#platform/i18n/languages.ts'
import type { Words } from '#platform/i18n/words.ts'
import { formatPhone } from '#platform/phone.ts'
import { formatXlsx } from '#platform/spreadsheet/xlsx-write.ts'
import { joinNames, joinUntil } from '../rules/lists.ts'

type ExportedPerson = {
  id: number
  order: string
  name: string
  email: string
  username: string | null
  birthDate: string | null
  phone: string | null
  language: Language
  groups: string[]
  grants: { title: string; until: string | null }[]
  /** Addresses or user names. */
  guardians: string[]
}

const BATCH = 500
/** People whose cells are formatted without a turn of the event loop. */
const AT_ONCE = 100

/** The filtered people in batches, by name. */
async function* readPeople(context: RequestContext, filter: PeopleFilter): AsyncGenerator<ExportedPerson[]> {
  const { actor } = context
  const seesHidden = actor.kind === 'anonymous' || isStaff(actor)
  let after: { order: string; id: number } | undefined
  for (;;) {
    const { rows } = await sql<ExportedPerson>`
      with chosen as materialized (
        select u.id from user_profile u where ${peopleCondition(context, filter)}
          ${after ? sql`and (lower(u.display_name), u.id) > (${after.order}, ${after.id})` : sql``}
        order by lower(u.display_name), u.id limit ${BATCH}
      )
      select u.id, lower(u.display_name) as order, u.display_name as name,
        case when u.email like '%@no-address.invalid' then coalesce(u.contact_email, '') else u.email end as email, u.username, u.date_of_birth as "birthDate", u.phone,
        u.preferred_language as language,
        array(select g.name from user_group g join user_group_member m on m.group_id = g.id where m.user_id = u.id order by g.name) as groups,
        array(select coalesce(nullif(case when a.email like '%@no-address.invalid' then '' else a.email end, ''), a.username)
          from guardianship g join user_profile a on a.id = g.guardian_id
          where g.child_id = u.id and (a.email not like '%@no-address.invalid' or a.username is not null) and ${seesHidden ? sql`true` : sql`a.is_visible`}
          order by 1) as guardians,
        coalesce((select jsonb_agg(jsonb_build_object('title', q.title, 'until', h.expires_at) order by q.title)
          from qualification_grant h join qualification q on q.id = h.qualification_id where h.user_id = u.id), '[]') as grants
      from chosen join user_profile u using (id) order by lower(u.display_name), u.id`.execute(context.db)
    if (rows.length) yield rows
    if (rows.length < BATCH) return
    after = rows.at(-1)!
  }
}

/** Headings that the import recognises. */
const headings = (words: Words): string[] => [
  words.t('people_import.use_name'),
  words.t('people_import.use_email'),
  words.t('people_import.use_username'),
  words.t('people_import.use_birth_date'),
  words.t('people_import.use_phone'),
  words.t('people_import.use_language'),
  words.t('people_import.use_groups'),
  words.t('people_import.use_qualifications'),
  words.t('people_import.use_guardians'),
]

const cellsOf = (person: ExportedPerson, timeZone: string): string[] => [
  person.name,
  person.email,
  person.username ?? '',
  person.birthDate ?? '',
  person.phone === null ? '' : formatPhone(person.phone),
  person.language,
  joinNames(person.groups),
  joinNames(person.grants.map(({ title, until }) => joinUntil(title, until === null ? null : dayOf(new Date(until), timeZone)))),
  joinNames(person.guardians),
]

/** Rows of the file, some at a time. */
async function* readCells(context: RequestContext, filter: PeopleFilter): AsyncGenerator<string[][]> {
  for await (const people of readPeople(context, filter))
    for (let from = 0; from < people.length; from += AT_ONCE) {
      await setImmediate()
      yield people.slice(from, from + AT_ONCE).map((person) => cellsOf(person, context.site.timeZone))
    }
}

/** The people in the form that can be imported, as parts of a CSV file. */
export async function* exportCsv(context: RequestContext, filter: PeopleFilter): AsyncGenerator<string> {
  const separator = separatorFor(context.words.language)
  yield formatCsv([headings(context.words)], separator)
  for await (const cells of readCells(context, filter)) yield formatLines(cells, separator)
}

/** People as an Excel file. */
export async function exportXlsx(context: RequestContext, filter: PeopleFilter): Promise<Buffer> {
  const rows = [headings(context.words)]
  for await (const cells of readCells(context, filter)) rows.push(...cells)
  return formatXlsx(context.words.t('people.title'), rows)
}
