import type { RequestContext } from '#platform/auth/context.ts'
import { formatCsv } from '#platform/csv.ts'
import { findPeople, type PeopleFilter } from './people.ts'

const MAX_ROWS = 100_000

/** The filtered list as CSV. */
export async function getPeopleCsv(context: RequestContext, filter: PeopleFilter): Promise<string> {
  const { words } = context
  const { people } = await findPeople(context, filter, { limit: MAX_ROWS, offset: 0 })
  const head = (['name', 'email', 'phone', 'birth_date', 'groups', 'qualifications', 'last_seen'] as const).map((name) =>
    words.t(`people.${name}`),
  )
  const rows = people.map((person) => [
    person.name,
    person.email,
    person.phone ?? '',
    person.dateOfBirth ?? '',
    person.groups.join(', '),
    person.qualifications.join(', '),
    person.lastSeenAt ? words.inputDate(person.lastSeenAt) : '',
  ])
  return formatCsv([head, ...rows])
}
