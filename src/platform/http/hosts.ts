const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** A request for another name is refused: links that we make from it would lead elsewhere. */
export function makeHostCheck(siteUrl: string, allowedHosts: string[], isTryOut: boolean): (host: string | undefined) => boolean {
  const site = new URL(siteUrl).host
  const known = new Set([site, ...allowedHosts, ...(isTryOut ? LOOPBACK : [])].map((host) => host.toLowerCase()))
  return (host) => {
    if (!host) return false
    const requested = host.toLowerCase()
    return known.has(requested) || known.has(requested.replace(/:\d+$/, ''))
  }
}

/** Scheme and host of links in answers: what the caller used, with the scheme of the site when a proxy ends TLS. */
export function originOf(host: string, protocol: string, siteUrl: string): string {
  return new URL(siteUrl).host === host.toLowerCase() ? siteUrl : `${protocol}://${host}`
}

const ORIGIN = /^https?:\/\/([^/?#]*)/i

/** The host inside a request target in absolute form; it counts more than the header (RFC 9112, section 3.2.2). */
export const hostOfTarget = (target: string): string | undefined => ORIGIN.exec(target)?.[1]

export function stripOrigin(target: string): string {
  const rest = target.replace(ORIGIN, '')
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`
}
