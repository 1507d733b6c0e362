/** Purpose of the cookie with the session of a person of a partner instance. */
export const VISITOR_COOKIE = 'visitor'

/** `of`: the name of a cookie that features use, by its purpose. */
export type CookieNames = { session: string; device: string; flash: string; of: (purpose: string) => string }

/**
 * On https the `__Host-` prefix binds cookies to the host. On plain http (try-out) the name contains the port: browsers share
 * cookies between ports, and two instances on one machine must not overwrite each other's sessions.
 */
export function cookieNames(siteUrl: string): CookieNames {
  const { protocol, port } = new URL(siteUrl)
  const name = (purpose: string) => (protocol === 'https:' ? `__Host-turnout_${purpose}` : `turnout_${purpose}_${port || '80'}`)
  return { session: name('session'), device: name('device'), flash: name('flash'), of: name }
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
