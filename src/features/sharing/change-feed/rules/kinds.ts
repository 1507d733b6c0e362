/** Kinds of records, and `access` for what the caller may see. */
export const KINDS = [
  'event',
  'shift',
  'participation',
  'user',
  'event_type',
  'qualification',
  'group',
  'resource',
  'working_hours',
  'waiting_list',
  'exchanges',
  'inquiries',
  'forecast',
  'attendance',
  'own_waiting_list',
  'own_exchanges',
  'own_inquiries',
  'own_attendance',
  'availability',
  'companions',
  'access',
] as const
export type ChangeKind = (typeof KINDS)[number]

/**
 * Where the record of a change is read, in the order in which to try: what others may see, then what is one's own. `{id}` is the id of
 * the change. Only a change of access has no record.
 */
export const ADDRESSES: Record<ChangeKind, readonly string[]> = {
  event: ['/api/events/{id}/'],
  shift: ['/api/shifts/{id}/'],
  participation: ['/api/participations/{id}/', '/api/users/me/participations/{id}/'],
  user: ['/api/users/{id}/', '/api/users/me/'],
  event_type: ['/api/event-types/{id}/'],
  qualification: ['/api/qualifications/{id}/'],
  group: ['/api/groups/{id}/'],
  resource: ['/api/resources/{id}/'],
  working_hours: ['/api/working-hours/{id}/', '/api/users/me/working-hours/{id}/'],
  waiting_list: ['/api/shifts/{id}/waiting-list/'],
  exchanges: ['/api/shifts/{id}/exchanges/'],
  inquiries: ['/api/shifts/{id}/inquiries/'],
  forecast: ['/api/shifts/{id}/forecast/'],
  attendance: ['/api/events/{id}/attendance/'],
  own_waiting_list: ['/api/users/me/waiting-list/{id}/'],
  own_exchanges: ['/api/users/me/exchanges/'],
  own_inquiries: ['/api/users/me/inquiries/'],
  own_attendance: ['/api/users/me/participations/{id}/attendance/'],
  availability: ['/api/users/me/availability/'],
  companions: ['/api/shifts/{id}/companions/'],
  access: [],
}

type ReadScope = 'PUBLIC_READ' | 'ME_READ' | 'CONFIDENTIAL_READ'
const PUBLIC: readonly ReadScope[] = ['PUBLIC_READ']
const OWN: readonly ReadScope[] = ['ME_READ']
const OTHERS: readonly ReadScope[] = ['CONFIDENTIAL_READ']
const BOTH: readonly ReadScope[] = ['ME_READ', 'CONFIDENTIAL_READ']

/** Each of these scopes alone shows changes of the kind; none is needed for an empty list. Who may see which change: `judgeChange`. */
export const SCOPES_OF_KIND: Record<ChangeKind, readonly ReadScope[]> = {
  event: PUBLIC,
  shift: PUBLIC,
  participation: BOTH,
  user: BOTH,
  event_type: PUBLIC,
  qualification: PUBLIC,
  group: OTHERS,
  resource: PUBLIC,
  working_hours: BOTH,
  waiting_list: OTHERS,
  exchanges: OTHERS,
  inquiries: OTHERS,
  forecast: OTHERS,
  attendance: OTHERS,
  own_waiting_list: OWN,
  own_exchanges: OWN,
  own_inquiries: OWN,
  own_attendance: OWN,
  availability: OWN,
  companions: OWN,
  access: [],
}
