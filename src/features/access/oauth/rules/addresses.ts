const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/
const LONGEST = 2_000
/** Characters that URL parsers drop or change. Addresses are compared as text, so they must not contain them. */
const ODD = /[\s\\"<>^`{}|]|[^\x21-\x7e]/

const RESPONSE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

export type AddressRefusal = 'not_an_address' | 'not_https' | 'fragment' | 'user_info' | 'not_plain' | 'reserved'

/** Null: the address is allowed. */
export function checkRedirectUri(text: string): AddressRefusal | null {
  const url = text.length <= LONGEST ? URL.parse(text) : null
  if (!url || ODD.test(text) || url.hostname.includes('*')) return 'not_an_address'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return 'not_https'
  if (text.includes('#')) return 'fragment'
  if (url.username || url.password || text.split('/')[2]?.includes('@')) return 'user_info'
  // With a parameter of the response in it, the application could not tell ours from the registered one.
  if (RESPONSE_PARAMETERS.some((name) => url.searchParams.has(name))) return 'reserved'
  // Not normalised: dot segments, an upper-case host, a default port.
  return url.href === text || url.href === `${text}/` ? null : 'not_plain'
}

/** Null: the origin is allowed. */
export function checkOrigin(text: string): AddressRefusal | null {
  const url = text.length <= LONGEST ? URL.parse(text) : null
  if (!url || ODD.test(text) || url.hostname.includes('*')) return 'not_an_address'
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return 'not_https'
  return url.origin === text ? null : 'not_plain'
}
