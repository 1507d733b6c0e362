import { type Actor, hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, type Refused, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE, type FormState, fieldValues } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import {
  archiveEventType,
  changeEventType,
  createEventType,
  deleteEventType,
  moveEvents,
  restoreEventType,
} from '../commands/event-types.ts'
import {
  type EventType,
  findEventTypes,
  findNamesToOffer,
  findPeopleNamed,
  findTypeChoices,
  getEventType,
} from '../queries/event-types.ts'
import { eventTypeForm, moveEventsForm, newEventTypeForm } from '../schema/event-types.ts'
import {
  moveView,
  newTypeView,
  TYPES,
  type TypeRights,
  typeInUseView,
  typeListView,
  typePath,
  typeView,
} from '../views/event-types.ts'

const rightsOf = (actor: Actor): TypeRights => ({
  add: hasPermission(actor, 'add_event_type'),
  change: hasPermission(actor, 'change_event_type'),
  move: hasPermission(actor, 'change_event_type') && hasPermission(actor, 'change_event'),
  delete: hasPermission(actor, 'delete_event_type'),
})

const crumbs = (words: Words, type?: EventType) =>
  manageCrumbs(
    words,
    { href: TYPES, label: words.t('event_type.list') },
    ...(type ? [{ href: typePath(type.id), label: type.title }] : []),
  )

async function requireType({ context, path }: PageRequest<{ id: number }>): Promise<EventType> {
  return requireFound(await getEventType(context.db, path.id))
}

const head = html`<link rel="stylesheet" href="${assetUrl('catalogue.css')}">`

const listPage = viewPage({
  path: TYPES,
  access: permission('view_event_type'),
  show: async ({ context: { words, db, actor } }) => ({
    title: words.t('event_type.list'),
    breadcrumb: manageCrumbs(words),
    main: typeListView(words, await findEventTypes(db), rightsOf(actor)),
    head,
  }),
})

const newPage = formPage({
  path: `${TYPES}new/`,
  access: permission('add_event_type'),
  form: newEventTypeForm.schema,
  show: async ({ context: { words }, csrfToken }, refused) => ({
    title: words.t('event_type.new'),
    breadcrumb: crumbs(words),
    main: newTypeView({ words, csrfToken, state: refused ?? EMPTY_STATE }),
  }),
  submit: async ({ context, commandContext }, form) => {
    const id = await createEventType(commandContext, form)
    const text = context.words.t('event_type.created', { title: form.title })
    return { redirect: hasPermission(context.actor, 'change_event_type') ? typePath(id) : TYPES, flash: { kind: 'good', text } }
  },
})

const storedState = (type: EventType): FormState =>
  eventTypeForm.state({
    title: type.title,
    color: type.color,
    show_participant_data: type.showParticipantData,
    default_description: type.defaultDescription,
    audience: type.visibleForAllGroups ? 'all' : 'chosen',
    audience_groups: type.audienceGroups,
    responsible_groups: type.responsibleGroups,
    responsible_users: type.responsibleUsers,
    required_qualifications: type.requiredQualifications,
  })

async function showType(request: PageRequest<{ id: number }>, refused?: Refused): Promise<PageBody> {
  const type = await requireType(request)
  const { words, db, actor } = request.context
  const { values, errors } = refused ?? storedState(type)
  const users = fieldValues(values, 'responsible_users')
    .filter((id) => /^\d{1,15}$/.test(id))
    .map(Number)
  const main = typeView({
    words,
    csrfToken: request.csrfToken,
    // The stored version also after a conflict: saving again is meant to overwrite.
    state: { values: { ...values, version: String(type.version) }, errors },
    type,
    rights: rightsOf(actor),
    choices: await findTypeChoices(db, users),
    names: hasPermission(actor, 'view_user') ? await findNamesToOffer(db) : [],
  })
  return { title: type.title, breadcrumb: crumbs(words), main, head }
}

/** Ids of the people in a comma-separated text, or errors. */
async function readPeople({ db, words }: RequestContext, text: string): Promise<{ ids: number[]; errors: FormError[] }> {
  const ids: number[] = []
  for (const name of text
    .split(/[,;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)) {
    const found = await findPeopleNamed(db, name)
    if (found.length !== 1) {
      const key = found.length ? 'event_type.ambiguous' : 'event_type.nobody'
      return { ids, errors: [{ field: 'add_responsible', text: words.t(key, { text: name }) }] }
    }
    ids.push(found[0]!.id)
  }
  return { ids, errors: [] }
}

const editPage = formPage({
  path: `${TYPES}{id}/`,
  access: permission('change_event_type'),
  form: eventTypeForm.schema,
  show: showType,
  submit: async (request, { add_responsible, ...form }) => {
    const { id } = await requireType(request)
    const { words } = request.context
    const { ids, errors } = await readPeople(request.context, add_responsible)
    if (form.audience === 'chosen' && !form.audience_groups.length)
      errors.push({ field: 'audience_groups', text: words.t('event_type.audience_missing') })
    if (errors.length) return { refused: errors }
    const responsible_users = [...new Set([...form.responsible_users, ...ids])]
    const outcome = await changeEventType(request.commandContext, id, { ...form, responsible_users })
    if (outcome.ok) return { redirect: TYPES, flash: { kind: 'good', text: words.t('event_type.saved', { title: form.title }) } }
    if (outcome.reason === 'gone') throw new Problem('not_found')
    return { refused: [{ text: words.t(`event_type.${outcome.reason}`) }], status: 409 }
  },
})

const archivePage = formPage({
  path: `${TYPES}{id}/archive/`,
  access: permission('change_event_type'),
  form: emptyForm,
  show: async (request) => {
    const type = await requireType(request)
    const { words } = request.context
    const title = words.t('event_type.archive_title', { title: type.title })
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: typePath(type.id, 'archive'),
      danger: false,
      consequences: [
        words.t('event_type.archive_first'),
        words.t('event_type.archive_second', { count: type.eventCount }),
        words.t('event_type.archive_third'),
      ],
      submit: words.t('event_type.archive'),
      cancel: { href: typePath(type.id) },
    })
    return { title, breadcrumb: crumbs(words, type), main }
  },
  submit: async (request) => {
    const { id, title } = await requireType(request)
    if (!(await archiveEventType(request.commandContext, id))) throw new Problem('not_found')
    const text = request.context.words.t('event_type.archived_done', { title })
    return { redirect: TYPES, flash: { kind: 'good', text, undo: { action: typePath(id, 'restore') } } }
  },
})

const restorePage = actionPage({
  path: `${TYPES}{id}/restore/`,
  access: permission('change_event_type'),
  form: emptyForm,
  submit: async (request) => {
    const { id, title } = await requireType(request)
    if (!(await restoreEventType(request.commandContext, id))) throw new Problem('not_found')
    return { redirect: typePath(id), flash: { kind: 'good', text: request.context.words.t('event_type.restored', { title }) } }
  },
})

/** Moving changes events, so it needs their permission, too. */
function requireEvents({ context }: PageRequest): void {
  if (!hasPermission(context.actor, 'change_event')) throw new Problem('permission_denied')
}

const movePage = formPage({
  path: `${TYPES}{id}/move/`,
  access: permission('change_event_type'),
  form: moveEventsForm.schema,
  show: async (request, refused) => {
    requireEvents(request)
    const type = await requireType(request)
    const { words, db } = request.context
    const others = (await findEventTypes(db)).filter(({ id, archivedAt }) => id !== type.id && !archivedAt)
    const main = moveView({ words, csrfToken: request.csrfToken, state: refused ?? EMPTY_STATE, type, others })
    return { title: words.t('event_type.move_title', { title: type.title }), breadcrumb: crumbs(words, type), main }
  },
  submit: async (request, { to }) => {
    requireEvents(request)
    const { id } = await requireType(request)
    const { words } = request.context
    const outcome = await moveEvents(request.commandContext, id, { to })
    if (!outcome.ok) {
      if (outcome.reason === 'gone') throw new Problem('not_found')
      return { refused: [{ field: 'to', text: words.t('event_type.move_missing') }] }
    }
    const target = await getEventType(request.commandContext.db, to)
    const text = words.t('event_type.moved', { count: outcome.count, title: target?.title ?? '' })
    return { redirect: typePath(id), flash: { kind: 'good', text } }
  },
})

const deletePage = formPage({
  path: `${TYPES}{id}/delete/`,
  access: permission('delete_event_type'),
  form: emptyForm,
  show: async (request, refused) => {
    const type = await requireType(request)
    const { words } = request.context
    const title = words.t('event_type.delete_title', { title: type.title })
    if (type.eventCount) {
      const main = typeInUseView({ words, type, rights: rightsOf(request.context.actor) })
      return { title, breadcrumb: crumbs(words, type), main }
    }
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: typePath(type.id, 'delete'),
      text: refused?.errors[0]?.text,
      consequences: [words.t('event_type.delete_first'), words.t('event_type.delete_second')],
      submit: words.t('event_type.delete_submit'),
      cancel: { href: typePath(type.id) },
    })
    return { title, breadcrumb: crumbs(words, type), main }
  },
  submit: async (request) => {
    const { id, title } = await requireType(request)
    const { words } = request.context
    const outcome = await deleteEventType(request.commandContext, id)
    if (outcome.ok) return { redirect: TYPES, flash: { kind: 'good', text: words.t('event_type.deleted', { title }) } }
    if (outcome.reason === 'gone') throw new Problem('not_found')
    const { eventCount } = await requireType({ ...request, context: { ...request.context, db: request.commandContext.db } })
    const text = eventCount ? words.t('event_type.delete_used', { count: eventCount }) : words.t('event_type.delete_raced')
    return { refused: [{ text }], status: 409 }
  },
})

export const eventTypePages: Page[] = [listPage, newPage, editPage, archivePage, restorePage, movePage, deletePage]
