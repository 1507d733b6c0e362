import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { attachFiles, chooseFiles, removeFromEvent } from '../commands.ts'
import { findAttachments, findSharedFiles, getAttachment, getPlannedEvent } from '../queries.ts'
import { checkFiles, eventFilesPath, MAX_FILES } from '../rules.ts'
import { ATTACHED_PICTURE, chosenFilesForm, filesForm } from '../schema.ts'
import { changeFilesView, chooseFilesView, eventFilesView, sizeText } from '../views.ts'
import type { FileOptions } from './downloads.ts'
import { errorOf, problemText } from './problem-text.ts'

/** A card on the event page, for everybody who sees the event; `folder` is the path above the pages of its files. */
export async function filesSection(
  context: RequestContext,
  event: { id: number; mayChange: boolean; folder: string },
): Promise<Html | undefined> {
  const files = await findAttachments(context, event.id)
  return eventFilesView({
    words: context.words,
    eventId: event.id,
    files,
    folder: `${event.folder}files/`,
    mayChange: event.mayChange,
  })
}

/** 403 or 404 for people who may not change the event. */
async function requireEvent({ context, path }: PageRequest<{ event: number }>): Promise<{ id: number; title: string }> {
  const event = await getPlannedEvent(context, path.event)
  if (!event) throw await refuseEvent(context.db, context.actor, path.event)
  return event
}

export const changePage = ({ maxBytes, quotaBytes }: FileOptions): Page =>
  formPage({
    path: '/events/{event}/files/',
    access: signedIn,
    form: filesForm.schema,
    // One more than allowed, so that the form can say that there are too many.
    uploads: { maxBytes, maxFiles: MAX_FILES + 1, pictures: ATTACHED_PICTURE },
    authorizeUpload: requireEvent,
    show: async (request, refused) => {
      const { context, csrfToken } = request
      const { words } = context
      const event = await requireEvent(request)
      const main = changeFilesView({
        words,
        csrfToken,
        event,
        files: await findAttachments(context, event.id),
        hasShared: (await findSharedFiles(context.db, event.id)).length > 0,
        state: refused ?? filesForm.state({}),
        maxBytes,
      })
      return {
        title: words.t('files.of_event', { event: event.title }),
        breadcrumb: [{ href: eventPath(event.id, event.title), label: event.title }],
        scripts: [assetUrl('files.js'), assetUrl('pictures.js')],
        main,
      }
    },
    submit: async (request, form) => {
      const { words } = request.context
      const event = await requireEvent(request)
      const checked = checkFiles(form.files)
      if (!checked.ok) return errorOf(checked.problems.map((problem) => problemText(words, problem, maxBytes)).join(' '))
      const { files } = checked
      const outcome = await attachFiles(request.commandContext, { eventId: event.id, files, quotaBytes })
      if (!outcome) throw await refuseEvent(request.context.db, request.context.actor, event.id)
      if (!outcome.ok) return errorOf(words.t('files.refused_quota', { free: sizeText(words, outcome.freeBytes) }))
      const text = words.t('files.added', { count: files.length })
      return { redirect: eventPath(event.id, event.title), flash: { kind: 'good', text } }
    },
  })

export const choosePage = formPage({
  path: '/events/{event}/files/choose/',
  access: signedIn,
  form: chosenFilesForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken } = request
    const { words } = context
    const event = await requireEvent(request)
    return {
      title: words.t('files.for_every_event'),
      breadcrumb: [
        { href: eventPath(event.id, event.title), label: event.title },
        { href: eventFilesPath(event.id), label: words.t('files.title') },
      ],
      main: chooseFilesView({
        words,
        csrfToken,
        event,
        files: await findSharedFiles(context.db, event.id),
        state: refused ?? chosenFilesForm.state({ files: [] }),
      }),
    }
  },
  submit: async (request, { files }) => {
    const { words } = request.context
    const event = await requireEvent(request)
    if (!files.length) return { refused: [{ text: words.t('files.refused_none') }] }
    const outcome = await chooseFiles(request.commandContext, event.id, files)
    if (!outcome) throw await refuseEvent(request.context.db, request.context.actor, event.id)
    if (!outcome.added) return { refused: [{ text: words.t('files.refused_gone') }], status: 409 }
    const text = words.t('files.added', { count: outcome.added })
    return { redirect: eventPath(event.id, event.title), flash: { kind: 'good', text } }
  },
})

export const removePage = formPage({
  path: '/events/{event}/files/{id}/remove/',
  access: signedIn,
  form: emptyForm,
  show: async (request) => {
    const { context, csrfToken, path } = request
    const { words } = context
    const event = await requireEvent(request)
    const file = requireFound(await getAttachment(context, event.id, path.id))
    const title = words.t('files.remove_title', { file: file.title })
    const rest = file.otherEvents
      ? words.t('files.remove_others', { count: file.otherEvents })
      : words.t(file.isShared ? 'files.remove_shared' : 'files.remove_last')
    const main = confirmView({
      words,
      title,
      csrfToken,
      action: `${eventFilesPath(event.id)}${file.id}/remove/`,
      submit: words.t('files.remove'),
      cancel: { href: eventFilesPath(event.id) },
      consequences: [words.t('files.remove_effect', { event: event.title }), rest],
    })
    const crumbs = [
      { href: eventPath(event.id, event.title), label: event.title },
      { href: eventFilesPath(event.id), label: words.t('files.title') },
    ]
    return { title, main, breadcrumb: crumbs }
  },
  submit: async (request) => {
    const { context, commandContext, path } = request
    const event = await requireEvent(request)
    const removed = requireFound(await removeFromEvent(commandContext, event.id, path.id))
    const text = context.words.t('files.removed', { file: removed.title })
    return { redirect: eventFilesPath(event.id), flash: { kind: 'good', text } }
  },
})
