/** `visitor`: the session of a person of a partner instance; `detour`: what they need to come back from there. */
export type CookieNames = { session: string; device: string; flash: string; visitor: string; detour: string }

/**
 * On https the `__Host-` prefix binds cookies to this very host. On plain http (try-out) the port is part of the name:
 * cookies know no ports, and two instances on one machine must not sign each other out.
 */
export function cookieNames(siteUrl: string): CookieNames {
  const { protocol, port } = new URL(siteUrl)
  const name = (what: string) => (protocol === 'https:' ? `__Host-turnout_${what}` : `turnout_${what}_${port || '80'}`)
  return {
    session: name('session'),
    device: name('device'),
    flash: name('flash'),
    visitor: name('visitor'),
    detour: name('detour'),
  }
}

export function cookieOptions(siteUrl: string, maxAgeSeconds?: number) {
  return {
    path: '/',
    httpOnly: true,
    secure: siteUrl.startsWith('https:'),
    sameSite: 'lax' as const,
    ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
  }
}
