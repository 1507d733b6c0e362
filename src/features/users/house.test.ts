import { Browser } from '#features/sign-in/house.test.ts'
import { type Actor, makeActor, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Person } from '#test/support/people.ts'
import { SITE_URL, type World } from '#test/support/world.ts'

// What the tests of management share: people at their browsers, and commands called for them.

/** Signed in, with the token that forms need. */
export async function browserOf(world: World, person: Person): Promise<Browser> {
  const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
  const [name, value] = (await world.sessionCookie(person)).split('=')
  browser.cookies.set(name!, value!)
  await browser.get('/settings/profile/')
  return browser
}

export function actorOf(person: Person, facts: Partial<UserActor> = {}): Actor {
  return makeActor<UserActor>({
    kind: 'user',
    userId: person.id,
    displayName: person.name,
    email: person.email,
    language: 'en',
    isStaff: person.isStaff ?? false,
    isSuperuser: person.isSuperuser ?? false,
    groupIds: [],
    permissions: new Set(person.permissions ?? []),
    via: { kind: 'session', sessionHash: Buffer.from('a test') },
    ...facts,
  })
}

export const contextOf = (world: World, actor: Actor): CommandContext => ({
  db: world.db.write,
  actor,
  now: world.now,
  site: world.app.site,
  requestId: 'a test',
})

/** What the journal says about somebody or something, oldest first. */
export async function journalOf(world: World, kind: string, id: number) {
  return world.db.read
    .selectFrom('journal')
    .selectAll()
    .where('subject_kind', '=', kind)
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute()
}
