import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { messageContent } from '#features/messaging/notifications/views/mail.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import type { Crumb } from '#platform/ui/page-head.ts'
import { chooseInTurns, sendMessage } from './commands.ts'
import { countUnanswered, findCandidates, findSentMessages, getMessageEvent, type MessageEvent } from './queries.ts'
import type { RecipientChoice, RecipientGroup } from './rules.ts'
import { type MessageForm, messageForm, RECIPIENT_GROUPS } from './schema.ts'
import { messageFormView, messagePath, messagePreviewView } from './views.ts'

const stylesheet = () => html`<link rel="stylesheet" href="${assetUrl('notifications.css')}">`

async function requireEvent({ context, path }: PageRequest<{ event: number }>): Promise<MessageEvent> {
  const event = await getMessageEvent(context.db, context.actor, path.event)
  if (!event) throw await refuseEvent(context.db, context.actor, path.event)
  return event
}

const breadcrumb = (words: Words, { id, title }: MessageEvent): Crumb[] => [
  { href: '/events/', label: words.t('event.list') },
  { href: eventPath(id, title), label: title },
]

const isGroup = (name: string): name is RecipientGroup => (RECIPIENT_GROUPS as readonly string[]).includes(name)

async function showForm(request: PageRequest<{ event: number }>, state: FormState): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now, db } = context
  const event = await requireEvent(request)
  const [candidates, unanswered, sentMessages] = await Promise.all([
    findCandidates(context, event.id, { everybody: false }),
    countUnanswered(db, event.id),
    findSentMessages(db, event.id),
  ])
  const main = messageFormView({ words, now, csrfToken, event, candidates, unanswered, state, sentMessages })
  return { title: words.t('message.of', { event: event.title }), breadcrumb: breadcrumb(words, event), main, head: stylesheet() }
}

const readChoice = ({ to, people, shift }: MessageForm): RecipientChoice => ({
  groups: new Set(to.filter(isGroup)),
  people: new Set(people),
  shiftId: shift,
})

const messagePage = formPage({
  path: '/events/{event}/message/',
  access: signedIn,
  form: messageForm.schema,
  show: (request, refused) => showForm(request, refused ?? messageForm.state({ to: ['confirmed'] })),
  submit: async (request, form) => {
    const { context, commandContext, csrfToken } = request
    const { words } = context
    const event = await requireEvent(request)
    if (form.doing === 'edit') return showForm(request, messageForm.state(form))
    const choice = readChoice(form)
    const noRecipients = { refused: [{ field: 'to', text: words.t('message.nobody') }] }
    if (form.doing === 'send') {
      const { subject, text } = form
      const { recipients } = await sendMessage(commandContext, { eventId: event.id, choice, subject, text })
      if (!recipients) return noRecipients
      return { redirect: messagePath(event.id), flash: { kind: 'good', text: words.t('message.sent', { count: recipients }) } }
    }
    const everybody = choice.groups.has('unanswered')
    const candidates = await findCandidates(context, event.id, { everybody })
    const { recipients, unreachable } = await chooseInTurns(candidates, choice)
    if (!recipients.length) return noRecipients
    const { actor, now } = context
    const time = event.start_time && event.end_time ? { start: event.start_time, end: event.end_time } : undefined
    const author = actor.displayName
    const added = messageContent({ words, now, author, about: { event: { ...event, time } } })
    const shown = { id: event.id, title: event.title, path: eventPath(event.id, event.title) }
    const main = messagePreviewView({ words, csrfToken, event: shown, message: form, added, recipients, unreachable })
    return { title: words.t('message.preview_title'), breadcrumb: breadcrumb(words, event), main, head: stylesheet() }
  },
})

export const messagePages: Page[] = [messagePage]
