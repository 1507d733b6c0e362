import { z } from 'zod'
import { editPath, PAGES } from '#features/events/content-pages/views.ts'
import { QUESTIONS, questionPath } from '#features/events/questionnaires/views.ts'
import type { FormSection } from '#features/planning/planning/points.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { otherLanguages, type TextOwner, writtenLanguage } from '#platform/features/own-texts.ts'
import { html } from '#platform/html/html.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest, type Refused } from '#platform/http/page.ts'
import { nameOfLanguage } from '#platform/i18n/offered.ts'
import type { FormError } from '#platform/ui/form.ts'
import { fieldValue } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { requireRecord, saveTexts } from './commands.ts'
import { findTextsOf } from './queries.ts'
import { type FieldName, fieldsOf, progressOf, readText } from './rules.ts'
import { progressView, translationsView } from './views.ts'

/** The form of the record. */
const FORMS: Record<TextOwner, (id: number) => string> = {
  event: (id) => `/events/${id}/edit/`,
  page: editPath,
  question: questionPath,
}
const pathOf = (owner: TextOwner, id: number | string): string =>
  owner === 'event' ? `/events/${id}/languages/` : `${owner === 'page' ? PAGES : QUESTIONS}${id}/languages/`

const keyOf = (language: string, field: FieldName): string => `${language}.${field}`
const anyForm = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

async function showForm(request: PageRequest, owner: TextOwner, id: number, refused: Refused | undefined) {
  const { context, csrfToken } = request
  const { words, db } = context
  const { name, originals } = await requireRecord(db, context.actor, owner, id)
  const stored = await findTextsOf(db, owner, id)
  const fields = fieldsOf(owner, originals)
  const title = words.t('translations.title')
  const written = writtenLanguage(context)
  const main = translationsView({
    words,
    csrfToken,
    action: pathOf(owner, id),
    back: FORMS[owner](id),
    title,
    facts: written ? words.t('translations.facts', { title: name, language: nameOfLanguage(written) }) : name,
    originals: fields,
    languages: otherLanguages(context).map((code) => ({
      code,
      name: nameOfLanguage(code),
      fields: fields.map((field) => {
        const known = stored.find((each) => each.language === code && each.field === field.name)
        const key = keyOf(code, field.name)
        const value = refused ? fieldValue(refused.values, key) : (known?.text ?? '')
        return { ...field, key, value, isOutdated: known !== undefined && known.original !== field.original }
      }),
    })),
    errors: refused?.errors ?? [],
  })
  const record = { href: FORMS[owner](id), label: name }
  const breadcrumb =
    owner === 'event' ? [{ href: '/events/', label: words.t('event.list') }, record] : manageCrumbs(words, record)
  return { title, breadcrumb, main }
}

const translationPage = (owner: TextOwner): Page => {
  const parameter = owner === 'event' ? 'event' : 'id'
  const idOf = ({ path }: PageRequest) => Number((path as Record<string, unknown>)[parameter])
  return formPage({
    path: pathOf(owner, `{${parameter}}`),
    access: owner === 'event' ? signedIn : permission(owner === 'page' ? 'change_page' : 'change_question'),
    form: anyForm,
    show: (request, refused) => showForm(request as PageRequest, owner, idOf(request as PageRequest), refused),
    submit: async (request, sent) => {
      const { context, commandContext } = request
      const { words } = context
      const id = idOf(request as PageRequest)
      const { originals } = await requireRecord(context.db, context.actor, owner, id)
      const errors: FormError[] = []
      const texts = new Map(
        otherLanguages(context).map((language) => [
          language,
          Object.fromEntries(
            fieldsOf(owner, originals).map((field) => {
              const key = keyOf(language, field.name)
              const read = readText(field, fieldValue(sent, key))
              if ('text' in read) return [field.name, read.text]
              const { fault } = read
              const text =
                fault.code === 'choices_count'
                  ? words.t('translations.choices_count', { count: fault.count })
                  : words.t('translations.too_long')
              errors.push({ field: key, text })
              return [field.name, '']
            }),
          ),
        ]),
      )
      if (errors.length) return { refused: errors, status: 422 }
      const { isChanged } = await saveTexts(commandContext, { owner, id, texts, originals })
      return {
        redirect: FORMS[owner](id),
        flash: isChanged
          ? { kind: 'good', text: words.t('translations.saved') }
          : { kind: 'info', text: words.t('translations.unchanged') },
      }
    },
  })
}

export const translationPages: Page[] = [translationPage('event'), translationPage('page'), translationPage('question')]

export const linkToPage = (context: RequestContext, owner: TextOwner, id: number) =>
  otherLanguages(context).length ? { href: pathOf(owner, id), label: context.words.t('translations.title') } : undefined

/** Leads from the form of an event to its translations. */
export const translationSection: FormSection<unknown> = {
  schema: z.unknown(),
  show: async ({ context }, eventId) => {
    const { db, actor, words } = context
    const link = eventId === undefined ? undefined : linkToPage(context, 'event', eventId)
    if (!link || eventId === undefined) return html``
    const { originals } = await requireRecord(db, actor, 'event', eventId)
    const stored = await findTextsOf(db, 'event', eventId)
    const lines = otherLanguages(context).map((code) => {
      const progress = progressOf(
        originals,
        'event',
        stored.filter(({ language }) => language === code),
      )
      return words.t(`translations.${progress}`, { language: nameOfLanguage(code) })
    })
    return progressView(words, link.href, lines)
  },
  save: async () => {},
}
