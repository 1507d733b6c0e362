import { type EventRowData, eventListView } from '#features/events/events/views/event-row.ts'
import { getHealth } from '#features/sharing/federation/rules/contact.ts'
import { type HostLine, JOIN, noticeView } from '#features/sharing/federation/views/links.ts'
import { STATEMENTS } from '#features/sharing/federation/views/statements.ts'
import { shortStateBadge } from '#features/staffing/staffing/views/state.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import type { EventSummary, PartnerLink } from '../rules/summaries.ts'
import { openedText, partnerNotes } from './list-items.ts'

export const EXTERNAL = '/events/external/'

type SharedEvent = Pick<EventSummary, 'title' | 'location' | 'typeTitle' | 'start' | 'end' | 'own'> & { partner: PartnerLink }

export type ExternalData = {
  words: Words
  now: Date
  hosts: readonly HostLine[]
  error: 'oauth_error' | 'event_error' | 'other_error' | undefined
  page: number
  pageSize: number
  count: number
  coming: readonly SharedEvent[]
  lately: readonly SharedEvent[]
  mayLink: boolean
}

export function externalView(data: ExternalData): Html {
  const { words, now, hosts, error, page, pageSize, count, coming, lately } = data
  const months = Map.groupBy(coming, ({ start }) => words.month(start))
  const rowsOf = (lines: readonly SharedEvent[]) => lines.map((line) => rowOf(words, now, line))
  return html`${pageHeadView({
    title: words.t('external.title'),
    facts: words.t('external.intro'),
    actions: [hosts.length > 0 && linkButtonView({ href: STATEMENTS, label: words.t('statement.title'), kind: 'quiet' })],
  })}
${error && noticeView('warn', 'triangle-alert', words.t(`external.${error}`))}
${hosts.map((host) => ageView(words, now, host))}
${coming.length ? [...months].map(([heading, lines]) => eventListView({ words, now, heading, events: rowsOf(lines) })) : noneView(data)}
${pagerView({ words, page, pageSize, total: count, href: (to) => (to > 1 ? `${EXTERNAL}?page=${to}` : EXTERNAL) })}
${lately.length > 0 && eventListView({ words, now, heading: words.t('external.lately'), events: rowsOf(lately) })}`
}

function rowOf(words: Words, now: Date, { title, location, typeTitle, start, end, partner, own }: SharedEvent): EventRowData {
  const isOver = end < now
  return {
    href: partner.href,
    title,
    location,
    start,
    end,
    past: isOver,
    type: { name: typeTitle },
    own: shortStateBadge(words, own, isOver),
    notes: partnerNotes(words, partner),
    about: openedText(words, partner),
  }
}

/** A notice with the age of our copy, if it is outdated. */
function ageView(words: Words, now: Date, host: HostLine): Html | false {
  const health = getHealth(host)
  if (health === 'well' || health === 'waiting') return false
  const { name, lastSuccessAt } = host
  if (!lastSuccessAt) return noticeView('info', 'clock', words.t('external.stale_never', { host: name }))
  const key = ({ failing: 'external.stale', ended: 'external.stale_ended', paused: 'external.stale_paused' } as const)[health]
  return noticeView('info', 'clock', words.t(key, { when: words.relative(lastSuccessAt, now), host: name }))
}

function noneView({ words, hosts, mayLink }: ExternalData): Html {
  const own = linkButtonView({ href: '/events/', label: words.t('external.see_own') })
  if (hosts.length) return emptyView({ icon: 'globe', text: words.t('external.none'), action: own })
  const action = mayLink ? linkButtonView({ href: JOIN, label: words.t('external.link_now'), kind: 'primary' }) : own
  return emptyView({ icon: 'globe', text: words.t('external.none_linked'), action })
}
