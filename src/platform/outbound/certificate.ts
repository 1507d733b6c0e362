import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { parseAllowList } from './addresses.ts'
import { type OutboundOptions, resolveAllowed } from './outbound.ts'

type CertificateEnd = { ok: true; end: Date } | { ok: false; reason: string }

const TIMEOUT_MS = 5_000

/** When the certificate of this address ends. Connects only where outgoing requests may; sends nothing. */
export async function getCertificateEnd(
  address: string,
  { allow, resolve }: Pick<OutboundOptions, 'allow' | 'resolve'>,
): Promise<CertificateEnd> {
  try {
    const url = new URL(address)
    const host = await resolveAllowed(url, { allowed: parseAllowList(allow), ...(resolve ? { resolve } : {}) })
    return { ok: true, end: await readEnd(host, url) }
  } catch (error) {
    return { ok: false, reason: (error as Error).message }
  }
}

const readEnd = (host: string, url: URL): Promise<Date> =>
  new Promise((done, fail) => {
    const port = Number(url.port || 443)
    // An expired certificate is what the caller wants to know of.
    const socket = connect({ host, port, rejectUnauthorized: false, ...(isIP(url.hostname) ? {} : { servername: url.hostname }) })
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer in time')))
    socket.once('error', fail)
    socket.once('secureConnect', () => {
      const end = new Date(socket.getPeerCertificate().valid_to)
      socket.destroy()
      if (Number.isNaN(end.getTime())) fail(new Error('no certificate'))
      else done(end)
    })
  })
