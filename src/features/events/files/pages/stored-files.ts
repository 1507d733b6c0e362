import { hasPermission } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { addSharedFiles, changeAttachment, deleteAttachment } from '../commands.ts'
import { findStoredAttachments, getStoredAttachment, getUsedBytes, type StoredAttachment } from '../queries.ts'
import { checkFiles, MAX_FILES } from '../rules.ts'
import { ATTACHED_PICTURE, fileForm, filesForm } from '../schema.ts'
import { addFilesView, editPath, FILES, sizeText, storedFilesView, storedPath } from '../views.ts'
import { download, type FileOptions } from './downloads.ts'
import { errorOf, problemText } from './problem-text.ts'

export const listPage = ({ quotaBytes }: FileOptions): Page =>
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

export const addPage = ({ maxBytes, quotaBytes }: FileOptions): Page =>
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

export const editPage = formPage({
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
    const outcome = requireFound(await changeAttachment(commandContext, path.id, form))
    if (!outcome.ok) return { refused: [{ text: words.t('files.outdated') }], status: 409 }
    const flash = outcome.isChanged
      ? { kind: 'good' as const, text: words.t('files.saved', { file: form.title }) }
      : { kind: 'info' as const, text: words.t('files.unchanged') }
    return { redirect: FILES, flash }
  },
})

async function requireStored({ context, path }: PageRequest<{ id: number }>): Promise<StoredAttachment> {
  return requireFound(await getStoredAttachment(context, path.id))
}

export const storedDownloadPage = ({ files }: FileOptions): Page =>
  viewPage({
    path: `${FILES}{id}/`,
    access: permission('change_file'),
    show: async (request) => download(request.context, files, await requireStored(request)),
  })

export const deletePage = formPage({
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
    const deleted = requireFound(await deleteAttachment(commandContext, path.id))
    return { redirect: FILES, flash: { kind: 'good', text: words.t('files.deleted', { file: deleted.title }) } }
  },
})
