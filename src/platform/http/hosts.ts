const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** A request for another name is refused: links that we make from it would lead elsewhere. */
export function hostCheck(siteUrl: string, allowedHosts: string[], isTryOut: boolean): (host: string | undefined) => boolean {
  const site = new URL(siteUrl).host
  const known = new Set([site, ...allowedHosts, ...(isTryOut ? LOOPBACK : [])].map((host) => host.toLowerCase()))
  return (host) => {
    if (!host) return false
    const asked = host.toLowerCase()
    return known.has(asked) || known.has(asked.replace(/:\d+$/, ''))
  }
}

/** Scheme and host of links in answers: what the caller used, with the scheme of the site when a proxy ends TLS. */
export function originOf(host: string, protocol: string, siteUrl: string): string {
  return new URL(siteUrl).host === host.toLowerCase() ? siteUrl : `${protocol}://${host}`
}
