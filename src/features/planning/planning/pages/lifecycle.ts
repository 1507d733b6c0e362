import { eventPath } from '#features/events/events/rules/slug.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, viewPage } from '#platform/http/page.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { BIN_DAYS } from '../commands/bin.ts'
import { cancelEvent, deleteEvent, publishEvent, reopenEvent, restoreEvent } from '../commands/events.ts'
import { countAffected, findBin, requirePlannedEvent } from '../queries/events.ts'
import { findStoredShifts } from '../queries/shifts.ts'
import { cancelForm } from '../schema.ts'
import { BIN, planPath } from '../views/editor.ts'
import { binView, cancelView } from '../views/lifecycle.ts'

const DAY_MS = 24 * 3600_000

const publishPage = actionPage({
  path: '/events/{event}/publish/',
  access: permission('add_event'),
  form: emptyForm,
  submit: async (request) => {
    const eventId = request.path.event
    const { words } = request.context
    const { ok, title } = await publishEvent(request.commandContext, { eventId })
    const text = words.t(ok ? 'plan.published' : 'plan.not_published', { title })
    return { redirect: eventPath(eventId, title), flash: { kind: ok ? 'good' : 'warn', text } }
  },
})

const cancelPage = formPage({
  path: '/events/{event}/cancel/',
  access: signedIn,
  form: cancelForm.schema,
  show: async (request, refused) => {
    const { words } = request.context
    const event = await requirePlannedEvent(request.context, request.path.event)
    const { confirmed, requested } = await countAffected(request.context, event.id)
    const path = eventPath(event.id, event.title)
    const main = cancelView({
      words,
      csrfToken: request.csrfToken,
      event: { id: event.id, title: event.title, path },
      people: confirmed + requested,
      state: refused ?? cancelForm.state({ reason: event.cancellationReason }),
    })
    return { title: words.t('plan.cancel_title', { title: event.title }), main, breadcrumb: [{ href: path, label: event.title }] }
  },
  submit: async (request, { reason }) => {
    const eventId = request.path.event
    const { title } = await cancelEvent(request.commandContext, { eventId, reason })
    const undo = { action: planPath(eventId, 'reopen') }
    const text = request.context.words.t('plan.cancelled', { title })
    return { redirect: eventPath(eventId, title), flash: { kind: 'info', text, undo } }
  },
})

const reopenPage = actionPage({
  path: '/events/{event}/reopen/',
  access: signedIn,
  form: emptyForm,
  submit: async (request) => {
    const eventId = request.path.event
    const { title } = await reopenEvent(request.commandContext, { eventId })
    const text = request.context.words.t('plan.reopened', { title })
    return { redirect: eventPath(eventId, title), flash: { kind: 'good', text } }
  },
})

const deletePage = formPage({
  path: '/events/{event}/delete/',
  access: permission('delete_event'),
  form: emptyForm,
  show: async (request) => {
    const { words } = request.context
    const event = await requirePlannedEvent(request.context, request.path.event)
    const [{ confirmed, requested }, shifts] = await Promise.all([
      countAffected(request.context, event.id),
      findStoredShifts(request.context.db, event.id),
    ])
    const path = eventPath(event.id, event.title)
    const title = words.t('plan.delete_title', { title: event.title })
    const main = confirmView({
      words,
      title,
      action: planPath(event.id, 'delete'),
      csrfToken: request.csrfToken,
      cancel: { href: path },
      consequences: [
        words.t('plan.delete_shifts', { count: shifts.length }),
        ...(confirmed ? [words.t('plan.delete_confirmed', { count: confirmed })] : []),
        ...(requested ? [words.t('plan.delete_requested', { count: requested })] : []),
        words.t('plan.delete_bin', { days: BIN_DAYS }),
      ],
      submit: words.t('plan.delete_submit'),
    })
    return { title, main, breadcrumb: [{ href: path, label: event.title }] }
  },
  submit: async (request) => {
    const eventId = request.path.event
    const { title } = await deleteEvent(request.commandContext, { eventId })
    const undo = { action: planPath(eventId, 'restore') }
    return { redirect: '/events/', flash: { kind: 'info', text: request.context.words.t('plan.deleted', { title }), undo } }
  },
})

const restorePage = actionPage({
  path: '/events/{event}/restore/',
  access: permission('delete_event'),
  form: emptyForm,
  submit: async (request) => {
    const eventId = request.path.event
    const { title } = await restoreEvent(request.commandContext, { eventId })
    const text = request.context.words.t('plan.restored', { title })
    return { redirect: eventPath(eventId, title), flash: { kind: 'good', text } }
  },
})

const binPage = viewPage({
  path: BIN,
  access: permission('delete_event'),
  show: async ({ context, csrfToken }) => {
    const { words } = context
    const rows = (await findBin(context)).map((line) => ({
      ...line,
      goneOn: new Date(line.deletedAt.getTime() + BIN_DAYS * DAY_MS),
    }))
    const breadcrumb = [{ href: '/events/', label: words.t('event.list') }]
    return { title: words.t('plan.bin'), main: binView({ words, csrfToken, rows, days: BIN_DAYS }), breadcrumb }
  },
})

export const lifecyclePages: Page[] = [publishPage, cancelPage, reopenPage, deletePage, restorePage, binPage]
