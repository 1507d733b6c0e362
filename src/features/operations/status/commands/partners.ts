import { findHostLinks, type HostLink } from '#features/sharing/federation/queries/links.ts'
import { getCertificateEnd } from '#platform/outbound/certificate.ts'
import type { Check, CheckInput, Fact } from '../schema.ts'

/** Certificates are usually renewed a month before they end. */
const WARN_DAYS = 14
const DAY_MS = 24 * 3600_000

const isInUse = ({ paused, endedByPartnerAt }: HostLink): boolean => !paused && endedByPartnerAt === null

/** Instances whose events are copied from time to time. */
export const partnerCheck: Check = {
  area: 'partners',
  find: async ({ db, now, words }) => {
    const hosts = (await findHostLinks(db.read)).filter(isInUse)
    const failing = hosts.flatMap(({ name, lastError, lastSuccessAt }): Fact[] => {
      if (lastError === null) return []
      const when = lastSuccessAt ? words.relative(lastSuccessAt, now) : '–'
      return [{ state: 'bad', text: words.t('status.partner_failing', { name, when, reason: lastError }) }]
    })
    if (failing.length) return failing
    return hosts.length ? [{ state: 'good', text: words.t('status.partners_answer', { count: hosts.length }) }] : []
  },
}

/** Days until a certificate ends, in words: bad before it is too late to renew it. */
export function certificateFact(words: CheckInput['words'], { name, end, now }: { name: string; end: Date; now: Date }): Fact {
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS)
  const text = words.t('status.certificate', { name, day: words.day(end) })
  return { state: days < WARN_DAYS ? 'bad' : 'good', text }
}

export const certificateCheck: Check = {
  area: 'partners',
  isThorough: true,
  find: async ({ db, config, now, words }) => {
    const hosts = (await findHostLinks(db.read)).filter((host) => isInUse(host) && host.url.startsWith('https:'))
    return Promise.all(
      hosts.map(async ({ name, url }): Promise<Fact> => {
        const found = await getCertificateEnd(url, { allow: config.outboundAllow })
        return found.ok
          ? certificateFact(words, { name, end: found.end, now })
          : { state: 'bad', text: words.t('status.certificate_unknown', { name, reason: found.reason }) }
      }),
    )
  },
}
