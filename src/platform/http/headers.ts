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

const WITHOUT_SOURCE = ['javascript:', 'data:', 'blob:', 'file:']

/**
 * What `form-action` allows for an address: its origin, or its scheme if it has no origin or one that a source cannot name (IPv6). Partners
 * and applications choose their addresses, so nothing else of them may get into the policy.
 */
function formSource(address: string): string[] {
  const url = URL.parse(address)
  if (!url || WITHOUT_SOURCE.includes(url.protocol)) return []
  return [url.hostname.startsWith('[') || url.origin === 'null' ? url.protocol : url.origin]
}

/** CSP of pages: scripts by nonce, everything else from the same origin. `formTargets`: addresses for `form-action`. */
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
    ["form-action 'self'", ...formTargets.flatMap(formSource)].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
