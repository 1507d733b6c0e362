import { getSettings } from '#features/operations/settings/queries.ts'
import { legalSettings } from '#features/operations/settings/schema/settings.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { findOwnTexts, linkToTranslations } from '#platform/features/own-texts.ts'
import { html } from '#platform/html/html.ts'
import { open, permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { type FormError, fieldsetView, linkButtonView } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { changeContentPage, createContentPage, deleteContentPage } from './commands.ts'
import { type ContentPage, findContentPages, getContentPage, getContentPageBySlug } from './queries.ts'
import { legalPageOf } from './rules.ts'
import { contentPageForm } from './schema.ts'
import { contentPagePath, contentPagesView, contentPageView, editPath, PAGES } from './views.ts'

const readPage = viewPage({
  path: '/pages/{slug}/',
  access: open('some pages are for everybody; others redirect to the sign-in page'),
  show: async ({ context, path, url }) => {
    const { db, words, actor } = context
    const page = await getContentPageBySlug(db, path.slug)
    if (!page) {
      const legal = legalPageOf(path.slug)
      if (legal && (await getSettings(db, legalSettings))[legal]) return { redirect: `/${legal}/` }
      throw new Problem('not_found')
    }
    if (!page.is_public && actor.kind === 'anonymous') return { redirect: `/accounts/login/?next=${encodeURIComponent(url)}` }
    // Visitors and guests see what everybody sees.
    if (!page.is_public && actor.kind !== 'user') throw new Problem('not_found')
    const textOf = await findOwnTexts(context, 'page', [page.id])
    const shown = {
      ...page,
      title: textOf(page.id, 'title', page.title),
      content: textOf(page.id, 'content', page.content),
    }
    return { title: shown.title, main: contentPageView({ words, page: shown, mayEdit: hasPermission(actor, 'change_page') }) }
  },
})

const pageCrumbs = (words: Words) => manageCrumbs(words, { href: PAGES, label: words.t('pages.list') })

const listPage = viewPage({
  path: PAGES,
  access: permission('change_page'),
  show: async ({ context: { db, words, actor } }) => ({
    title: words.t('pages.list'),
    breadcrumb: manageCrumbs(words),
    main: contentPagesView({ words, pages: await findContentPages(db), mayAdd: hasPermission(actor, 'add_page') }),
  }),
})

type FormPageData = { title: string; action: string; state: FormState; page: ContentPage | undefined }

function formBody({ context, csrfToken }: PageRequest, { title, action, state, page }: FormPageData) {
  const { words, actor } = context
  const translations = page && linkToTranslations(context, 'page', page.id)
  const form = contentPageForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('pages.save'),
    cancel: { href: PAGES },
    extra: html`${translations && linkButtonView({ ...translations, kind: 'quiet', icon: 'globe' })}${
      page &&
      hasPermission(actor, 'delete_page') &&
      linkButtonView({ href: `${action}delete/`, label: words.t('pages.delete'), kind: 'quiet', icon: 'trash-2' })
    }`,
    layout: (field) => [
      field('title'),
      field('slug'),
      field('content'),
      fieldsetView({ legend: words.t('pages.readers'), fields: [field('is_public'), field('in_footer')] }),
      field('version'),
    ],
  })
  return { title, breadcrumb: pageCrumbs(words), main: html`${pageHeadView({ title })}${form}` }
}

type Reason = 'slug_taken' | 'slug_missing' | 'outdated'

function errorOf(words: Words, reason: Reason): FormError {
  return reason === 'outdated' ? { text: words.t('pages.outdated') } : { field: 'slug', text: words.t(`pages.${reason}`) }
}

const newPage = formPage({
  path: `${PAGES}new/`,
  access: permission('add_page'),
  form: contentPageForm.schema,
  show: async (request, refused) =>
    formBody(request, {
      title: request.context.words.t('pages.new'),
      action: `${PAGES}new/`,
      state: refused ?? contentPageForm.state({ is_public: false }),
      page: undefined,
    }),
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await createContentPage(commandContext, form)
    if (!outcome.ok) return { refused: [errorOf(words, outcome.reason)] }
    const text = words.t('pages.created', { title: form.title })
    return { redirect: contentPagePath(outcome.slug), flash: { kind: 'good', text } }
  },
})

async function requirePage({ context, path }: PageRequest<{ id: number }>): Promise<ContentPage> {
  return requireFound(await getContentPage(context.db, path.id))
}

const editPage = formPage({
  path: `${PAGES}{id}/`,
  access: permission('change_page'),
  form: contentPageForm.schema,
  show: async (request, refused) => {
    const page = await requirePage(request)
    return formBody(request, {
      title: request.context.words.t('pages.edit_title', { title: page.title }),
      action: editPath(page.id),
      // After a conflict, saving again overwrites on purpose.
      state: refused ? { ...refused, values: { ...refused.values, version: String(page.version) } } : contentPageForm.state(page),
      page,
    })
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = requireFound(await changeContentPage(commandContext, path.id, form))
    if (!outcome.ok) {
      const status = outcome.reason === 'outdated' ? { status: 409 } : {}
      return { refused: [errorOf(words, outcome.reason)], ...status }
    }
    const text = outcome.isChanged ? words.t('pages.saved', { title: form.title }) : words.t('pages.unchanged')
    return { redirect: contentPagePath(outcome.slug), flash: { kind: outcome.isChanged ? 'good' : 'info', text } }
  },
})

const deletePage = formPage({
  path: `${PAGES}{id}/delete/`,
  access: permission('delete_page'),
  form: emptyForm,
  show: async (request) => {
    const page = await requirePage(request)
    const { words } = request.context
    const title = words.t('pages.delete_title', { title: page.title })
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: `${editPath(page.id)}delete/`,
      submit: words.t('pages.delete'),
      cancel: { href: editPath(page.id) },
      consequences: [words.t('pages.delete_effect', { path: contentPagePath(page.slug) }), words.t('pages.delete_logged')],
    })
    return { title, breadcrumb: pageCrumbs(words), main }
  },
  submit: async ({ context: { words }, commandContext, path }) => {
    const page = requireFound(await deleteContentPage(commandContext, path.id))
    return { redirect: PAGES, flash: { kind: 'good', text: words.t('pages.deleted', { title: page.title }) } }
  },
})

export const contentPages: Page[] = [readPage, listPage, newPage, editPage, deletePage]
