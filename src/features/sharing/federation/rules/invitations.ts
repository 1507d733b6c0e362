export type Invitation = { guestUrl: string; code: string; hostUrl: string }

/** Partners expect standard Base64 of JSON with a blank after `:` and `,`. */
export function formatShareString({ guestUrl, code, hostUrl }: Invitation): string {
  const pairs = { guest_url: guestUrl, code, host_url: hostUrl }
  const json = `{${Object.entries(pairs)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(', ')}}`
  return Buffer.from(json).toString('base64')
}

export type ParsedInvitation =
  | { ok: true; invitation: Invitation }
  | { ok: false; reason: 'unreadable' | 'for_another' | 'own' | 'bad_host' }

/** Ignores white space: copied text and mails contain line breaks. */
export function parseShareString(text: string, ownUrl: string): ParsedInvitation {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text.replaceAll(/\s+/g, ''), 'base64').toString('utf8'))
  } catch {
    return { ok: false, reason: 'unreadable' }
  }
  const { guest_url: guestUrl, code, host_url: hostUrl } = (value ?? {}) as Record<string, unknown>
  if (typeof guestUrl !== 'string' || typeof code !== 'string' || typeof hostUrl !== 'string' || !code.trim())
    return { ok: false, reason: 'unreadable' }
  // Exact comparison, as the host does.
  if (guestUrl !== ownUrl) return { ok: false, reason: 'for_another' }
  if (hostUrl === ownUrl) return { ok: false, reason: 'own' }
  const url = URL.parse(hostUrl)
  const isRoot = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username
  return isRoot
    ? { ok: true, invitation: { guestUrl, code: code.trim(), hostUrl: url.origin } }
    : { ok: false, reason: 'bad_host' }
}

/** An origin without a path and trailing slash; undefined: not an address of an instance. */
export function parseInstanceUrl(typed: string): string | undefined {
  const text = typed.trim()
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  return url && /^https?:$/.test(url.protocol) && !url.username && url.hostname && url.origin.length <= 200
    ? url.origin
    : undefined
}
