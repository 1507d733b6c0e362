import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import type { ParticipantMount } from '#features/staffing/participations/points.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { FileStore } from '#platform/files/store.ts'
import { type Html, html } from '#platform/html/html.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { downloadFile } from '#platform/http/file-download.ts'
import { type Download, formPage, type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { type FormError, linkButtonView } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { addSharedFiles, attachFiles, changeAttachment, chooseFiles, deleteAttachment, removeFromEvent } from './commands.ts'
import {
  type AttachmentDetails,
  findAttachments,
  findSharedFiles,
  findStoredAttachments,
  getAttachment,
  getPlannedEvent,
  getStoredAttachment,
  getUsedBytes,
  type StoredAttachment,
} from './queries.ts'
import { checkFiles, eventFilesPath, type FileProblem, MAX_FILES, typeName } from './rules.ts'
import { ATTACHED_PICTURE, chosenFilesForm, fileForm, filesForm } from './schema.ts'
import {
  addFilesView,
  changeFilesView,
  chooseFilesView,
  editPath,
  eventFilesView,
  FILES,
  sizeText,
  storedFilesView,
  storedPath,
} from './views.ts'

type FileOptions = { files: FileStore; maxBytes: number; quotaBytes: number }

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

type Downloadable = Pick<AttachmentDetails, 'fileId' | 'name' | 'type' | 'bytes'>

function download({ words }: RequestContext, store: FileStore, file: Downloadable | undefined): Promise<Download> {
  if (!file) throw new Problem('not_found')
  const { fileId, name, type, bytes } = file
  if (fileId === null || name === null || type === null || bytes === null)
    throw new Problem('not_found', { detail: words.t('files.missing_detail') })
  return downloadFile(store, { id: fileId, name, content_type: type, bytes })
}

const downloadPage = ({ files }: FileOptions): Page =>
  viewPage({
    path: '/events/{event}/files/{id}/',
    access: signedIn,
    show: async ({ context, path }) => download(context, files, await getAttachment(context, path.event, path.id)),
  })

/** Downloads at the URLs of visitors and guests, whose mount decides about access to the event. */
const downloadPageFor = ({ mount, eventPath }: ParticipantMount, files: FileStore): Page =>
  viewPage({
    path: `${eventPath}files/{id}/`,
    access: mount.access,
    show: async (request) => {
      const mounted = await mount.authorize(request)
      if (!('links' in mounted)) return mounted
      const id = (request.path as { id: number }).id
      if (mounted.eventId === undefined) throw new Problem('not_found')
      const content = await download(request.context, files, await getAttachment(request.context, mounted.eventId, id))
      return { ...content, headers: { ...mounted.headers, ...content.headers } }
    },
  })

/** Downloads for those who take part under other paths. */
export const downloadPageAt =
  (files: FileStore) =>
  (place: ParticipantMount): Page => {
    const page = downloadPageFor(place, files)
    return place.wrap?.(page) ?? page
  }

/** 403 or 404 for people who may not change the event. */
async function requireEvent({ context, path }: PageRequest<{ event: number }>): Promise<{ id: number; title: string }> {
  const event = await getPlannedEvent(context, path.event)
  if (!event) throw await refuseEvent(context.db, context.actor, path.event)
  return event
}

function problemText(words: Words, problem: FileProblem, maxBytes: number): string {
  if (!('name' in problem))
    return problem.reason === 'none' ? words.t('files.refused_none') : words.t('files.refused_many', { count: MAX_FILES })
  const { name } = problem
  if (problem.reason === 'large') return words.t('files.refused_large', { name, limit: sizeText(words, maxBytes) })
  if (problem.reason === 'misnamed') return words.t('files.refused_misnamed', { name, type: typeName(problem.type) })
  return words.t(`files.refused_${problem.reason}`, { name })
}

const errorOf = (text: string): { refused: FormError[] } => ({ refused: [{ field: 'files', text }] })

const changePage = ({ maxBytes, quotaBytes }: FileOptions): Page =>
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

const choosePage = formPage({
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

const removePage = formPage({
  path: '/events/{event}/files/{id}/remove/',
  access: signedIn,
  form: emptyForm,
  show: async (request) => {
    const { context, csrfToken, path } = request
    const { words } = context
    const event = await requireEvent(request)
    const file = await getAttachment(context, event.id, path.id)
    if (!file) throw new Problem('not_found')
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
    const removed = await removeFromEvent(commandContext, event.id, path.id)
    if (!removed) throw new Problem('not_found')
    const text = context.words.t('files.removed', { file: removed.title })
    return { redirect: eventFilesPath(event.id), flash: { kind: 'good', text } }
  },
})

const listPage = ({ quotaBytes }: FileOptions): Page =>
  viewPage({
    path: FILES,
    access: permission('change_file'),
    show: async ({ context }) => {
      const { db, words, now, actor } = context
      const main = storedFilesView({
        words,
        now,
        files: await findStoredAttachments(context),
        usedBytes: await getUsedBytes(db),
        quotaBytes,
        may: { add: hasPermission(actor, 'add_file'), delete: hasPermission(actor, 'delete_file') },
      })
      return { title: words.t('files.title'), breadcrumb: manageCrumbs(words), main }
    },
  })

const fileCrumbs = (words: Words) => manageCrumbs(words, { href: FILES, label: words.t('files.title') })

const addPage = ({ maxBytes, quotaBytes }: FileOptions): Page =>
  formPage({
    path: `${FILES}new/`,
    access: permission('add_file'),
    form: filesForm.schema,
    // One more than allowed, so that the form can say that there are too many.
    uploads: { maxBytes, maxFiles: MAX_FILES + 1, pictures: ATTACHED_PICTURE },
    show: async ({ context: { words }, csrfToken }, refused) => ({
      title: words.t('files.add'),
      breadcrumb: fileCrumbs(words),
      scripts: [assetUrl('files.js'), assetUrl('pictures.js')],
      main: addFilesView({ words, csrfToken, state: refused ?? filesForm.state({}), maxBytes }),
    }),
    submit: async ({ context: { words }, commandContext }, form) => {
      const checked = checkFiles(form.files)
      if (!checked.ok) return errorOf(checked.problems.map((problem) => problemText(words, problem, maxBytes)).join(' '))
      const outcome = await addSharedFiles(commandContext, { files: checked.files, quotaBytes })
      if (!outcome.ok) return errorOf(words.t('files.refused_quota', { free: sizeText(words, outcome.freeBytes) }))
      return { redirect: FILES, flash: { kind: 'good', text: words.t('files.added', { count: checked.files.length }) } }
    },
  })

const editPage = formPage({
  path: `${FILES}{id}/edit/`,
  access: permission('change_file'),
  form: fileForm.schema,
  show: async (request, refused) => {
    const { words, actor } = request.context
    const file = await requireStored(request)
    const title = words.t('files.edit_title', { file: file.title })
    const form = fileForm.view({
      words,
      csrfToken: request.csrfToken,
      action: editPath(file.id),
      // After a conflict, saving again overwrites on purpose.
      state: refused
        ? { ...refused, values: { ...refused.values, version: String(file.version) } }
        : fileForm.state({ title: file.title, shared: file.isShared, version: file.version }),
      submit: words.t('files.save'),
      cancel: { href: FILES },
      extra:
        hasPermission(actor, 'delete_file') &&
        linkButtonView({ href: `${storedPath(file.id)}delete/`, label: words.t('files.delete'), kind: 'quiet', icon: 'trash-2' }),
    })
    return { title, breadcrumb: fileCrumbs(words), main: html`${pageHeadView({ title })}${form}` }
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = await changeAttachment(commandContext, path.id, form)
    if (!outcome) throw new Problem('not_found')
    if (!outcome.ok) return { refused: [{ text: words.t('files.outdated') }], status: 409 }
    const flash = outcome.isChanged
      ? { kind: 'good' as const, text: words.t('files.saved', { file: form.title }) }
      : { kind: 'info' as const, text: words.t('files.unchanged') }
    return { redirect: FILES, flash }
  },
})

async function requireStored({ context, path }: PageRequest<{ id: number }>): Promise<StoredAttachment> {
  const file = await getStoredAttachment(context, path.id)
  if (!file) throw new Problem('not_found')
  return file
}

const storedDownloadPage = ({ files }: FileOptions): Page =>
  viewPage({
    path: `${FILES}{id}/`,
    access: permission('change_file'),
    show: async (request) => download(request.context, files, await requireStored(request)),
  })

const deletePage = formPage({
  path: `${FILES}{id}/delete/`,
  access: permission('delete_file'),
  form: emptyForm,
  show: async (request) => {
    const { words } = request.context
    const file = await requireStored(request)
    const title = words.t('files.delete_title', { file: file.title })
    const used = file.eventCount ? [words.t('files.delete_effect', { count: file.eventCount })] : []
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: `${storedPath(file.id)}delete/`,
      submit: words.t('files.delete'),
      cancel: { href: FILES },
      consequences: [...used, words.t('files.delete_forever')],
    })
    return { title, main, breadcrumb: fileCrumbs(words) }
  },
  submit: async ({ context: { words }, commandContext, path }) => {
    const deleted = await deleteAttachment(commandContext, path.id)
    if (!deleted) throw new Problem('not_found')
    return { redirect: FILES, flash: { kind: 'good', text: words.t('files.deleted', { file: deleted.title }) } }
  },
})

export const filePages = (options: FileOptions): Page[] => [
  changePage(options),
  downloadPage(options),
  choosePage,
  removePage,
  listPage(options),
  addPage(options),
  editPage,
  storedDownloadPage(options),
  deletePage,
]
