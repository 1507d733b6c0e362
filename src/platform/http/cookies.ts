/**
 * `visitor`: session of a person of a partner instance; `visitState`: state while they sign in at their own instance; `providerState`:
 * state while a person signs in at an identity provider; `pendingSignIn`: a person who has not proved the second factor yet.
 */
export type CookieNames = {
  session: string
  device: string
  flash: string
  visitor: string
  visitState: string
  providerState: string
  pendingSignIn: string
}

/**
 * On https the `__Host-` prefix binds cookies to the host. On plain http (try-out) the name contains the port: browsers share
 * cookies between ports, and two instances on one machine must not overwrite each other's sessions.
 */
export function cookieNames(siteUrl: string): CookieNames {
  const { protocol, port } = new URL(siteUrl)
  const name = (purpose: string) => (protocol === 'https:' ? `__Host-turnout_${purpose}` : `turnout_${purpose}_${port || '80'}`)
  return {
    session: name('session'),
    device: name('device'),
    flash: name('flash'),
    visitor: name('visitor'),
    visitState: name('visit_state'),
    providerState: name('provider_state'),
    pendingSignIn: name('pending_sign_in'),
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
