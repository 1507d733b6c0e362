const LONGEST = 2_000
const MOST_DECODINGS = 5
/** These would lead in circles. */
const NOT_NEXT = ['/accounts/login', '/accounts/logout']

// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop some of them before they read an address
const TRICKY = /[\\\u0000-\u001f\u007f-\u009f]/

/** Where to go after signing in: a path of this site; everything that could be read as another place becomes `/`. */
export function nextPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > LONGEST || TRICKY.test(wanted) || !isPlainPath(wanted.split(/[?#]/)[0]!)) return '/'
  const url = URL.parse(wanted, 'https://here.invalid')
  if (url?.origin !== 'https://here.invalid' || !isPlainPath(url.pathname)) return '/'
  if (NOT_NEXT.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`))) return '/'
  // As the parser writes it: without characters that a header cannot carry.
  return `${url.pathname}${url.search}${url.hash}`
}

/** Proxies decode escapes, some of them twice: the path must be harmless in every reading. */
function isPlainPath(path: string): boolean {
  let reading = path
  for (let i = 0; i < MOST_DECODINGS; i++) {
    // No page of ours has an empty segment, and at the start it would name a host.
    if (!reading.startsWith('/') || reading.includes('//') || TRICKY.test(reading)) return false
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
