import assert from 'node:assert/strict'
import { joinHost } from '#features/sharing/federation/commands/hosts.ts'
import { inviteInstance } from '#features/sharing/federation/commands/invites.ts'
import { shareEventWith } from '#features/sharing/federation/commands/shares.ts'
import { ANONYMOUS, makeActor, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { addEvent, type EventOptions, type MadeEvent } from './fixtures.ts'
import type { Instance, Reply, TestBrowser } from './instance.ts'
import type { Person } from './people.ts'

/** Host names for the instances of a test. */
export const NAMES = ['a.localhost', 'b.localhost', 'c.localhost']
export const ALLOW = NAMES.join(',')
export const outbound = makeOutbound({ allow: NAMES })

export const contextAt = (instance: Instance): CommandContext => ({
  db: instance.db.write,
  actor: ANONYMOUS,
  now: instance.now,
  site: instance.app.site,
  requestId: null,
})
/** The context of a signed-in user without permissions, except those that an event gives. */
export const contextAs = (instance: Instance, { id, name, email }: Person): CommandContext => ({
  ...contextAt(instance),
  actor: makeActor<UserActor>({
    kind: 'user',
    userId: id,
    displayName: name,
    email,
    language: 'en',
    isStaff: false,
    isSuperuser: false,
    groupIds: [],
    permissions: new Set(),
    via: { kind: 'token', tokenId: 0, scopes: new Set() },
  }),
})
export const contactOf = (instance: Instance) => ({ outbound, clock: { now: () => instance.now } })

/** Links two instances by an invitation; returns the id of each at the other. */
export async function link(host: Instance, guest: Instance): Promise<{ hostId: number; guestId: number }> {
  const invited = await inviteInstance(contextAt(host), guest.base)
  assert.ok(invited.ok)
  const joined = await joinHost(contextAt(guest), outbound, invited.shareString)
  assert.ok(joined.ok, JSON.stringify(joined))
  const [row] = await host.db.read.selectFrom('federated_guest').select('id').where('url', '=', guest.base).execute()
  return { hostId: joined.hostId, guestId: row!.id }
}

/** Each event is on a different day, so that participations do not overlap. */
let days = 0

/** A future event, shared with these instances. */
export async function addShared(host: Instance, wish: EventOptions, guestIds: readonly number[]): Promise<MadeEvent> {
  await host.db.write
    .insertInto('event_type')
    .values({ id: 1, title: 'Race' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  days += 1
  const start = new Date(host.now.getTime() + days * 86_400_000).toISOString()
  const end = new Date(Date.parse(start) + 3_600_000).toISOString()
  const shifts = (wish.shifts ?? [{}]).map((shift) => ({ start, end, ...shift }))
  const made = await addEvent(host.db.write, { ...wish, type: wish.type ?? 1, shifts }, host.now)
  await share(host, made.id, guestIds)
  return made
}

export const share = (host: Instance, eventId: number, guestIds: readonly number[]): Promise<void> =>
  host.db.write.transaction().execute((tx) => shareEventWith(tx, contextAt(host), eventId, guestIds))

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** First half of a visit: follows the redirect to the home instance, decides there, and returns the callback path at the host. */
export async function goHome(visitor: TestBrowser, home: TestBrowser, path: string, decision = 'allow'): Promise<string> {
  const sent = await visitor.go(path)
  assert.equal(sent.status, 303, sent.text)
  const authorize = new URL(sent.headers.location!)
  assert.equal(authorize.origin + authorize.pathname, `${home.instance.base}/api/oauth/authorize/`)
  const back = await home.authorize(Object.fromEntries(authorize.searchParams), decision)
  assert.equal(back.status, 303, back.text)
  return pathOf(back.headers.location!)
}

/** A complete visit: from the host to the home instance for consent, and back to the page. */
export async function visit(visitor: TestBrowser, home: TestBrowser, path: string): Promise<Reply> {
  const callback = await goHome(visitor, home, path)
  const returned = await visitor.go(callback)
  assert.equal(returned.status, 303, returned.text)
  return visitor.go(returned.headers.location!)
}
