import { eventPath } from '#features/events/rules/slug.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import type { Crumb } from '#platform/ui/page-head.ts'
import { sendMessage } from '../commands/message.ts'
import { chosenReaders, findCandidates, findSentMessages, getMessageEvent, type MessageEvent } from '../queries/message.ts'
import { CIRCLES, type MessageCircle, type MessageForm, messageForm } from '../schema.ts'
import { type MessageValues, messageFormView, messagePath, messagePreviewView } from '../views/message.ts'
import { stylesheet } from './news.ts'

const EMPTY: MessageValues = { to: ['confirmed'], people: [], shift: '', subject: '', text: '' }

async function requireEvent({ context, path }: PageRequest): Promise<MessageEvent> {
  const id = /^\d{1,15}$/.test(path.event!) ? Number(path.event) : undefined
  const event = id === undefined ? undefined : await getMessageEvent(context.db, context.actor, id)
  if (!event) throw new Problem('not_found')
  return event
}

const crumbs = (words: Words, { id, title }: MessageEvent): Crumb[] => [
  { href: '/events/', label: words.t('event.list') },
  { href: eventPath(id, title), label: title },
]

const isCircle = (name: string): name is MessageCircle => (CIRCLES as readonly string[]).includes(name)

async function showForm(request: PageRequest, values: MessageValues, errors: readonly FormError[]): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now, db, actor } = context
  const event = await requireEvent(request)
  const [candidates, sent] = await Promise.all([findCandidates(db, actor, event.id), findSentMessages(db, event.id)])
  const earlier = sent.map(({ created_at, ...line }) => ({ ...line, at: created_at }))
  const main = messageFormView({ words, now, csrfToken, event, shifts: event.shifts, candidates, values, errors, earlier })
  return { title: words.t('message.of', { event: event.title }), breadcrumb: crumbs(words, event), main, head: stylesheet() }
}

/** What was typed, however little of it can be taken. */
function valuesIn(form: Record<string, unknown>): MessageValues {
  const many = (value: unknown) => [value ?? []].flat().map(String)
  const one = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
  return {
    to: many(form.to),
    people: many(form.people),
    shift: one(form.shift),
    subject: one(form.subject),
    text: one(form.text),
  }
}

const choiceIn = ({ to, people, shift }: MessageForm) => ({
  to: new Set(to.filter(isCircle)),
  people: new Set(people),
  shiftId: shift,
})

const messagePage = formPage({
  path: '/events/{event}/message/',
  access: signedIn,
  form: messageForm,
  show: (request, refused) => showForm(request, refused ? valuesIn(refused.values) : EMPTY, refused?.errors ?? []),
  submit: async (request, form) => {
    const { context, commandContext, csrfToken } = request
    const { words } = context
    const event = await requireEvent(request)
    const values = valuesIn(form)
    if (form.doing === 'edit') return showForm(request, values, [])
    const choice = choiceIn(form)
    const nobody = { refused: [{ field: 'to', text: words.t('message.nobody') }] }
    if (form.doing === 'send') {
      const { readers } = await sendMessage(commandContext, { eventId: event.id, choice, subject: form.subject, text: form.text })
      if (!readers) return nobody
      return { redirect: messagePath(event.id), flash: { kind: 'good', text: words.t('message.sent', { count: readers }) } }
    }
    const { readers, without } = chosenReaders(await findCandidates(context.db, context.actor, event.id), choice)
    if (!readers.length) return nobody
    const main = messagePreviewView({ words, csrfToken, event, values, readers, without })
    return { title: words.t('message.preview_title'), breadcrumb: crumbs(words, event), main, head: stylesheet() }
  },
})

export const messagePages: Page[] = [messagePage]
