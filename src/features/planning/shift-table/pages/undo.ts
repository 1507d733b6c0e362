import { requirePlannedEvent } from '#features/planning/planning/queries/events.ts'
import { undoForm } from '#features/planning/planning/schema.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage } from '#platform/http/page.ts'
import { undoTable } from '../commands/undo.ts'
import { tablePath } from '../views/page.ts'

export const undoPage = actionPage({
  path: '/events/{event}/shifts/undo/',
  access: signedIn,
  form: undoForm,
  submit: async (request, { step }) => {
    const { words } = request.context
    const event = await requirePlannedEvent(request.context, request.path.event)
    const redirect = tablePath(event.id)
    const outcome = await undoTable(request.commandContext, { eventId: event.id, step })
    if (!outcome.ok) return { redirect, flash: { kind: 'bad', text: words.t('table.undo_late') } }
    const text = [
      words.t('table.undone', { count: outcome.undone }),
      ...(outcome.left ? [words.t('table.undone_left', { count: outcome.left })] : []),
    ].join(' ')
    return { redirect, flash: { kind: outcome.left ? 'warn' : 'good', text } }
  },
})
