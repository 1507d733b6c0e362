const API_VARY = 'Accept, Accept-Language, Cookie'

/** `existing` is the Vary header so far, for example of CORS. */
export function apiVary(existing: unknown): string {
  if (!existing) return API_VARY
  return String(existing).startsWith(API_VARY) ? String(existing) : `${API_VARY}, ${existing}`
}

/** For every response. */
export function securityHeaders(siteUrl: string): Record<string, string> {
  return {
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    ...(siteUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

/** CSP of pages: scripts by nonce, everything else from the same origin. `formTargets` are further origins for `form-action`. */
export function pageSecurityPolicy(nonce: string, formTargets: string[] = []): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
