const API_VARY = 'Accept, Accept-Language, Cookie'

/** `before` is what the answer depends on already, such as the origin of a script. */
export function apiVary(before: unknown): string {
  if (!before) return API_VARY
  return String(before).startsWith(API_VARY) ? String(before) : `${API_VARY}, ${before}`
}

/** On every answer. */
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

/** Pages: scripts by nonce, everything else from here. `formTargets` are origins that a form may lead to. */
export function pageSecurityPolicy(nonce: string, formTargets: string[] = []): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    ["form-action 'self'", ...formTargets].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
