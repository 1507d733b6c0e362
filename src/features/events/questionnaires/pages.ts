import { settingsView } from '#features/accounts/users/views/settings.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { linkToTranslations } from '#platform/features/own-texts.ts'
import { html } from '#platform/html/html.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { type FormError, formView, linkButtonView } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { archiveQuestion, changeQuestion, changeSavedAnswers, createQuestion, deleteQuestion } from './commands.ts'
import { findQuestions, findSavedAnswers, getQuestion, inReadersLanguage, type StoredQuestion } from './queries.ts'
import { KINDS, questionField, readGiven } from './rules.ts'
import { archiveForm, questionForm, savedAnswersForm } from './schema.ts'
import { answerFieldsView, QUESTIONS, questionPath, questionsView } from './views.ts'

const crumbs = (words: Words) => manageCrumbs(words, { href: QUESTIONS, label: words.t('questions.list') })

const listPage = viewPage({
  path: QUESTIONS,
  access: permission('view_question'),
  show: async ({ context: { db, words, actor }, csrfToken }) => ({
    title: words.t('questions.list'),
    breadcrumb: manageCrumbs(words),
    main: questionsView({
      words,
      csrfToken,
      questions: await findQuestions(db),
      may: { add: hasPermission(actor, 'add_question'), change: hasPermission(actor, 'change_question') },
    }),
  }),
})

type QuestionFormData = { request: PageRequest; title: string; action: string; state: FormState; question?: StoredQuestion }

function questionFormBody({ request, title, action, state, question }: QuestionFormData) {
  const { context, csrfToken } = request
  const { words, actor } = context
  const options = KINDS.map((kind) => ({
    value: kind,
    label: words.t(`questions.kind_${kind}`),
    help: words.t(`questions.kind_${kind}_help`),
  }))
  const translations = question && linkToTranslations(context, 'question', question.id)
  const remove =
    question &&
    hasPermission(actor, 'delete_question') &&
    linkButtonView({ href: `${action}delete/`, label: words.t('questions.delete'), kind: 'quiet', icon: 'trash-2' })
  const form = questionForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('questions.save'),
    cancel: { href: QUESTIONS },
    extra: html`${translations && linkButtonView({ ...translations, kind: 'quiet', icon: 'globe' })}${remove}`,
    layout: (field) => [
      field('name'),
      field('text'),
      field('description'),
      field('kind', { options }),
      field('choices'),
      field('required'),
      field('use_saved_answers'),
      field('version'),
    ],
  })
  return { title, breadcrumb: crumbs(words), main: html`${pageHeadView({ title })}${form}` }
}

const newPage = formPage({
  path: `${QUESTIONS}new/`,
  access: permission('add_question'),
  form: questionForm.schema,
  show: async (request, refused) =>
    questionFormBody({
      request,
      title: request.context.words.t('questions.new'),
      action: `${QUESTIONS}new/`,
      state: refused ?? questionForm.state({ kind: 'single' }),
    }),
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await createQuestion(commandContext, form)
    if (!outcome.ok) return { refused: [refusalOf(words, outcome.reason)] }
    return { redirect: QUESTIONS, flash: { kind: 'good', text: words.t('questions.saved', { name: form.name }) } }
  },
})

type Refusal = Extract<Awaited<ReturnType<typeof createQuestion>>, { ok: false }>['reason']

const refusalOf = (words: Words, reason: Refusal): FormError =>
  reason === 'outdated' ? { text: words.t('questions.outdated') } : { field: 'choices', text: words.t(`questions.${reason}`) }

async function requireQuestion({ context, path }: PageRequest<{ id: number }>): Promise<StoredQuestion> {
  return requireFound(await getQuestion(context.db, path.id))
}

const editPage = formPage({
  path: `${QUESTIONS}{id}/`,
  access: permission('change_question'),
  form: questionForm.schema,
  show: async (request, refused) => {
    const question = await requireQuestion(request)
    const { id, name, text, description, kind, choices, isRequired, usesSavedAnswers, version } = question
    return questionFormBody({
      request,
      question,
      title: request.context.words.t('questions.edit', { name }),
      action: questionPath(id),
      state: refused
        ? { ...refused, values: { ...refused.values, version: String(version) } }
        : questionForm.state({
            name,
            text,
            description,
            kind,
            choices: choices.join('\n'),
            required: isRequired,
            use_saved_answers: usesSavedAnswers,
            version,
          }),
    })
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = requireFound(await changeQuestion(commandContext, path.id, form))
    if (!outcome.ok) return { refused: [refusalOf(words, outcome.reason)], status: outcome.reason === 'outdated' ? 409 : 422 }
    return {
      redirect: QUESTIONS,
      flash: outcome.isChanged
        ? { kind: 'good', text: words.t('questions.saved', { name: form.name }) }
        : { kind: 'info', text: words.t('questions.unchanged') },
    }
  },
})

const archivePage = actionPage({
  path: `${QUESTIONS}{id}/archive/`,
  access: permission('change_question'),
  form: archiveForm,
  submit: async ({ context: { words }, commandContext, path }, { archived }) => {
    const question = requireFound(await archiveQuestion(commandContext, path.id, archived))
    const text = words.t(archived ? 'questions.archived' : 'questions.unarchived', { name: question.name })
    return {
      redirect: QUESTIONS,
      flash: {
        kind: 'good',
        text,
        ...(archived ? { undo: { action: `${questionPath(path.id)}archive/`, fields: { archived: '0' } } } : {}),
      },
    }
  },
})

const deletePage = formPage({
  path: `${QUESTIONS}{id}/delete/`,
  access: permission('delete_question'),
  form: emptyForm,
  show: async (request, refused) => {
    const { words } = request.context
    const { id, name, isArchived, shifts, answers, saved } = await requireQuestion(request)
    const title = words.t('questions.delete_title', { name })
    if (refused || shifts || answers) {
      const archive = linkButtonView({ href: QUESTIONS, label: words.t('questions.list') })
      const main = html`${pageHeadView({ title: name })}${emptyView({ icon: 'lock', text: isArchived ? words.t('questions.archive_help') : words.t('questions.in_use'), action: archive })}`
      return { title, breadcrumb: crumbs(words), main }
    }
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: `${questionPath(id)}delete/`,
      submit: words.t('questions.delete'),
      cancel: { href: questionPath(id) },
      consequences: [words.t('questions.delete_effect'), ...(saved ? [words.t('questions.delete_saved', { count: saved })] : [])],
    })
    return { title, breadcrumb: crumbs(words), main }
  },
  submit: async (request) => {
    const { words } = request.context
    const { id, name } = await requireQuestion(request)
    const outcome = await deleteQuestion(request.commandContext, id)
    if (outcome === 'gone') throw new Problem('not_found')
    if (outcome === 'in_use') return { refused: [{ text: words.t('questions.in_use') }], status: 409 }
    return { redirect: QUESTIONS, flash: { kind: 'good', text: words.t('questions.deleted', { name }) } }
  },
})

const SAVED = '/settings/answers/'

const savedAnswersPage = formPage({
  path: SAVED,
  access: signedIn,
  form: savedAnswersForm,
  show: async ({ context, csrfToken }, refused) => {
    const { db, words, actor } = context
    const saved = await findSavedAnswers(db, actor.userId)
    const questions = await inReadersLanguage(
      context,
      saved.map((question) => ({ ...question, isRequired: false })),
    )
    const stored = Object.fromEntries(saved.map(({ id, answer }) => [questionField(id), answer]))
    const { values, errors } = refused ?? { values: stored, errors: [] }
    const main = questions.length
      ? html`<p class="muted">${words.t('questions.saved_intro')}</p>${formView({
          words,
          csrfToken,
          action: SAVED,
          errors,
          submit: words.t('questions.save'),
          fields: answerFieldsView({ words, questions, values, errors }),
        })}`
      : emptyView({ icon: 'circle-question-mark', text: words.t('questions.saved_none') })
    return { title: words.t('settings.answers'), main: settingsView({ context, current: 'answers', main }) }
  },
  submit: async ({ context: { words }, commandContext }, values) => {
    const given = readGiven(values)
    if (!given) return { refused: [{ text: words.t('questions.too_many') }] }
    const outcome = await changeSavedAnswers(commandContext, given)
    if (!outcome.ok)
      return {
        refused: outcome.faults.map(({ questionId, fault }) => ({
          field: questionField(questionId),
          text: words.t(fault === 'too_long' ? 'questions.answer_long' : 'questions.not_offered'),
        })),
      }
    return {
      redirect: SAVED,
      flash: outcome.isChanged
        ? { kind: 'good', text: words.t('questions.saved_stored') }
        : { kind: 'info', text: words.t('questions.unchanged') },
    }
  },
})

export const questionPages: Page[] = [listPage, newPage, editPage, archivePage, deletePage, savedAnswersPage]
