import assert from 'node:assert/strict'
import { joinHost } from '#features/federation/commands/hosts.ts'
import { inviteInstance } from '#features/federation/commands/invites.ts'
import { shareEventWith } from '#features/federation/commands/shares.ts'
import { ANONYMOUS, makeActor, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { addEvent, type EventWish, type MadeEvent } from './fixtures.ts'
import type { Instance, Reply, TestBrowser } from './instance.ts'
import type { Person } from './people.ts'

/** Names below localhost that instances of a test may have. */
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
/** As somebody who is signed in there, with no rights besides those that an event gives them. */
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

/** Makes one the guest of the other, by invitation; each then knows the other by a number. */
export async function link(host: Instance, guest: Instance): Promise<{ hostId: number; guestId: number }> {
  const invited = await inviteInstance(contextAt(host), guest.base)
  assert.ok(invited.ok)
  const joined = await joinHost(contextAt(guest), outbound, invited.shareString)
  assert.ok(joined.ok, JSON.stringify(joined))
  const [row] = await host.db.read.selectFrom('federated_guest').select('id').where('url', '=', guest.base).execute()
  return { hostId: joined.hostId, guestId: row!.id }
}

/** Each event has a day of its own, so that nobody is at two places at the same time. */
let days = 0

/** A coming event, shared with these instances. */
export async function hasShared(host: Instance, wish: EventWish, guestIds: readonly number[]): Promise<MadeEvent> {
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

/** The first half of a visit: where the host sends somebody, and where home sends them back to. */
export async function goHome(abroad: TestBrowser, home: TestBrowser, path: string, decision = 'allow'): Promise<string> {
  const sent = await abroad.go(path)
  assert.equal(sent.status, 303, sent.text)
  const authorize = new URL(sent.headers.location!)
  assert.equal(authorize.origin + authorize.pathname, `${home.instance.base}/api/oauth/authorize/`)
  const back = await home.authorize(Object.fromEntries(authorize.searchParams), decision)
  assert.equal(back.status, 303, back.text)
  return pathOf(back.headers.location!)
}

/** The whole way: to the host, home to consent, back, and to the page. */
export async function visit(abroad: TestBrowser, home: TestBrowser, path: string): Promise<Reply> {
  const callback = await goHome(abroad, home, path)
  const returned = await abroad.go(callback)
  assert.equal(returned.status, 303, returned.text)
  return abroad.go(returned.headers.location!)
}
