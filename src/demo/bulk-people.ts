import { sql } from 'kysely'
import type { Skills } from '#features/staffing/staffing/rules/model.ts'
import { expandSkills } from '#features/staffing/staffing/rules/skills.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { DAY } from '#platform/sample-data/calendar.ts'
import type { Random } from '#platform/sample-data/random.ts'
import type { Base } from './base.ts'
import { arrayOf, textArray } from './bulk-write.ts'
import type { GroupKey } from './groups.ts'
import { makeNames } from './names.ts'
import { skillsAt } from './people.ts'
import type { QualificationKey } from './qualifications.ts'

export type BulkPerson = { id: number; groups: readonly GroupKey[]; mayJoin: boolean; skillsAt: (at: Date) => Skills }

type Options = { language: SourceLanguage; now: Date; random: Random; count: number }

/** The people of the base data, and further ones up to `count`. */
export async function loadBulkPeople(tx: Tx, base: Base, { language, now, random, count }: Options): Promise<BulkPerson[]> {
  const { groups, qualifications } = base
  const people: BulkPerson[] = base.people.map((person) => ({
    id: person.id,
    groups: person.groups,
    mayJoin: person.isActive && person.isVisible,
    skillsAt: (at) => skillsAt(person, at, qualifications),
  }))
  const missing = count - people.length
  if (missing <= 0) return people

  // Continues the sequence of the base data, so that its names are not used again.
  const nameAt = makeNames(random.fork('people').fork('names'), language)
  const dice = random.fork('bulk people')
  const names = Array.from({ length: missing }, (_, index) => nameAt(people.length + index))
  const { rows } = await sql<{ id: number }>`
    insert into user_profile (email, display_name, date_of_birth, preferred_language, created_at)
    select email, display_name, born::date, ${language}, ${new Date(now.getTime() - 200 * DAY)}
    from unnest(
      ${textArray(names.map(({ email }) => email))}::text[],
      ${textArray(names.map(({ displayName }) => displayName))}::text[],
      ${textArray(names.map(() => `${now.getUTCFullYear() - dice.between(19, 66)}-0${dice.between(1, 9)}-1${dice.between(0, 9)}`))}::text[]
    ) as row (email, display_name, born)
    returning id`.execute(tx)
  const members: [groupId: number, userId: number][] = []
  const grants: [qualificationId: number, userId: number][] = []
  const held = (key: QualificationKey) => ({
    id: qualifications.idOf[key],
    skills: expandSkills([qualifications.idOf[key]], qualifications.inclusions),
  })
  const holdings = { fire: ['TM', 'TM', 'TF', 'GF', 'AGT'], medics: ['EH', 'SanH', 'SanH', 'RS'], youth: ['EH'] } as const
  for (const { id } of rows) {
    const throwOf = dice.next()
    const group = throwOf < 0.55 ? 'fire' : throwOf < 0.93 ? 'medics' : 'youth'
    const { id: qualificationId, skills } = held(dice.pick<QualificationKey>(holdings[group]))
    members.push([groups.members, id], [groups[group], id])
    grants.push([qualificationId, id])
    people.push({ id, groups: ['members', group], mayJoin: true, skillsAt: () => skills })
  }
  await sql`insert into user_group_member (group_id, user_id)
    select * from unnest(${arrayOf(members.map(([id]) => id))}::bigint[], ${arrayOf(members.map(([, id]) => id))}::bigint[])`.execute(
    tx,
  )
  await sql`insert into qualification_grant (qualification_id, user_id)
    select * from unnest(${arrayOf(grants.map(([id]) => id))}::bigint[], ${arrayOf(grants.map(([, id]) => id))}::bigint[])`.execute(
    tx,
  )
  return people
}
