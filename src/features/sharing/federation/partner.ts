import { z } from 'zod'
import { parseForeignJson } from '#platform/json-depth.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'

/** An unusable response of a partner; the message is for administrators. */
export class PartnerError extends Error {
  /** Undefined: no response. */
  readonly status: number | undefined
  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** PostgreSQL rejects NUL characters and, inside JSON, halves of surrogate pairs. */
const toStorableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** Cuts between characters: half of a surrogate pair cannot be stored. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  return [...text.slice(0, 2 * max)].slice(0, max).join('').toWellFormed()
}

const FORM = 'application/x-www-form-urlencoded'
export const bearer = (token: string) => ({ authorization: `Bearer ${token}`, accept: 'application/json' })

export function parse<T>(text: string, schema: z.ZodType<T>, what: string): T {
  let value: unknown
  try {
    value = parseForeignJson(text, (_name, part) => (typeof part === 'string' ? toStorableText(part) : part))
  } catch (cause) {
    throw new PartnerError(`${what} is no JSON`, undefined, { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new PartnerError(`${what} is not as expected at ${issue!.path.join('.') || 'its root'}: ${issue!.message}`)
}

/** Converts all connection errors to a PartnerError. */
export async function send(outbound: Outbound, ...call: Parameters<Outbound['send']>) {
  try {
    return await outbound.send(...call)
  } catch (cause) {
    if (cause instanceof OutboundError) throw new PartnerError(cause.message, undefined, { cause })
    throw cause
  }
}

/** Sent back in a header. */
const accessToken = z.string().regex(/^[\x21-\x7e]{1,2000}$/)
export const shortText = (max: number) => z.string().transform((text) => cutText(text, max))

const setupAnswer = z.looseObject({ access_token: accessToken, host_name: shortText(255), turnout: z.unknown().optional() })

type SetupRequest = { name: string; url: string; clientId: string; clientSecret: string; code: string }

/** Redeems an invitation at the host, as a form, which every instance accepts. */
export async function requestSetup(
  outbound: Outbound,
  hostUrl: string,
  { name, url, clientId, clientSecret, code }: SetupRequest,
): Promise<{ accessToken: string; hostName: string; speaksTurnout: boolean }> {
  const body = new URLSearchParams({ name, url, client_id: clientId, client_secret: clientSecret, code, turnout: '1' }).toString()
  const answer = await send(outbound, `${hostUrl}/api/federation/setup/`, {
    method: 'POST',
    headers: { 'content-type': FORM, accept: 'application/json' },
    body,
  })
  if (answer.status < 200 || answer.status > 299) throw new PartnerError(refusalIn(answer.text), answer.status)
  const { access_token, host_name, turnout } = parse(answer.text, setupAnswer, 'the answer')
  return { accessToken: access_token, hostName: host_name, speaksTurnout: turnout !== undefined }
}

/** Reads both error formats; the message is the partner's. */
function refusalIn(text: string): string {
  const known = z.union([
    z.looseObject({ errors: z.array(z.looseObject({ detail: z.string() })).min(1) }).transform(({ errors }) => errors[0]!.detail),
    z.looseObject({ non_field_errors: z.array(z.string()).min(1) }).transform(({ non_field_errors }) => non_field_errors[0]!),
    z.looseObject({ detail: z.string() }).transform(({ detail }) => detail),
  ])
  try {
    return cutText(toStorableText(known.parse(parseForeignJson(text))), 200)
  } catch {
    return 'the invitation was refused'
  }
}

/** As an instant, because PostgreSQL rejects offsets of 16 hours and more, and the year 0. */
const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text))
  .refine((at) => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999, 'no year from 1 to 9999')
export const sharedEvent = z.looseObject({
  id: z.int(),
  title: shortText(1_000),
  description: shortText(100_000).nullish(),
  location: shortText(1_000),
  type: z.looseObject({ title: shortText(1_000) }),
  start_time: instant.nullish(),
  end_time: instant.nullish(),
  signup_url: z.string(),
})
export type SharedEvent = z.infer<typeof sharedEvent>

const pageOf = <T>(item: z.ZodType<T>) => z.looseObject({ next: z.string().nullish(), results: z.array(item).max(1_000) })

const MOST_PAGES = 50
/** For all pages of a list, so that a slow host cannot occupy a connection of the worker for minutes. */
const LONGEST_LIST_MS = 20_000
const MAX_ETAG_LENGTH = 200
const KEPT_DAYS = 14

export type Listing<T> = { kind: 'unchanged' } | { kind: 'refused' } | { kind: 'listed'; items: T[]; etag: string | undefined }
export type Link = { url: string; token: string; etag?: string | null; clock: { now: () => Date } }

/** All events that the host shares with us. Filters from the start of the day, so that the ETag is valid all day. */
export function listSharedEvents(outbound: Outbound, link: Link, now: Date): Promise<Listing<SharedEvent>> {
  const after = new Date(now.getTime() - KEPT_DAYS * 24 * 3600_000).toISOString().slice(0, 10)
  const query = new URLSearchParams({ end_time_after: `${after}T00:00:00.000000Z` }).toString()
  return listAll(outbound, link, `/api/federation/events/?${query}`, sharedEvent)
}

export const externalParticipation = z.looseObject({
  event: z.int(),
  shift: z.int(),
  shift_label: shortText(255),
  user: z.int(),
  state: z.int().min(0).max(4),
  start_time: instant,
  end_time: instant,
})
export type ExternalParticipation = z.infer<typeof externalParticipation>

/** Participations of our people at the host; only Turnout hosts support it. */
export const listExternalParticipations = (outbound: Outbound, link: Link): Promise<Listing<ExternalParticipation>> =>
  listAll(outbound, link, '/api/federation/participations/', externalParticipation)

async function listAll<T>(
  outbound: Outbound,
  { url, token, etag, clock }: Link,
  path: string,
  item: z.ZodType<T>,
): Promise<Listing<T>> {
  const latest = clock.now().getTime() + LONGEST_LIST_MS
  const items: T[] = []
  let next: string | undefined = `${url}${path}`
  let found: string | undefined
  for (let page = 1; next !== undefined; page++) {
    if (clock.now().getTime() > latest) throw new PartnerError(`its list takes longer than ${LONGEST_LIST_MS / 1000} seconds`)
    if (page > MOST_PAGES) throw new PartnerError(`it has more than ${MOST_PAGES} pages`)
    const condition = page === 1 && etag ? { 'if-none-match': etag } : {}
    const answer = await send(outbound, next, { headers: { ...bearer(token), ...condition } })
    if (answer.status === 304 && page === 1) return { kind: 'unchanged' }
    if (answer.status === 403) return { kind: 'refused' }
    if (answer.status !== 200) throw new PartnerError(`it answered ${answer.status}`, answer.status)
    const { results, next: following } = parse(answer.text, pageOf(item), 'the list')
    items.push(...results)
    // The ETag of the first page does not cover the others.
    const tag = answer.headers.etag ?? ''
    found = page === 1 && !following && tag.length <= MAX_ETAG_LENGTH ? tag || undefined : undefined
    next = following ? sameInstance(following, url) : undefined
  }
  return { kind: 'listed', items, etag: found }
}

/** Sends our token only to the host, even if its links lead elsewhere. */
function sameInstance(link: string, url: string): string {
  const parsed = URL.parse(link)
  if (parsed?.origin !== new URL(url).origin) throw new PartnerError('its list goes on at another instance')
  return parsed.href
}

/** True: the link is ended at the host. */
export async function leaveHost(outbound: Outbound, { url, token }: Pick<Link, 'url' | 'token'>): Promise<boolean> {
  const answer = await send(outbound, `${url}/api/federation/guest/delete/`, { method: 'DELETE', headers: bearer(token) })
  return answer.status === 204 || answer.status === 403
}

/** An instance of Turnout tells the language of the person. */
const language = z.enum(['en', 'de']).optional().catch(undefined)
const tokenAnswer = z.looseObject({ locale: language, access_token: accessToken, expires_in: z.number().positive() })

export type Guest = { url: string; clientId: string; clientSecret: string }

/** Basic credentials without `redirect_uri` and `client_id`, as partners expect. */
export async function redeemCode(outbound: Outbound, guest: Guest, { code, verifier }: { code: string; verifier: string }) {
  const credentials = `${encodeURIComponent(guest.clientId)}:${encodeURIComponent(guest.clientSecret)}`
  const answer = await send(outbound, `${guest.url}/api/oauth/token/`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': FORM,
      accept: 'application/json',
    },
    body: new URLSearchParams({ grant_type: 'authorization_code', code_verifier: verifier, code }).toString(),
  })
  if (answer.status !== 200) throw new PartnerError('it gave no token for the code', answer.status)
  const { access_token, expires_in, locale } = parse(answer.text, tokenAnswer, 'the token')
  return { token: access_token, expiresInSeconds: expires_in, language: locale }
}

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
const profile = z.looseObject({
  id: z.int().positive().optional(),
  email: z.string().min(1).max(254),
  display_name: z.string().min(1).max(254),
  // PostgreSQL has no year 0.
  date_of_birth: z.iso
    .date()
    .refine((text) => !text.startsWith('0000'))
    .nullish(),
  qualifications: z.array(z.looseObject({ uuid, includes: z.array(uuid) })).max(1_000),
})
export type HomeProfile = z.infer<typeof profile> & { language: 'en' | 'de' | undefined }

export async function readProfile(outbound: Outbound, { url }: { url: string }, token: string): Promise<HomeProfile> {
  const answer = await send(outbound, `${url}/api/users/me/`, { headers: bearer(token) })
  if (answer.status !== 200) throw new PartnerError(`it did not tell who this is (${answer.status})`, answer.status)
  // ephios sets a cookie with the language of the person.
  const chosen = /\bdjango_language=(en|de)\b/.exec(answer.headers['set-cookie'] ?? '')?.[1]
  return { ...parse(answer.text, profile, 'the profile'), language: language.parse(chosen) }
}
