import type { Actor, UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { anyUser } from '#platform/http/access.ts'
import type { Connection } from '#platform/http/connection.ts'
import { type Endpoint, recordEndpoint, type StreamEvent, streamEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { type ChangeFeed, feedOf } from './feed.ts'
import type { ChangePage, FeedCaller } from './queries/changes.ts'
import { presentChange } from './queries/present.ts'
import { type FeedState, formatCursor, isCursor, readCursor } from './rules/cursor.ts'
import { changeRecord, changesParameters, changesRecord, defaultLimit, streamParameters } from './schema.ts'

type Page = ChangePage & { feed: Pick<FeedState, 'id'> }

const presentPage = ({ feed, seen, next, hasMore }: Page, { site }: RequestContext) => ({
  next: formatCursor(feed, next),
  has_more: hasMore,
  results: seen.map((change) => presentChange(change, feed, site.timeZone)),
})

/** The endpoints are for users only, so the actor is one. */
const userOf = (actor: Actor): UserActor | undefined => (actor.kind === 'user' ? actor : undefined)

const callerOf = ({ actor }: RequestContext, connection: Connection): FeedCaller => ({
  actor: userOf(actor)!,
  refresh: async () => userOf(await connection.identify()),
})

/** Without a cursor: the present end. */
function positionOf(cursor: string | undefined, state: FeedState, { words }: RequestContext): number {
  if (cursor === undefined) return state.position
  if (!isCursor(cursor)) {
    const detail = words.t('changes.bad_cursor')
    throw new Problem('invalid_input', { errors: [{ parameter: 'after', code: 'invalid_value', detail }] })
  }
  const position = readCursor(cursor, state)
  if (position === undefined)
    throw new Problem('gone', { detail: words.t('changes.gone'), members: { next: formatCursor(state, state.position) } })
  return position
}

const CHALLENGE = 'Bearer realm="turnout", error="invalid_token"'

type Waiting = { after: number; limit: number; waitMs: number; signal: AbortSignal }

/** Waits without a connection to the database until something is visible. */
async function waitForPage(feed: ChangeFeed, caller: FeedCaller, { after, limit, waitMs, signal }: Waiting): Promise<ChangePage> {
  const leave = feed.enter(caller.actor)
  const end = performance.now() + waitMs
  try {
    for (let position = after; ; ) {
      const left = Math.max(0, end - performance.now())
      const isPast = await feed.past(position, signal, left)
      if (!isPast) return { seen: [], next: position, hasMore: false }
      // The token may have been revoked meanwhile.
      const actor = await caller.refresh()
      if (!actor) throw new Problem('invalid_token', { headers: { 'www-authenticate': CHALLENGE } })
      caller.actor = actor
      const page = await feed.read(caller, { after: position, limit })
      if (page.seen.length || page.hasMore) return page
      position = page.next
    }
  } finally {
    leave()
  }
}

async function* follow(
  feed: ChangeFeed,
  caller: FeedCaller,
  { state, after, zone, signal }: { state: FeedState; after: number; zone: string; signal: AbortSignal },
): AsyncGenerator<StreamEvent, void> {
  let position = after
  // Tells at once where the stream begins, so that a client that is cut off before the first change loses none.
  yield { comment: 'connected', id: formatCursor(state, position) }
  while (!signal.aborted) {
    const page = await feed.read(caller, { after: position, limit: defaultLimit })
    for (const change of page.seen) {
      const data = presentChange(change, state, zone)
      yield { id: data.cursor, event: 'change', data }
    }
    position = page.next
    if (page.hasMore || (await feed.past(position, signal, feed.heartbeatMs))) continue
    if (signal.aborted) return
    const actor = await caller.refresh()
    if (!actor) return
    caller.actor = actor
    yield { comment: 'heartbeat', id: formatCursor(state, position) }
  }
}

async function* leaving(events: AsyncGenerator<StreamEvent, void>, leave: () => void): AsyncGenerator<StreamEvent, void> {
  try {
    yield* events
  } finally {
    leave()
  }
}

const PROMISE = `Changes of the records that the caller may see, in the order in which they were saved. None is left out, however many are saved at the same time. Kept for 90 days; with an older cursor the answer is 410, with the cursor to go on with. Each kind needs the scope and the permission of its list: CONFIDENTIAL_READ for \`participation\`, \`user\`, \`group\` and \`working_hours\`, or ME_READ for your own; PUBLIC_READ for the others.`

export const changesApi: Endpoint[] = [
  recordEndpoint({
    path: '/api/changes/',
    access: anyUser,
    name: 'Changes',
    operationId: 'changes_list',
    tag: 'changes',
    summary: 'What changed since a cursor',
    description: PROMISE,
    problems: ['gone'],
    parameters: changesParameters,
    record: changesRecord,
    get: async (context, _path, { after, limit = defaultLimit, wait = 0 }, connection): Promise<Page> => {
      const feed = feedOf(context.db)
      const caller = callerOf(context, connection)
      const state = await feed.catchUp()
      const position = positionOf(after, state, context)
      const page = await feed.read(caller, { after: position, limit })
      const hasMore = page.hasMore || state.hasPending
      if (page.seen.length || hasMore || !wait) return { ...page, hasMore, feed: state }
      const waiting = { after: page.next, limit, waitMs: wait * 1000, signal: connection.signal }
      return { ...(await waitForPage(feed, caller, waiting)), feed: state }
    },
    present: presentPage,
  }),
  streamEndpoint({
    path: '/api/changes/stream/',
    access: anyUser,
    name: 'Changes Stream',
    operationId: 'changes_stream',
    tag: 'changes',
    summary: 'What changes, as Server-Sent Events',
    description: `${PROMISE}\n\nEach change is an event with the name \`change\`. The stream ends with the token or session.`,
    suffix: false,
    problems: ['gone'],
    parameters: streamParameters,
    item: changeRecord,
    open: async (context, { after }, connection) => {
      const feed = feedOf(context.db)
      const caller = callerOf(context, connection)
      const state = await feed.catchUp()
      const position = positionOf(connection.lastEventId || after, state, context)
      const leave = feed.enter(caller.actor)
      const { signal } = connection
      signal.addEventListener('abort', leave, { once: true })
      return leaving(follow(feed, caller, { state, after: position, zone: context.site.timeZone, signal }), leave)
    },
  }),
]
