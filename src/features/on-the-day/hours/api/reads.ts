import type { RequestContext } from '#platform/auth/context.ts'
import { type ApiAccess, scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint } from '#platform/http/endpoint.ts'
import { findEntryRows, getEntryRow, type HoursEntryRow } from '../queries.ts'
import { workingHoursRecord } from '../schema.ts'

/** The order of the keys is part of the contract. */
const presentEntry = ({ id, user_id, date, hours, reason }: HoursEntryRow) => ({ id, user: user_id, date, hours, reason })

/** An entry as `/api/working-hours/{id}/` shows it. */
export async function presentHoursOf(context: RequestContext, id: number): Promise<object | undefined> {
  const entry = await getEntryRow(context, 'seen', id)
  return entry && presentEntry(entry)
}

type Variant = { path: string; access: ApiAccess; name: string; tag: string; summary: string; isOwn: boolean }

const VARIANTS: Variant[] = [
  {
    path: '/api/working-hours/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Working Hours',
    tag: 'working-hours',
    summary: 'Working hours that were entered by hand, of people whose hours the caller sees or decides about',
    isOwn: false,
  },
  {
    path: '/api/users/me/working-hours/',
    access: scope('ME_READ'),
    name: 'Own Working Hours',
    tag: 'users',
    summary: "The caller's working hours that were entered by hand",
    isOwn: true,
  },
]

const DESCRIPTION = 'Hours of shifts are not here: they are the `duration` of confirmed participations that have ended.'

export const hoursApi: Endpoint[] = VARIANTS.flatMap(({ isOwn, ...variant }) => {
  const whose = ({ actor }: RequestContext) => (isOwn && actor.kind === 'user' ? { userId: actor.userId } : 'seen')
  return collectionEndpoints({
    ...variant,
    description: DESCRIPTION,
    recordDescription: DESCRIPTION,
    parameters: {},
    record: workingHoursRecord,
    find: (context, _query, page) => findEntryRows(context, whose(context), page),
    get: (context, { id }) => getEntryRow(context, whose(context), id),
    present: presentEntry,
  })
})
