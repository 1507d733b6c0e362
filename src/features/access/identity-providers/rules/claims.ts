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

/** Without characters that nobody sees: a name with them would look like that of another group. */
const toName = (text: string): string => toLine(text.replaceAll(/\p{Cf}/gu, ''))

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
  return { values: [...new Set(value.map((text: string) => toName(text)).filter(Boolean))] }
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
