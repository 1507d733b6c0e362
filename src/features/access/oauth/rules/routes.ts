// In a file of its own, because `provider.ts` loads the library, which is needed only when an application uses OAuth.
export const ROUTES = {
  authorization: '/api/oauth/authorize/',
  token: '/api/oauth/token/',
  revocation: '/api/oauth/revoke_token/',
  introspection: '/api/oauth/introspect/',
  jwks: '/api/oauth/jwks/',
  userinfo: '/api/oauth/userinfo/',
  device_authorization: '/api/oauth/device/',
  // A page of ours, because the library shows pages of its own. It uses the address in responses only.
  code_verification: '/device/',
} as const

/** Applications sign people out here. */
export const END_SESSION = '/api/oauth/logout/'
export const SIGN_OUT_PAGE = '/accounts/end-session/'

export const consentPath = (uid: string): string => `/accounts/authorize/${uid}/`
export const resumePath = (uid: string): string => `${ROUTES.authorization}${uid}`
