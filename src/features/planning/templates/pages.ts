import { Temporal } from 'temporal-polyfill'
import { EVENT_FIELDS } from '#features/events/events/rules/event-fields.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { findTypeChoices, getCopiedEvent } from '#features/planning/planning/queries/events.ts'
import { planForm } from '#features/planning/planning/schema.ts'
import { planAssets } from '#features/planning/planning/views/assets.ts'
import { writeIdRanges } from '#features/planning/series/rules/id-ranges.ts'
import { dayOf } from '#features/planning/series/rules/moving-dates.ts'
import { readDates, readDayFields, recurrenceValues } from '#features/planning/series/rules/recurrence.ts'
import { COPIES } from '#features/planning/series/views/copies.ts'
import { dayText, ruleText } from '#features/planning/series/views/rule.ts'
import { seriesPath } from '#features/planning/series/views/series.ts'
import type { Fault } from '#features/planning/shift-forms/rules/form-rows.ts'
import { faultErrors } from '#features/planning/shift-forms/views/fields.ts'
import { permission } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { sourceLanguageOf } from '#platform/i18n/languages.ts'
import { readId } from '#platform/ids.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { type FormValues, fieldValue, fieldValues, isChecked } from '#platform/ui/form-values.ts'
import { takeStarter } from './commands/starters.ts'
import { binTemplate, renameTemplate, saveTemplate, type TemplateText, useTemplate } from './commands/templates.ts'
import { findTemplates, getOrganisation, getTemplate, type Template } from './queries.ts'
import { TEMPLATE_PARTS } from './rules/content.ts'
import { firstDayOn } from './rules/starter-content.ts'
import { starterForm } from './schema.ts'
import { STARTERS_PATH, type StartersData, startersView } from './views/starters.ts'
import {
  editTemplateView,
  noTypesView,
  saveTemplateView,
  TEMPLATES,
  templatePath,
  templatesView,
  useTemplateView,
} from './views/templates.ts'

const MAX_NAME_LENGTH = 255
const MAX_DESCRIPTION_LENGTH = 1000

function readText(values: FormValues): { text: TemplateText; faults: Fault[] } {
  const text = { name: fieldValue(values, 'name').trim(), description: fieldValue(values, 'description').trim() }
  const faults: Fault[] = []
  if (!text.name) faults.push({ field: 'name', code: 'missing' })
  if ([...text.name].length > MAX_NAME_LENGTH) faults.push({ field: 'name', code: 'too_long' })
  if ([...text.description].length > MAX_DESCRIPTION_LENGTH) faults.push({ field: 'description', code: 'too_long' })
  return { text, faults }
}

const crumbs = ({ context: { words } }: PageRequest) => [{ href: TEMPLATES, label: words.t('template.templates') }]

async function loadStarters(
  { context: { db, words }, csrfToken }: PageRequest,
  known: ReadonlySet<string>,
): Promise<StartersData> {
  return { words, csrfToken, language: sourceLanguageOf(words.language), organisation: await getOrganisation(db), known }
}

const templatesPage = viewPage({
  path: TEMPLATES,
  access: permission('add_event'),
  show: async (request) => {
    const { context, csrfToken } = request
    const { words, now } = context
    const templates = await findTemplates(context)
    const starters = await loadStarters(request, new Set())
    const main = templatesView({ words, now, csrfToken, templates, starters })
    return {
      title: words.t('template.templates'),
      main,
      breadcrumb: [{ href: '/events/', label: words.t('event.list') }],
      ...planAssets(),
    }
  },
})

const startersPage = formPage({
  path: STARTERS_PATH,
  access: permission('add_event'),
  form: starterForm,
  show: async (request) => {
    const { words } = request.context
    const kept = (await findTemplates(request.context)).filter(({ deletedAt }) => deletedAt === null)
    const main = startersView(await loadStarters(request, new Set(kept.map(({ name }) => name))))
    return { title: words.t('template.starters'), main, breadcrumb: crumbs(request), ...planAssets() }
  },
  submit: async ({ context: { words }, commandContext }, { starter }) => {
    const language = sourceLanguageOf(words.language)
    const { id, name, isNew } = await takeStarter(commandContext, { starter, language })
    const text = words.t(isNew ? 'template.taken' : 'template.taken_before', { name })
    return { redirect: templatePath(id, 'use'), flash: { kind: isNew ? 'good' : 'info', text } }
  },
})

const saveTemplatePage = (): Page => {
  const body = async (
    request: PageRequest<{ event: number }>,
    values: FormValues,
    errors: readonly FormError[],
  ): Promise<PageBody> => {
    const { context, csrfToken, path } = request
    const { words } = context
    const event = await requireEvent(request)
    const templates = (await findTemplates(context)).filter(({ deletedAt }) => deletedAt === null)
    const main = saveTemplateView({
      words,
      values: Object.keys(values).length ? values : { name: event.title, parts: [...TEMPLATE_PARTS] },
      errors,
      csrfToken,
      action: `/events/${path.event}/template/`,
      back: eventPath(event.id, event.title),
      title: words.t('template.save'),
      facts: event.title,
      submit: words.t('template.save_submit'),
      templates: templates.map(({ id, name }) => ({ value: id, label: name })),
    })
    return { title: words.t('template.save'), main, breadcrumb: [{ href: eventPath(event.id, event.title), label: event.title }] }
  }
  return formPage({
    path: '/events/{event}/template/',
    access: permission('add_event'),
    form: planForm,
    show: (request, refused) => body(request, refused?.values ?? {}, refused?.errors ?? []),
    submit: async (request, values) => {
      const { words } = request.context
      const event = await requireEvent(request)
      const { text, faults } = readText(values)
      if (faults.length) return { refused: faultErrors(words, faults) }
      const replaces = readId(fieldValue(values, 'replaces'))
      const parts = TEMPLATE_PARTS.filter((part) => fieldValues(values, 'parts').includes(part))
      await saveTemplate(request.commandContext, { eventId: event.id, text, parts, replaces })
      return { redirect: TEMPLATES, flash: { kind: 'good', text: words.t('template.saved', { name: text.name }) } }
    },
  })
}

async function requireEvent({ context, path }: PageRequest<{ event: number }>) {
  return requireFound(await getCopiedEvent(context.db, context.actor, path.event))
}

async function requireTemplate({ context, path }: PageRequest<{ id: number }>): Promise<Template> {
  return requireFound(await getTemplate(context.db, context.actor, path.id))
}

const editTemplatePage: Page = formPage({
  path: '/planning/templates/{id}/',
  access: permission('add_event'),
  form: planForm,
  show: async (request, refused) => {
    const { words } = request.context
    const { id, name, description } = await requireTemplate(request)
    const title = words.t('template.edit_named', { name })
    const main = editTemplateView({
      words,
      values: refused?.values ?? { name, description },
      errors: refused?.errors ?? [],
      csrfToken: request.csrfToken,
      action: templatePath(id),
      back: TEMPLATES,
      title,
      submit: words.t('plan.save'),
    })
    return { title, main, breadcrumb: crumbs(request) }
  },
  submit: async (request, values) => {
    const { words } = request.context
    const { id } = await requireTemplate(request)
    const { text, faults } = readText(values)
    if (faults.length) return { refused: faultErrors(words, faults) }
    await renameTemplate(request.commandContext, { id, text })
    return { redirect: TEMPLATES, flash: { kind: 'good', text: words.t('template.saved', { name: text.name }) } }
  },
})

/** The same day of the week as when the template was saved. */
function firstDayFor({ content }: Template, now: Date, timeZone: string): string {
  const saved = Temporal.PlainDate.from(content.date ?? dayOf(now, timeZone))
  return firstDayOn(saved.dayOfWeek, now, timeZone)
}

const useTemplatePage = (): Page => {
  const body = async (
    request: PageRequest,
    template: Template,
    values: FormValues,
    errors: readonly FormError[],
  ): Promise<PageBody> => {
    const { context, csrfToken } = request
    const { words, now } = context
    const today = words.inputDate(now)
    const chosen = readDates(values, today)
    const types = (await findTypeChoices(context)).map(({ id, title }) => ({ value: id, label: title }))
    if (!types.length) {
      const main = noTypesView(words)
      return { title: words.t('template.use'), main, breadcrumb: crumbs(request), ...planAssets() }
    }
    const main = useTemplateView({
      words,
      values: readDayFields(values, today),
      errors,
      csrfToken,
      action: templatePath(template.id, 'use'),
      name: template.name,
      // Without a type of its own, a person chooses: the browser would take the first.
      types: template.typeId === null ? [{ value: '', label: words.t('ui.choose') }, ...types] : types,
      dates: chosen.dates.map((date) => dayText(words, date)),
      rule: chosen.dates.length && chosen.rule ? ruleText(words, chosen.rule) : undefined,
    })
    return { title: words.t('template.use'), main, breadcrumb: crumbs(request), ...planAssets() }
  }
  return formPage({
    path: '/planning/templates/{id}/use/',
    access: permission('add_event'),
    form: planForm,
    show: async (request, refused) => {
      const { now, words } = request.context
      const template = await requireTemplate(request)
      const values = refused?.values ?? {
        ...recurrenceValues(firstDayFor(template, now, words.timeZone)),
        title: template.content.title,
        location: template.content.location,
        type: String(template.typeId ?? ''),
        linked: 'on',
      }
      return body(request, template, values, refused?.errors ?? [])
    },
    submit: async (request, values) => {
      const { words, now } = request.context
      const template = await requireTemplate(request)
      if (fieldValue(values, 'do') !== 'make') return body(request, template, values, [])
      const chosen = readDates(values, words.inputDate(now))
      const title = fieldValue(values, 'title').trim()
      const location = fieldValue(values, 'location').trim()
      const typeId = Number(fieldValue(values, 'type'))
      const known = (await findTypeChoices(request.context)).some(({ id }) => id === typeId)
      const faults: Fault[] = [
        ...(title ? [] : [{ field: 'title', code: 'missing' } as const]),
        ...([...title].length > MAX_NAME_LENGTH ? [{ field: 'title', code: 'too_long' } as const] : []),
        ...(location ? [] : [{ field: 'location', code: 'missing' } as const]),
        ...([...location].length > EVENT_FIELDS.location.maxLength ? [{ field: 'location', code: 'too_long' } as const] : []),
        ...(known ? [] : [{ field: 'type', code: 'unknown_type' } as const]),
        ...chosen.faults,
      ]
      if (faults.length) return { refused: faultErrors(words, faults) }
      const isLinked = isChecked(values, 'linked')
      const made = await useTemplate(request.commandContext, { id: template.id, title, location, typeId, chosen, isLinked })
      const { events, seriesId } = made
      const flash = { kind: 'good' as const, text: words.t('template.used', { count: events.length }) }
      if (seriesId !== undefined) return { redirect: seriesPath(seriesId), flash }
      const only = events.length === 1 ? events[0] : undefined
      return { redirect: only === undefined ? `${COPIES}?ids=${writeIdRanges(events)}` : eventPath(only, title), flash }
    },
  })
}

const deleteTemplatePage = actionPage({
  path: '/planning/templates/{id}/delete/',
  access: permission('add_event'),
  form: emptyForm,
  submit: async ({ context, commandContext, path }) => {
    const { name } = await binTemplate(commandContext, { id: path.id, isBinned: true })
    const undo = { action: templatePath(path.id, 'restore') }
    return { redirect: TEMPLATES, flash: { kind: 'info', text: context.words.t('template.deleted', { name }), undo } }
  },
})

const restoreTemplatePage = actionPage({
  path: '/planning/templates/{id}/restore/',
  access: permission('add_event'),
  form: emptyForm,
  submit: async ({ context, commandContext, path }) => {
    const { name } = await binTemplate(commandContext, { id: path.id, isBinned: false })
    return { redirect: TEMPLATES, flash: { kind: 'good', text: context.words.t('template.restored', { name }) } }
  },
})

export const templatePages: Page[] = [
  templatesPage,
  startersPage,
  saveTemplatePage(),
  editTemplatePage,
  useTemplatePage(),
  deleteTemplatePage,
  restoreTemplatePage,
]
