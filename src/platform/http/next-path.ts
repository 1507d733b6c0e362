const MAX_NEXT_LENGTH = 2_000
const MAX_DECODINGS = 5
/** Would cause a redirect loop. */
const SIGN_IN_PATHS = ['/accounts/login', '/accounts/logout', '/accounts/second-step', '/accounts/confirm', '/accounts/passkey']

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them before they parse a URL
const CONTROL_CHARACTERS = /[\\\u0000-\u001f\u007f-\u009f]/

/** The path to redirect to after signing in or confirming. Everything that a browser could read as another site becomes `/` (open redirect). */
export function nextPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > MAX_NEXT_LENGTH || CONTROL_CHARACTERS.test(wanted) || !isPlainPath(wanted.split(/[?#]/)[0]!))
    return '/'
  const url = URL.parse(wanted, 'https://here.invalid')
  if (url?.origin !== 'https://here.invalid' || !isPlainPath(url.pathname)) return '/'
  if (SIGN_IN_PATHS.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`))) return '/'
  // Serialised by the URL parser, without characters that are invalid in a header.
  return `${url.pathname}${url.search}${url.hash}`
}

/** Proxies may decode escapes, even twice: the path must be safe after every decoding. */
function isPlainPath(path: string): boolean {
  let reading = path
  for (let i = 0; i < MAX_DECODINGS; i++) {
    // No page has an empty segment, and a leading one would be read as a host.
    if (!reading.startsWith('/') || reading.includes('//') || CONTROL_CHARACTERS.test(reading)) return false
    const decoded = decode(reading)
    if (decoded === reading) return true
    if (decoded === undefined) return false
    reading = decoded
  }
  return false
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
