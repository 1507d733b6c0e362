/** Claims about a person, from the ID token and the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/** A claim that cannot be used. Contains no values, which may be personal. */
export type ClaimProblem = { claim: string; expected: 'text' | 'list' | 'day'; found: string }

const isObject = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A name for the type of a value that was not expected. */
function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  return typeof value
}

/** The value at a dotted path; null counts as absent. Names that contain dots themselves, such as URLs, are found, too. */
export function getClaim(claims: Claims, path: string): unknown {
  const parts = path.split('.')
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('.')
    if (!Object.hasOwn(claims, name)) continue
    const value = claims[name] ?? undefined
    if (length === parts.length) return value
    const found = isObject(value) ? getClaim(value, parts.slice(length).join('.')) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

const MAX_LIST_LENGTH = 1_000
const MAX_TEXT_LENGTH = 254

/** Text that PostgreSQL can store, on one line. */
const toLine = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

type TextList = { values: string[] } | { problem: ClaimProblem }

/** An absent claim is an empty list: some providers leave out the claim of a person who is in no group. */
export function readList(claims: Claims, path: string): TextList {
  const value = getClaim(claims, path) ?? []
  if (!Array.isArray(value)) return { problem: { claim: path, expected: 'list', found: typeName(value) } }
  const other = value.find((each) => typeof each !== 'string')
  if (other !== undefined || value.length > MAX_LIST_LENGTH)
    return {
      problem: {
        claim: path,
        expected: 'list',
        found: value.length > MAX_LIST_LENGTH ? 'too many' : `list of ${typeName(other)}`,
      },
    }
  return { values: [...new Set(value.map((text: string) => toLine(text)).filter(Boolean))] }
}

type ProvidedProfile = { name?: string; phone?: string; dateOfBirth?: string }

/** Absent and unusable claims leave the profile as it is. `today`: `YYYY-MM-DD`. */
export function readProfile(claims: Claims, today: string): { profile: ProvidedProfile; problems: ClaimProblem[] } {
  const problems: ClaimProblem[] = []
  const readText = (claim: string): string | undefined => {
    const value = getClaim(claims, claim)
    if (value === undefined) return undefined
    if (typeof value === 'string') return toLine(value).slice(0, MAX_TEXT_LENGTH).toWellFormed() || undefined
    problems.push({ claim, expected: 'text', found: typeName(value) })
    return undefined
  }
  const parts = [readText('given_name'), readText('family_name')].filter(Boolean).join(' ')
  const name = readText('name') ?? (parts.slice(0, MAX_TEXT_LENGTH).toWellFormed() || undefined)
  const phone = readText('phone_number')
  const birthDate = readText('birthdate')
  // OpenID Connect permits a year alone, and the year 0000 for people who do not tell it.
  const isPartial = birthDate !== undefined && (/^\d{4}$/.test(birthDate) || birthDate.startsWith('0000-'))
  const isUsable = birthDate !== undefined && isDay(birthDate) && birthDate >= '1900-01-01' && birthDate <= today
  if (birthDate !== undefined && !isPartial && !isUsable) problems.push({ claim: 'birthdate', expected: 'day', found: 'text' })
  return {
    profile: {
      ...(name === undefined ? {} : { name }),
      ...(phone === undefined ? {} : { phone }),
      ...(isUsable ? { dateOfBirth: birthDate } : {}),
    },
    problems,
  }
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

export type ProvidedEmail = { ok: true; email: string } | { ok: false; reason: 'email_missing' | 'email_unverified' }

/**
 * Address and verification come from the same source: a verification in the ID token says nothing about another address that the
 * userinfo endpoint tells. `trusts`: the provider verifies all addresses without saying so.
 */
export function readEmail(sources: { idToken: Claims; userinfo: Claims }, trusts: boolean): ProvidedEmail {
  const source = [sources.userinfo, sources.idToken].find(({ email }) => typeof email === 'string' && email.trim() !== '')
  const email = source ? toLine(source.email as string) : ''
  if (!source || !/^[^\s@]+@[^\s@]+$/u.test(email) || email.length > MAX_TEXT_LENGTH)
    return { ok: false, reason: 'email_missing' }
  // Some providers send the boolean as a text.
  const isVerified = source.email_verified === true || source.email_verified === 'true'
  const isUnknown = source.email_verified === undefined || source.email_verified === null
  return isVerified || (isUnknown && trusts) ? { ok: true, email } : { ok: false, reason: 'email_unverified' }
}

export type KnownAccount = { userId: number; isActive: boolean; isAdministrator: boolean }
export type AccountDecision =
  | { kind: 'sign_in' | 'link' | 'confirm'; userId: number }
  | { kind: 'create'; email: string }
  | { kind: 'refuse'; reason: 'inactive' | 'no_account' | 'email_missing' | 'email_unverified' }

/** Whoever controls the provider could otherwise become an administrator with an address. */
export const mayLinkByEmail = ({ isAdministrator }: KnownAccount): boolean => !isAdministrator

type AccountFacts = {
  /** The account that is linked with issuer and subject. */
  linked: KnownAccount | undefined
  email: ProvidedEmail
  /** The account with the verified address. */
  holder: KnownAccount | undefined
  createsAccounts: boolean
}

/** Which account a person who signed in at a provider gets. `confirm`: only the signed-in owner may link it. */
export function decideAccount(
  { linked, email, holder, createsAccounts }: AccountFacts,
  mayLink = mayLinkByEmail,
): AccountDecision {
  if (linked) return linked.isActive ? { kind: 'sign_in', userId: linked.userId } : { kind: 'refuse', reason: 'inactive' }
  if (!email.ok) return { kind: 'refuse', reason: email.reason }
  if (holder && !holder.isActive) return { kind: 'refuse', reason: 'inactive' }
  if (holder) return { kind: mayLink(holder) ? 'link' : 'confirm', userId: holder.userId }
  return createsAccounts ? { kind: 'create', email: email.email } : { kind: 'refuse', reason: 'no_account' }
}

type Named = { id: number; name: string }
const MAX_GROUP_NAME_LENGTH = 150

/** Groups of the claim that exist, ignoring case, and the names of those that do not. */
export function matchGroups(names: readonly string[], groups: readonly Named[]): { ids: number[]; missing: string[] } {
  const ids = new Set<number>()
  const missing = new Map<string, string>()
  for (const name of names) {
    const lower = name.toLowerCase()
    const group = groups.find((each) => each.name === name) ?? groups.find((each) => each.name.toLowerCase() === lower)
    if (group) ids.add(group.id)
    else if ([...name].length <= MAX_GROUP_NAME_LENGTH && !missing.has(lower)) missing.set(lower, name)
  }
  return { ids: [...ids], missing: [...missing.values()] }
}

type KnownQualification = { id: number; uuid: string; title: string; abbreviation: string }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A name in the claim stands for the uuid that it is mapped to; a uuid stands for itself. */
export function matchQualifications(
  names: readonly string[],
  uuids: Readonly<Record<string, string>>,
  qualifications: readonly KnownQualification[],
): { ids: number[]; unknown: string[] } {
  const found = names.map((name) => {
    const uuid = Object.hasOwn(uuids, name) ? uuids[name]! : name
    return { name, id: qualifications.find((each) => each.uuid.toLowerCase() === uuid.toLowerCase())?.id }
  })
  return {
    ids: [...new Set(found.flatMap(({ id }) => id ?? []))],
    unknown: found.filter(({ id }) => id === undefined).map(({ name }) => name),
  }
}

type MappingOutcome = { ok: true; uuids: Record<string, string> } | { ok: false; line: number; text: string }

/** Lines like `medic = Paramedic`; behind the sign stands the uuid, the title or the abbreviation of a qualification. */
export function parseQualificationLines(text: string, qualifications: readonly KnownQualification[]): MappingOutcome {
  const uuids: Record<string, string> = {}
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (!line) continue
    const at = line.indexOf('=')
    const [name, wanted] = [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    const uuid = at > 0 && name && wanted ? findUuid(wanted, qualifications) : undefined
    if (uuid === undefined || Object.hasOwn(uuids, name)) return { ok: false, line: index + 1, text: line }
    Object.defineProperty(uuids, name, { value: uuid, enumerable: true, configurable: true, writable: true })
  }
  return { ok: true, uuids }
}

function findUuid(wanted: string, qualifications: readonly KnownQualification[]): string | undefined {
  // Qualifications may be created after the provider, so an unknown uuid is accepted.
  if (UUID.test(wanted)) return wanted.toLowerCase()
  const isWanted = (text: string) => text.toLowerCase() === wanted.toLowerCase()
  const byTitle = qualifications.filter(({ title }) => isWanted(title))
  const found = byTitle.length ? byTitle : qualifications.filter(({ abbreviation }) => isWanted(abbreviation))
  return found.length === 1 ? found[0]!.uuid : undefined
}

/** The reverse of `parseQualificationLines`, with titles where they are unique. */
export function formatQualificationLines(
  uuids: Readonly<Record<string, string>>,
  qualifications: readonly KnownQualification[],
): string {
  return Object.entries(uuids)
    .map(([name, uuid]) => {
      const title = qualifications.find((each) => each.uuid === uuid)?.title
      const isUnique = title !== undefined && findUuid(title, qualifications) === uuid
      return `${name} = ${isUnique ? title : uuid}`
    })
    .join('\n')
}

type WaysInput = { providers: number; hidesLocal: boolean; redirects: boolean; wantsLocal: boolean; isSignedOut: boolean }

/** What the sign-in page shows. Without a provider the local form always stays, so that nobody is locked out. */
export function decideSignInWays({ providers, hidesLocal, redirects, wantsLocal, isSignedOut }: WaysInput): {
  showsLocal: boolean
  redirects: boolean
} {
  if (!providers || wantsLocal) return { showsLocal: true, redirects: false }
  return { showsLocal: !hidesLocal, redirects: redirects && providers === 1 && !isSignedOut }
}

const MAX_CANDIDATES = 12

/**
 * Addresses at which the issuer of these endpoints may be: every directory above one of them. For providers that were stored without
 * their issuer.
 */
export function issuerCandidates(endpoints: readonly (string | null)[]): string[] {
  const candidates = endpoints.flatMap((endpoint) => {
    const url = endpoint === null ? null : URL.parse(endpoint)
    if (!url || !/^https?:$/.test(url.protocol)) return []
    const parts = url.pathname.split('/').filter(Boolean)
    return parts.map((_, index) => `${url.origin}/${parts.slice(0, parts.length - 1 - index).join('/')}`.replace(/\/$/, ''))
  })
  return [...new Set(candidates)].slice(0, MAX_CANDIDATES)
}

/** When the person last proved at the provider who they are, if it says so; a time in the future counts as now. */
export function readAuthTime({ auth_time: seconds }: Claims, now: Date): Date {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) return now
  return new Date(Math.min(now.getTime(), seconds * 1000))
}

/** Clocks of providers may be so much behind. */
const MAX_CLOCK_SKEW_MS = 60_000

/** Whether the person has shown at the provider who they are since then. Providers that do not tell the time are trusted. */
export function isProvedSince({ auth_time: seconds }: Claims, since: Date): boolean {
  if (seconds === undefined) return true
  return typeof seconds === 'number' && seconds * 1000 >= since.getTime() - MAX_CLOCK_SKEW_MS
}
