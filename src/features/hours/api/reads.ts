import type { RequestContext } from '#platform/auth/context.ts'
import { type ApiAccess, scope } from '#platform/http/access.ts'
import { type Endpoint, listEndpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { findEntryRows, getEntryRow, type HoursEntryRow } from '../queries.ts'
import { workingHoursRecord } from '../schema.ts'

/** The order of the keys is part of the contract. */
const presentEntry = ({ id, user_id, date, hours, reason }: HoursEntryRow) => ({ id, user: user_id, date, hours, reason })

/** An entry as `/api/working-hours/{id}/` shows it. */
export async function presentHoursOf(context: RequestContext, id: number): Promise<object | undefined> {
  const entry = await getEntryRow(context, 'seen', id)
  return entry && presentEntry(entry)
}

type Variant = { path: string; access: ApiAccess; name: string; operation: string; tag: string; summary: string; isOwn: boolean }

const VARIANTS: Variant[] = [
  {
    path: '/api/working-hours/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Working Hours',
    operation: 'working_hours',
    tag: 'working-hours',
    summary: 'Working hours that were entered by hand, of people whose hours the caller sees or decides about',
    isOwn: false,
  },
  {
    path: '/api/users/me/working-hours/',
    access: scope('ME_READ'),
    name: 'Own Working Hours',
    operation: 'users_me_working_hours',
    tag: 'users',
    summary: "The caller's working hours that were entered by hand",
    isOwn: true,
  },
]

const DESCRIPTION = 'Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.'

export const hoursApi: Endpoint[] = VARIANTS.flatMap(({ path, access, name, operation, tag, summary, isOwn }) => {
  const whose = ({ actor }: RequestContext) => (isOwn && actor.kind === 'user' ? { userId: actor.userId } : 'seen')
  return [
    listEndpoint({
      path,
      access,
      name: `${name} List`,
      operationId: `${operation}_list`,
      tag,
      summary,
      description: DESCRIPTION,
      parameters: {},
      item: workingHoursRecord,
      find: (context, _query, page) => findEntryRows(context, whose(context), page),
      present: presentEntry,
    }),
    recordEndpoint({
      path: `${path}{id}/`,
      access,
      name: `${name} Instance`,
      operationId: `${operation}_retrieve`,
      tag,
      summary: `One of: ${summary}`,
      description: DESCRIPTION,
      parameters: {},
      record: workingHoursRecord,
      get: (context, params) => getEntryRow(context, whose(context), (params as { id: number }).id),
      present: presentEntry,
    }),
  ]
})
