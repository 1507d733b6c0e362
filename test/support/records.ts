import { after } from 'node:test'
import type { Permission } from '#platform/auth/permissions.ts'
import type { Database } from '#platform/db/pool.ts'
import { freshDatabase, openTestDatabase } from './database.ts'
import {
  addEvent,
  addGroup,
  addParticipation,
  addPeople,
  addPermission,
  addPerson,
  type EventOptions,
  grantEvent,
  type MadeEvent,
  nextId,
  type ParticipationOptions,
} from './fixtures.ts'
import type { Group, Person } from './people.ts'

export const NOW = new Date('2031-05-01T10:00:00Z')

export type Qualification = { id: number; uuid: string; category: string }

/** Adds records to a database. */
export class Records {
  readonly db: Database
  readonly #clock: { now: Date }

  constructor(db: Database, clock: { now: Date }) {
    this.db = db
    this.#clock = clock
  }

  get now(): Date {
    return this.#clock.now
  }
  set now(now: Date) {
    this.#clock.now = now
  }

  async addPerson(wish: Partial<Person> & { name: string }): Promise<Person> {
    const id = await nextId(this.db.write, 'user_profile')
    const email = `${encodeURIComponent(wish.name.toLowerCase())}.${id}@a.example`
    const person: Person = { kind: 'person', id, email, dateOfBirth: null, phone: null, ...wish }
    await addPerson(this.db.write, person, this.now)
    return person
  }

  async addGroup(name: string, members: Person[], permissions: Permission[] = []): Promise<Group> {
    const group: Group = { kind: 'group', id: await nextId(this.db.write, 'user_group'), name, members, permissions }
    await addGroup(this.db.write, group)
    return group
  }

  /** Participants are shown to: 0 all users who see the event, 1 confirmed participants, 2 responsibles, 3 guests and visitors, too. */
  async addType({ title = 'Service', showParticipantData = 0 } = {}): Promise<number> {
    const values = { title, show_participant_data: showParticipantData }
    return (await this.db.write.insertInto('event_type').values(values).returning('id').executeTakeFirstOrThrow()).id
  }

  addEvent(wish: EventOptions): Promise<MadeEvent> {
    return addEvent(this.db.write, wish, this.now)
  }

  addParticipation(wish: ParticipationOptions): Promise<number> {
    return addParticipation(this.db.write, wish, this.now)
  }

  /** Grants a permission for all objects. */
  async grants(to: Person | Group, permission: Permission): Promise<void> {
    await addPermission(this.db.write, to, permission)
  }

  /** Grants a permission for one event. */
  async grantsEvent(to: Person | Group, eventId: number, permission: 'view' | 'change'): Promise<void> {
    await grantEvent(this.db.write, eventId, to, permission)
  }

  /** Grants the permission to view one profile. */
  async grantsProfile(to: Person | Group, of: Person): Promise<void> {
    await (to.kind === 'person'
      ? this.db.write.insertInto('profile_user_grant').values({ user_id: of.id, viewer_id: to.id }).execute()
      : this.db.write.insertInto('profile_group_grant').values({ user_id: of.id, group_id: to.id }).execute())
  }

  async addQualification(title: string, includes: Qualification[] = []): Promise<Qualification> {
    const { write } = this.db
    const category = await write
      .insertInto('qualification_category')
      .values({ title: `for ${title}` })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    const values = { title, abbreviation: title.slice(0, 2), category_id: category.id }
    const made = await write.insertInto('qualification').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
    for (const { id } of includes)
      await write.insertInto('qualification_inclusion').values({ qualification_id: made.id, included_id: id }).execute()
    return { ...made, category: category.uuid }
  }

  async holds(person: Person, qualification: Qualification, until: Date | null = null): Promise<void> {
    const values = { user_id: person.id, qualification_id: qualification.id, expires_at: until }
    await this.db.write.insertInto('qualification_grant').values(values).execute()
  }

  async setActive(person: Person, isActive: boolean): Promise<void> {
    await this.db.write.updateTable('user_profile').set({ is_active: isActive }).where('id', '=', person.id).execute()
  }
}

/** The sample users and their first type of events. */
export async function addSample(db: Database, now: Date): Promise<void> {
  await addPeople(db.write, now)
  await db.write.insertInto('event_type').values({ title: 'Service' }).execute()
}

/** A database of its own with the sample users, without an app: it opens in a tenth of the time. Closes after the suite or test. */
export async function openRecords(): Promise<Records> {
  const database = await freshDatabase()
  const db = openTestDatabase({ url: database.url, reads: 2 })
  after(async () => {
    await db.close()
    await database.drop()
  })
  await addSample(db, NOW)
  return new Records(db, { now: NOW })
}
