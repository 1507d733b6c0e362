import { eventPath } from '#features/events/rules/slug.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import type { Crumb } from '#platform/ui/page-head.ts'
import { sendMessage } from '../commands/message.ts'
import { findCandidates, findSentMessages, getMessageEvent, type MessageEvent } from '../queries/message.ts'
import { chooseRecipients, type RecipientChoice, type RecipientGroup } from '../rules/message.ts'
import { type MessageForm, messageForm, RECIPIENT_GROUPS } from '../schema.ts'
import { type MessageValues, messageFormView, messagePath, messagePreviewView } from '../views/message.ts'
import { stylesheet } from './inbox.ts'

const EMPTY: MessageValues = { to: ['confirmed'], people: [], shift: '', subject: '', text: '' }

async function requireEvent({ context, path }: PageRequest<{ event: number }>): Promise<MessageEvent> {
  const event = await getMessageEvent(context.db, context.actor, path.event)
  if (!event) throw new Problem('not_found')
  return event
}

const breadcrumb = (words: Words, { id, title }: MessageEvent): Crumb[] => [
  { href: '/events/', label: words.t('event.list') },
  { href: eventPath(id, title), label: title },
]

const isGroup = (name: string): name is RecipientGroup => (RECIPIENT_GROUPS as readonly string[]).includes(name)

async function showForm(
  request: PageRequest<{ event: number }>,
  values: MessageValues,
  errors: readonly FormError[],
): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now, db, actor } = context
  const event = await requireEvent(request)
  const [candidates, sentMessages] = await Promise.all([findCandidates(db, actor, event.id), findSentMessages(db, event.id)])
  const main = messageFormView({ words, now, csrfToken, event, candidates, values, errors, sentMessages })
  return { title: words.t('message.of', { event: event.title }), breadcrumb: breadcrumb(words, event), main, head: stylesheet() }
}

/** To show the form again as it was filled in, even with invalid values. */
function readValues(form: Record<string, unknown>): MessageValues {
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

const readChoice = ({ to, people, shift }: MessageForm): RecipientChoice => ({
  groups: new Set(to.filter(isGroup)),
  people: new Set(people),
  shiftId: shift,
})

const messagePage = formPage({
  path: '/events/{event}/message/',
  access: signedIn,
  form: messageForm,
  show: (request, refused) => showForm(request, refused ? readValues(refused.values) : EMPTY, refused?.errors ?? []),
  submit: async (request, form) => {
    const { context, commandContext, csrfToken } = request
    const { words } = context
    const event = await requireEvent(request)
    const values = readValues(form)
    if (form.doing === 'edit') return showForm(request, values, [])
    const choice = readChoice(form)
    const noRecipients = { refused: [{ field: 'to', text: words.t('message.nobody') }] }
    if (form.doing === 'send') {
      const { subject, text } = form
      const { recipients } = await sendMessage(commandContext, { eventId: event.id, choice, subject, text })
      if (!recipients) return noRecipients
      return { redirect: messagePath(event.id), flash: { kind: 'good', text: words.t('message.sent', { count: recipients }) } }
    }
    const candidates = await findCandidates(context.db, context.actor, event.id)
    const { recipients, unreachable } = chooseRecipients(candidates, choice)
    if (!recipients.length) return noRecipients
    const main = messagePreviewView({ words, csrfToken, event, values, recipients, unreachable })
    return { title: words.t('message.preview_title'), breadcrumb: breadcrumb(words, event), main, head: stylesheet() }
  },
})

export const messagePages: Page[] = [messagePage]
