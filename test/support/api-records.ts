import type { Person } from './people.ts'
import type { World } from './world.ts'

export type ApiRecords = {
  type: number
  qualification: number
  category: number
  resource: number
  resourceCategory: number
  /** By person. */
  held: Map<number, number>
  hours: Map<number, number>
  notifications: Map<number, number>
  hoursRequests: Map<number, number>
  webhooks: Map<number, number>
}

/** One record of each kind besides events, people and participations; for each person a qualification, hours, a request, a notification and a webhook. */
export async function addApiRecords(world: World, people: readonly Person[]): Promise<ApiRecords> {
  const db = world.db.write
  const { id: qualification } = await world.addQualification('Radio')
  const { category_id: category } = await db
    .selectFrom('qualification')
    .select('category_id')
    .where('id', '=', qualification)
    .executeTakeFirstOrThrow()
  const insertCategory = db.insertInto('resource_category').values({ name: 'Vehicles' }).returning('id')
  const { id: resourceCategory } = await insertCategory.executeTakeFirstOrThrow()
  const insertResource = db.insertInto('resource').values({ title: 'Van', category_id: resourceCategory }).returning('id')
  const { id: resource } = await insertResource.executeTakeFirstOrThrow()
  const records: ApiRecords = {
    type: await world.addType({ title: 'Exercise' }),
    qualification,
    category,
    resource,
    resourceCategory,
    held: new Map(),
    hours: new Map(),
    notifications: new Map(),
    hoursRequests: new Map(),
    webhooks: new Map(),
  }
  for (const { id: user_id } of people) {
    const held = { user_id, qualification_id: qualification, expires_at: new Date('2032-01-01T00:00:00Z') }
    const hours = { user_id, hours: 2.5, date: '2031-03-02', reason: 'Cleaned the vehicles' }
    const times = { created_at: world.now, next_attempt_at: world.now }
    const notification = { user_id, kind: 'profile_changed', source: `test ${user_id}`, bundle: 'test', ...times }
    const request = {
      user_id,
      kind: 'working_hours',
      data: JSON.stringify({ date: '2031-03-02', hours: 2, reason: 'x' }),
      created_at: world.now,
    }
    const [first, second, third, fourth] = await Promise.all([
      db.insertInto('qualification_grant').values(held).returning('id').executeTakeFirstOrThrow(),
      db.insertInto('working_hours').values(hours).returning('id').executeTakeFirstOrThrow(),
      db.insertInto('notification').values(notification).returning('id').executeTakeFirstOrThrow(),
      db.insertInto('decision_request').values(request).returning('id').executeTakeFirstOrThrow(),
    ])
    records.held.set(user_id, first.id)
    records.hours.set(user_id, second.id)
    records.notifications.set(user_id, third.id)
    records.hoursRequests.set(user_id, fourth.id)
    records.webhooks.set(user_id, await addWebhookRow(world, user_id))
  }
  return records
}

async function addWebhookRow({ db, now }: World, owner_id: number): Promise<number> {
  const values = {
    owner_id,
    name: 'Roster',
    description: '',
    url: 'https://roster.example/',
    kinds: ['event'],
    scopes: ['PUBLIC_READ'],
  }
  const { id } = await db.write
    .insertInto('webhook')
    .values({ ...values, active: true, secret_sealed: 'x', created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const feed = await db.write.selectFrom('change_feed').select(['id', 'position']).executeTakeFirstOrThrow()
  const queue = { webhook_id: id, feed_id: feed.id, position: feed.position, next_at: now }
  await db.write.insertInto('webhook_queue').values(queue).execute()
  return id
}

/** A cancelled shift that a person was on. */
export async function addRemovedShift(
  { db, now }: World,
  { eventId, participant }: { eventId: number; participant: Person },
): Promise<number> {
  const id = 900_000 + eventId
  const times = { start_time: now, end_time: now }
  const shift = { id, event_id: eventId, is_cancelled: true, reason: 'Storm', removed_at: now, label: 'Early', row: '{}' }
  await db.write
    .insertInto('removed_shift')
    .values({ ...shift, ...times, meeting_time: now })
    .execute()
  const participation = { id, removed_shift_id: id, shift_id: id, user_id: participant.id, state: 1, row: '{}' }
  await db.write
    .insertInto('removed_participation')
    .values({ ...participation, ...times })
    .execute()
  return id
}

/** A person who left the waiting list of a shift. */
export async function addWaitingEntry({ db, now }: World, { shift, who }: { shift: number; who: Person }): Promise<number> {
  const entry = { shift_id: shift, user_id: who.id, since: now, state: 'withdrawn' }
  return (await db.write.insertInto('waiting_entry').values(entry).returning('id').executeTakeFirstOrThrow()).id
}

/** The id of a record of the endpoint; undefined for events, people, participations and building blocks. */
export function idOfRecord(path: string, records: ApiRecords, person: Person): number | undefined {
  if (path.startsWith('/api/event-types/')) return records.type
  if (path.startsWith('/api/qualification-categories/')) return records.category
  if (path.startsWith('/api/qualifications/')) return records.qualification
  if (path.startsWith('/api/resources/')) return records.resource
  if (path.startsWith('/api/resource-categories/')) return records.resourceCategory
  if (path.startsWith('/api/groups/')) return 1
  if (path.includes('working-hours-requests')) return records.hoursRequests.get(person.id)
  if (path.includes('working-hours')) return records.hours.get(person.id)
  if (path.startsWith('/api/webhooks/')) return records.webhooks.get(person.id)
  if (path.startsWith('/api/requests/')) return records.hoursRequests.get(person.id)
  if (path.includes('notifications')) return records.notifications.get(person.id)
  return path.includes('qualifications') ? records.held.get(person.id) : undefined
}
