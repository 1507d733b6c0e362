import { healthOf } from '#features/federation/rules/contact.ts'
import { type HostLine, JOIN, noticeView } from '#features/federation/views/links.ts'
import { shortStateBadge } from '#features/staffing/views/state.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { type EventRowData, eventListView } from '#platform/ui/event-row.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { pagerView } from '#platform/ui/pager.ts'
import { abroadNotes } from './list-items.ts'

export const EXTERNAL = '/events/external/'

export type ExternalLine = {
  title: string
  location: string
  type_title: string
  start_time: Date
  end_time: Date
  abroad: { host: string; href: string }
  own: Parameters<typeof shortStateBadge>[1]
}

export type ExternalData = {
  words: Words
  now: Date
  hosts: readonly HostLine[]
  error: 'oauth_error' | 'event_error' | 'other_error' | undefined
  page: number
  pageSize: number
  count: number
  coming: readonly ExternalLine[]
  lately: readonly ExternalLine[]
  mayLink: boolean
}

export function externalView(data: ExternalData): Html {
  const { words, now, hosts, error, page, pageSize, count, coming, lately } = data
  const months = Map.groupBy(coming, ({ start_time }) => words.month(start_time))
  const rowsOf = (lines: readonly ExternalLine[]) => lines.map((line) => rowOf(words, now, line))
  return html`${pageHeadView({ title: words.t('abroad.title'), facts: words.t('abroad.intro') })}
${error && noticeView('warn', 'triangle-alert', words.t(`abroad.${error}`))}
${hosts.map((host) => ageView(words, now, host))}
${coming.length ? [...months].map(([heading, lines]) => eventListView({ words, now, heading, events: rowsOf(lines) })) : noneView(data)}
${pagerView({ words, page, pageSize, total: count, href: (to) => (to > 1 ? `${EXTERNAL}?page=${to}` : EXTERNAL) })}
${lately.length > 0 && eventListView({ words, now, heading: words.t('abroad.lately'), events: rowsOf(lately) })}`
}

function rowOf(
  words: Words,
  now: Date,
  { title, location, type_title, start_time, end_time, abroad, own }: ExternalLine,
): EventRowData {
  const isOver = end_time < now
  return {
    href: abroad.href,
    title,
    location,
    start: start_time,
    end: end_time,
    past: isOver,
    type: { name: type_title },
    own: shortStateBadge(words, own, isOver),
    notes: abroadNotes(words, abroad),
  }
}

/** How old the copy is, where that matters. */
function ageView(words: Words, now: Date, host: HostLine): Html | false {
  const health = healthOf(host)
  if (health === 'well' || health === 'waiting') return false
  const { name, lastSuccessAt } = host
  if (!lastSuccessAt) return noticeView('info', 'clock', words.t('abroad.stale_never', { host: name }))
  const key = ({ failing: 'abroad.stale', ended: 'abroad.stale_ended', paused: 'abroad.stale_paused' } as const)[health]
  return noticeView('info', 'clock', words.t(key, { when: words.relative(lastSuccessAt, now), host: name }))
}

function noneView({ words, hosts, mayLink }: ExternalData): Html {
  const own = linkButtonView({ href: '/events/', label: words.t('abroad.see_own') })
  if (hosts.length) return emptyView({ icon: 'globe', text: words.t('abroad.none'), action: own })
  const action = mayLink ? linkButtonView({ href: JOIN, label: words.t('abroad.link_now'), kind: 'primary' }) : own
  return emptyView({ icon: 'globe', text: words.t('abroad.none_linked'), action })
}
