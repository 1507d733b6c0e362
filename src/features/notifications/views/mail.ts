import { type MailData, mailBodies } from '#platform/html/mail-body.ts'
import type { Words } from '#platform/i18n/words.ts'
import { isFixed, type Kind } from '../rules/kinds.ts'
import { type Link, linkOf } from '../rules/links.ts'
import type { Told } from '../rules/relevance.ts'
import { textOf } from './texts.ts'

export type NewsMailData = {
  words: Words
  now: Date
  siteName: string
  siteUrl: string
  reader: { name: string; isUser: boolean; federatedGuestId: number | undefined }
  /** At least one. */
  news: readonly Told[]
  /** Not all of them were done in one go. */
  isDigest: boolean
  /** Path of the page that switches mails of this kind off; undefined for those without an account. */
  switchOff: ((kind: Kind) => string) | undefined
}

export function newsMail(data: NewsMailData): { subject: string; text: string; html: string } {
  const { words, siteName, siteUrl, reader, news } = data
  const content = news.length === 1 ? contentOfOne(data, news[0]!) : contentOfMany(data)
  const { subject, ...rest } = content
  return { subject, ...mailBodies({ words, siteName, name: reader.name, siteUrl, ...rest, footer: footerOf(data) }) }
}

type Content = Pick<MailData, 'paragraphs' | 'message' | 'card' | 'sections' | 'action'> & { subject: string }

const actionOf = (words: Words, link: Link | undefined): MailData['action'] =>
  link && { path: link.path, label: words.t(`notification.${link.label}`) }

function contentOfOne({ words, now, reader }: NewsMailData, told: Told): Content {
  const { subject, line } = textOf(words, told, now)
  const action = actionOf(words, linkOf(told, reader))
  const author = told.actor ?? words.t('notification.someone')
  if (told.kind === 'event_message' && told.message)
    return {
      subject,
      paragraphs: [words.t('notification.message_from', { author, event: told.event?.title ?? '' })],
      message: told.message.text,
      card: cardOf(words, told, now),
      action,
    }
  const isByOther = told.actor !== undefined && ACTOR_IS_NEWS.has(told.kind)
  return {
    subject,
    paragraphs: [
      line,
      ...(told.comment ? [words.t('notification.comment', { author: commenter(told, author), text: told.comment })] : []),
      ...(isByOther ? [words.t('notification.by', { actor: author })] : []),
    ],
    card: cardOf(words, told, now),
    action,
  }
}

/** Where the sentence itself does not say who. */
const ACTOR_IS_NEWS: ReadonlySet<Kind> = new Set([
  'participation_state',
  'participation_times',
  'shift_moved',
  'event_called_off',
])
const commenter = ({ participant, kind }: Told, actor: string): string =>
  kind === 'participation_state' || kind === 'participation_times' ? actor : (participant ?? actor)

/** Time first, then the place. */
function cardOf(words: Words, { event, shift, participation }: Told, now: Date): MailData['card'] {
  if (!event) return undefined
  const time = participation ?? shift ?? event.time
  return {
    title: event.title,
    lines: [
      ...(time ? [words.span(time.start, time.end, now)] : []),
      ...(shift && time && shift.meeting < time.start
        ? [
            words.t('notification.meet', {
              time: words.sameDay(shift.meeting, time.start) ? words.time(shift.meeting) : words.dateTime(shift.meeting),
            }),
          ]
        : []),
      ...(shift?.label ? [shift.label] : []),
      ...(event.location ? [event.location] : []),
    ],
  }
}

function contentOfMany({ words, now, siteName, news, reader, isDigest }: NewsMailData): Content {
  const events = Map.groupBy(news, ({ event }) => event?.id)
  const sections = [...events.values()].map((group) => ({
    title: group[0]!.event?.title ?? '',
    lines: group.map((told) => textOf(words, told, now).line),
  }))
  const only = events.size === 1 ? news[0]!.event : undefined
  const link = only ? linkOf({ ...news[0]!, kind: 'participation_change' }, reader) : undefined
  const count = news.length
  return {
    subject: only
      ? words.t('notification.subject.several', { count, event: only.title })
      : words.t('notification.subject.digest', { count, site: siteName }),
    paragraphs: [isDigest ? words.t('notification.intro.digest') : words.t('notification.intro.several', { count })],
    sections,
    action:
      actionOf(words, link) ??
      (reader.isUser ? { path: '/notifications/', label: words.t('notification.open_list') } : undefined),
  }
}

function footerOf({ words, news, switchOff }: NewsMailData): MailData['footer'] {
  const kind = news[0]!.kind
  if (isFixed(kind)) return { text: words.t('notification.why_fixed'), links: [] }
  const choose = { path: '/settings/notifications/', label: words.t('notification.choose') }
  if (!switchOff) return undefined
  const isOneKind = news.every((told) => told.kind === kind)
  if (!isOneKind) return { text: '', links: [choose] }
  return {
    text: words.t('notification.why_kind', { kind: words.t(`notification.kind.${kind}`) }),
    links: [{ path: switchOff(kind), label: words.t('notification.switch_off') }, choose],
  }
}
