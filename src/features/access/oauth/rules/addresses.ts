const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/
const LONGEST = 2_000
/** Characters that URL parsers drop or change. Addresses are compared as text, so they must not contain them. */
const ODD = /[\s\\"<>^`{}|]|[^\x21-\x7e]/
/** A scheme of an app on the phone: a reversed domain name, because nobody registers such schemes (RFC 8252, 7.1). */
const APP_SCHEME = /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:\/[^/]/

const RESPONSE_PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']

export type AddressRefusal = 'not_an_address' | 'not_https' | 'fragment' | 'user_info' | 'not_plain' | 'reserved'

const isSafeScheme = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))

/** Null: the address is allowed. Public applications may have the scheme of an app. */
export function checkRedirectUri(text: string, { isPublic = false } = {}): AddressRefusal | null {
  const url = text.length <= LONGEST ? URL.parse(text) : null
  if (!url || ODD.test(text) || url.hostname.includes('*')) return 'not_an_address'
  if (!isSafeScheme(url) && !(isPublic && APP_SCHEME.test(text))) return 'not_https'
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
  if (!isSafeScheme(url)) return 'not_https'
  return url.origin === text ? null : 'not_plain'
}

const LOOPBACK_PORT = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d{1,5}(?=[/?]|$)/
const withoutPort = (uri: string): string => uri.replace(LOOPBACK_PORT, '$1')

/**
 * Addresses are compared as text. The port of a public application on this device is free, because it is assigned when the application
 * starts to listen (RFC 8252, 7.3).
 */
export function isRegistered(uri: string, registered: readonly string[], { isPublic }: { isPublic: boolean }): boolean {
  if (registered.includes(uri)) return true
  return (
    isPublic && URL.canParse(uri) && LOOPBACK_PORT.test(uri) && registered.some((each) => withoutPort(each) === withoutPort(uri))
  )
}

/** Any program on the device can receive such an address, so a consent of another day proves nothing (RFC 8252, 8.6). */
export const mustAskEachTime = ({ isPublic, redirectUri }: { isPublic: boolean; redirectUri: string }): boolean =>
  isPublic && !redirectUri.startsWith('https://')
