import {
  type Actor,
  type GuestActor,
  makeActor,
  type PartnerActor,
  type UserActor,
  type VisitorActor,
} from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Database } from '#platform/db/pool.ts'
import { GROUPS, type Person } from '#test/support/people.ts'
import type { World } from '#test/support/world.ts'

/** The context of a command that this person runs. */
export function contextAs(world: World, person: Person, db: Database = world.db): CommandContext {
  const actor = makeActor<UserActor>({
    kind: 'user',
    userId: person.id,
    displayName: person.name,
    email: person.email,
    language: 'en',
    isStaff: person.isStaff ?? false,
    isSuperuser: person.isSuperuser ?? false,
    groupIds: GROUPS.filter(({ members }) => members.includes(person)).map(({ id }) => id),
    permissions: new Set(person.permissions ?? []),
    via: { kind: 'session', sessionHash: Buffer.alloc(32), provedAt: world.now },
  })
  return { db: db.write, actor, now: world.now, site: world.app.site, requestId: null }
}

/** Callers without an account here, as records that no database holds. */
export const VISITOR = makeActor<VisitorActor>({
  kind: 'visitor',
  visitorId: 71,
  federatedGuestId: 72,
  displayName: 'Vic',
  language: 'en',
})
export const GUEST = makeActor<GuestActor>({ kind: 'guest', guestId: 81, eventId: 82, displayName: 'Gus', language: 'en' })
export const PARTNER = makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 72, tokenId: 1 })

/** An actor with only these permissions and no groups. */
export function actorOf(person: Person, facts: Partial<UserActor> = {}): UserActor {
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
    // A proof that is recent at every time of a test.
    via: { kind: 'session', sessionHash: Buffer.from('a test'), provedAt: new Date('2999-01-01') },
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
