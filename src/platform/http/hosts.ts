const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Rejects unknown Host headers: links in responses are built from them. */
export function makeHostCheck(siteUrl: string, allowedHosts: string[], isTryOut: boolean): (host: string | undefined) => boolean {
  const site = new URL(siteUrl).host
  const known = new Set([site, ...allowedHosts, ...(isTryOut ? LOOPBACK : [])].map((host) => host.toLowerCase()))
  return (host) => {
    if (!host) return false
    const requested = host.toLowerCase()
    return known.has(requested) || known.has(requested.replace(/:\d+$/, ''))
  }
}

/** Origin for links in responses: the host that the caller used. A TLS proxy hides the scheme, so SITE_URL decides it for its own host. */
export function originOf(host: string, protocol: string, siteUrl: string): string {
  return hostOf(siteUrl) === host.toLowerCase() ? siteUrl : `${protocol}://${host}`
}

const siteHosts = new Map<string, string>()

/** Each request needs it, and parsing takes as long as the rest of a small check. */
function hostOf(siteUrl: string): string {
  let host = siteHosts.get(siteUrl)
  if (host === undefined) {
    host = new URL(siteUrl).host
    siteHosts.set(siteUrl, host)
  }
  return host
}

const ORIGIN = /^https?:\/\/([^/?#]*)/i

/** Host of a request target in absolute form; it takes precedence over the Host header (RFC 9112, section 3.2.2). */
export const hostOfTarget = (target: string): string | undefined => ORIGIN.exec(target)?.[1]

export function stripOrigin(target: string): string {
  const rest = target.replace(ORIGIN, '')
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`
}
