import type { RequestContext } from '#platform/auth/context.ts'
import { csvLine } from '../rules.ts'
import { findPeople, type PeopleFilter } from './people.ts'

const MOST = 100_000

/** The filtered list as a spreadsheet; the mark at its start tells programs that it is UTF-8. */
export async function getPeopleSheet(context: RequestContext, filter: PeopleFilter): Promise<string> {
  const { words } = context
  const { people } = await findPeople(context, filter, { limit: MOST, offset: 0 })
  const head = (['name', 'email', 'phone', 'birth_date', 'groups', 'qualifications', 'last_seen'] as const).map((name) =>
    words.t(`people.${name}`),
  )
  const lines = people.map((person) =>
    csvLine([
      person.name,
      person.email,
      person.phone ?? '',
      person.dateOfBirth ?? '',
      person.groups.join(', '),
      person.qualifications.join(', '),
      person.lastSeenAt ? words.inputDate(person.lastSeenAt) : '',
    ]),
  )
  return `\uFEFF${[csvLine(head), ...lines].join('\r\n')}\r\n`
}
