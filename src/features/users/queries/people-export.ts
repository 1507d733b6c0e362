import type { RequestContext } from '#platform/auth/context.ts'
import { csvLine } from '../rules.ts'
import { findPeople, type PeopleFilter } from './people.ts'

const MAX_ROWS = 100_000

/** The filtered list as CSV. The byte order mark makes spreadsheet programs read it as UTF-8. */
export async function getPeopleCsv(context: RequestContext, filter: PeopleFilter): Promise<string> {
  const { words } = context
  const { people } = await findPeople(context, filter, { limit: MAX_ROWS, offset: 0 })
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
