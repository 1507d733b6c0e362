import { z } from 'zod'
import type { Outbound } from '#platform/outbound/outbound.ts'
import {
  bearer,
  externalParticipation,
  type Link,
  PartnerError,
  parse,
  type SharedEvent,
  send,
  sharedEvent,
  shortText,
} from '../partner.ts'
import type { Notice } from './notices.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
type Address = Pick<Link, 'url' | 'token'>

const post = (outbound: Outbound, { url, token }: Address, path: string, body: object) =>
  send(outbound, `${url}/api/federation/${path}/`, {
    method: 'POST',
    headers: { ...bearer(token), ...JSON_TYPE },
    body: JSON.stringify(body),
  })

/** To a guest that asked for it. */
export async function sendNotice(outbound: Outbound, guestUrl: string, notice: Notice & { signature: string }): Promise<void> {
  const headers = { accept: 'application/json', ...JSON_TYPE }
  const sent = { method: 'POST' as const, headers, body: JSON.stringify(notice), discardsBody: true }
  const { status } = await send(outbound, `${guestUrl}/api/federation/notices/`, sent)
  if (status < 200 || status > 299) throw new PartnerError(`it answered ${status}`, status)
}

/** `unknown`: this host does not tell of changes. */
export type Subscribing = 'agreed' | 'unknown' | 'refused'

export async function subscribe(outbound: Outbound, link: Address, secret: string): Promise<Subscribing> {
  const { status } = await post(outbound, link, 'subscription', { secret })
  if (status === 204) return 'agreed'
  if (status === 403) return 'refused'
  if (status === 404 || status === 405) return 'unknown'
  throw new PartnerError(`it answered ${status}`, status)
}

const participation = externalParticipation.extend({ id: z.int(), event_title: shortText(1_000), no_show: z.boolean() })
type UpdatedParticipation = z.infer<typeof participation>

const MOST_RECORDS = 1_000
const ids = z.array(z.int()).max(MOST_RECORDS)
const changes = z.looseObject({
  cursor: z.string().min(1).max(100),
  is_complete: z.boolean(),
  is_from_start: z.boolean(),
  events: z.array(sharedEvent).max(MOST_RECORDS),
  gone_events: ids,
  participations: z.array(participation).max(MOST_RECORDS),
  gone_participations: ids,
})

/** Everything that a host tells since a cursor. */
export type Updates = {
  cursor: string
  isFromStart: boolean
  events: SharedEvent[]
  goneEvents: number[]
  participations: UpdatedParticipation[]
  goneParticipations: number[]
}
/** `not_agreed`: the host has forgotten that we asked to be told, as after a restore. */
export type Fetched = { kind: 'refused' } | { kind: 'unknown' } | { kind: 'not_agreed' } | { kind: 'told'; updates: Updates }

const MOST_PAGES = 100
const LONGEST_MS = 20_000

/** All pages, so that nothing is stored of a partial list: a shift can come before its event. */
export async function fetchUpdates(
  outbound: Outbound,
  { url, token, clock }: Pick<Link, 'url' | 'token' | 'clock'>,
  after: string | null,
): Promise<Fetched> {
  const latest = clock.now().getTime() + LONGEST_MS
  const updates: Updates = {
    cursor: after ?? '',
    isFromStart: false,
    events: [],
    goneEvents: [],
    participations: [],
    goneParticipations: [],
  }
  for (let page = 1; ; page++) {
    if (clock.now().getTime() > latest) throw new PartnerError(`its list takes longer than ${LONGEST_MS / 1000} seconds`)
    if (page > MOST_PAGES) throw new PartnerError(`it has more than ${MOST_PAGES} pages`)
    const body = updates.cursor ? { after: updates.cursor } : {}
    const answer = await post(outbound, { url, token }, 'changes', body)
    if (answer.status === 403) return { kind: 'refused' }
    if (answer.status === 404 || answer.status === 405) return { kind: 'unknown' }
    if (answer.status === 409) return { kind: 'not_agreed' }
    if (answer.status !== 200) throw new PartnerError(`it answered ${answer.status}`, answer.status)
    const told = parse(answer.text, changes, 'the list of changes')
    // Its feed began anew between two pages.
    if (page > 1 && told.is_from_start)
      throw new PartnerError('the list of changes is not as expected at is_from_start: it began anew')
    updates.isFromStart ||= told.is_from_start
    updates.cursor = told.cursor
    updates.events.push(...told.events)
    updates.goneEvents.push(...told.gone_events)
    updates.participations.push(...told.participations)
    updates.goneParticipations.push(...told.gone_participations)
    if (told.is_complete) return { kind: 'told', updates }
  }
}

/** Nothing is to be told about these people, and about all others again. */
export async function sendObjections(outbound: Outbound, link: Address, people: readonly number[]): Promise<void> {
  const { status } = await post(outbound, link, 'objections', { users: people })
  if (status !== 204) throw new PartnerError(`it answered ${status}`, status)
}

/** `refused`: the rules of the shift do not allow it, or there is no such place. */
export async function requestDecline(
  outbound: Outbound,
  link: Address,
  place: { shift: number; user: number },
): Promise<'declined' | 'refused'> {
  const { status } = await post(outbound, link, 'declines', place)
  if (status === 204) return 'declined'
  if (status === 409 || status === 404) return 'refused'
  throw new PartnerError(`it answered ${status}`, status)
}
