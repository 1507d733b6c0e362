// In a file of its own, because `provider.ts` loads the library, which is needed only when an application uses OAuth.
export const ROUTES = {
  authorization: '/api/oauth/authorize/',
  token: '/api/oauth/token/',
  revocation: '/api/oauth/revoke_token/',
  introspection: '/api/oauth/introspect/',
  jwks: '/api/oauth/jwks/',
  userinfo: '/api/oauth/userinfo/',
} as const

export const consentPath = (uid: string): string => `/accounts/authorize/${uid}/`
export const resumePath = (uid: string): string => `${ROUTES.authorization}${uid}`
