import { dayOf } from '#features/accounts/users/rules.ts'
import { refuseShift } from '#features/events/events/queries/refusals.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { addDays, mondayOf, readDay, startOfDay } from '#platform/i18n/days.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { fieldValues } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import {
  allocateResources,
  changeResource,
  changeResourceCategory,
  createResource,
  createResourceCategory,
  deleteResource,
  deleteResourceCategory,
} from './commands.ts'
import {
  type AllocatedShift,
  findAllocatedIds,
  findCategories,
  findOverlaps,
  findResources,
  findUses,
  getAllocatedShift,
  getResource,
} from './queries.ts'
import type { Category, Resource } from './rules.ts'
import { allocationForm, categoryForm, resourceForm } from './schema.ts'
import {
  allocationFields,
  allocationPath,
  CATEGORIES,
  categoryPath,
  RESOURCES,
  resourcePath,
  resourcesView,
  WEEK,
  weekView,
} from './views.ts'

const crumbs = (words: Words) => manageCrumbs(words, { href: RESOURCES, label: words.t('resources.list') })

const listPage = viewPage({
  path: RESOURCES,
  access: permission('view_resource'),
  show: async ({ context: { db, words, actor } }) => ({
    title: words.t('resources.list'),
    breadcrumb: manageCrumbs(words),
    main: resourcesView({
      words,
      categories: await findCategories(db),
      resources: await findResources(db),
      may: { add: hasPermission(actor, 'add_resource'), change: hasPermission(actor, 'change_resource') },
    }),
  }),
})

const newCategoryPage = formPage({
  path: `${CATEGORIES}new/`,
  access: permission('add_resource'),
  form: categoryForm.schema,
  show: async ({ context: { words }, csrfToken }, refused) => {
    const title = words.t('resources.category_new')
    const form = categoryForm.view({
      words,
      csrfToken,
      action: `${CATEGORIES}new/`,
      state: refused ?? categoryForm.state({}),
      submit: words.t('resources.save'),
      cancel: { href: RESOURCES },
    })
    return { title, breadcrumb: crumbs(words), main: html`${pageHeadView({ title })}${form}` }
  },
  submit: async ({ context: { words }, commandContext }, form) => {
    await createResourceCategory(commandContext, form)
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.saved', { name: form.name }) } }
  },
})

async function requireCategory({ context, path }: PageRequest<{ id: number }>): Promise<Category> {
  const category = (await findCategories(context.db)).find(({ id }) => id === path.id)
  if (!category) throw new Problem('not_found')
  return category
}

const categoryPage = formPage({
  path: `${CATEGORIES}{id}/`,
  access: permission('change_resource'),
  form: categoryForm.schema,
  show: async (request, refused) => {
    const { words, actor } = request.context
    const category = await requireCategory(request)
    const title = words.t('resources.edit', { name: category.name })
    const form = categoryForm.view({
      words,
      csrfToken: request.csrfToken,
      action: categoryPath(category.id),
      state: refused
        ? { ...refused, values: { ...refused.values, version: String(category.version) } }
        : categoryForm.state(category),
      submit: words.t('resources.save'),
      cancel: { href: RESOURCES },
      extra:
        hasPermission(actor, 'delete_resource') &&
        linkButtonView({
          href: `${categoryPath(category.id)}delete/`,
          label: words.t('resources.category_delete'),
          kind: 'quiet',
          icon: 'trash-2',
        }),
    })
    return { title, breadcrumb: crumbs(words), main: html`${pageHeadView({ title })}${form}` }
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = await changeResourceCategory(commandContext, path.id, form)
    if (!outcome) throw new Problem('not_found')
    if (!outcome.ok) return { refused: [{ text: words.t('resources.outdated') }], status: 409 }
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.saved', { name: form.name }) } }
  },
})

const deleteCategoryPage = formPage({
  path: `${CATEGORIES}{id}/delete/`,
  access: permission('delete_resource'),
  form: emptyForm,
  show: async (request, refused) => {
    const { words } = request.context
    const { id, name, count } = await requireCategory(request)
    const title = words.t('resources.delete_title', { name })
    const isUsed = count > 0 || refused !== undefined
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: `${categoryPath(id)}delete/`,
      submit: words.t('resources.category_delete'),
      cancel: { href: categoryPath(id) },
      consequences: [words.t(isUsed ? 'resources.category_in_use' : 'resources.category_delete_effect')],
    })
    return { title, breadcrumb: crumbs(words), main }
  },
  submit: async (request) => {
    const { words } = request.context
    const { id, name } = await requireCategory(request)
    const outcome = await deleteResourceCategory(request.commandContext, id)
    if (outcome === 'gone') throw new Problem('not_found')
    if (outcome === 'in_use') return { refused: [{ text: words.t('resources.category_in_use') }], status: 409 }
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.deleted', { name }) } }
  },
})

type ResourceFormData = {
  request: PageRequest
  title: string
  action: string
  state: ReturnType<typeof resourceForm.state>
  resource: Resource | undefined
}

async function resourceFormBody({ request, title, action, state, resource }: ResourceFormData) {
  const { context, csrfToken } = request
  const { words, db, actor } = context
  const categories = await findCategories(db)
  const form = resourceForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('resources.save'),
    cancel: { href: RESOURCES },
    extra:
      resource &&
      hasPermission(actor, 'delete_resource') &&
      linkButtonView({ href: `${action}delete/`, label: words.t('resources.delete'), kind: 'quiet', icon: 'trash-2' }),
    layout: (field) => [
      field('title'),
      field('category', { options: categories.map(({ id, name }) => ({ value: id, label: name })) }),
      field('version'),
    ],
  })
  return { title, breadcrumb: crumbs(words), main: html`${pageHeadView({ title })}${form}` }
}

const newResourcePage = formPage({
  path: `${RESOURCES}new/`,
  access: permission('add_resource'),
  form: resourceForm.schema,
  show: async (request, refused) =>
    resourceFormBody({
      request,
      title: request.context.words.t('resources.new'),
      action: `${RESOURCES}new/`,
      state: refused ?? resourceForm.state({}),
      resource: undefined,
    }),
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await createResource(commandContext, form)
    if (!outcome.ok) return { refused: [{ field: 'category', text: words.t('resources.category_missing') }] }
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.saved', { name: form.title }) } }
  },
})

async function requireResource({ context, path }: PageRequest<{ id: number }>): Promise<Resource> {
  const resource = await getResource(context.db, path.id)
  if (!resource) throw new Problem('not_found')
  return resource
}

const resourcePage = formPage({
  path: `${RESOURCES}{id}/`,
  access: permission('change_resource'),
  form: resourceForm.schema,
  show: async (request, refused) => {
    const resource = await requireResource(request)
    const { id, title, category_id, version } = resource
    return resourceFormBody({
      request,
      title: request.context.words.t('resources.edit', { name: title }),
      action: resourcePath(id),
      state: refused
        ? { ...refused, values: { ...refused.values, version: String(version) } }
        : resourceForm.state({ title, category: category_id, version }),
      resource,
    })
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = await changeResource(commandContext, path.id, form)
    if (!outcome) throw new Problem('not_found')
    if (!outcome.ok && outcome.reason === 'outdated') return { refused: [{ text: words.t('resources.outdated') }], status: 409 }
    if (!outcome.ok) return { refused: [{ field: 'category', text: words.t('resources.category_missing') }] }
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.saved', { name: form.title }) } }
  },
})

const deleteResourcePage = formPage({
  path: `${RESOURCES}{id}/delete/`,
  access: permission('delete_resource'),
  form: emptyForm,
  show: async (request) => {
    const { words } = request.context
    const { id, title: name } = await requireResource(request)
    const title = words.t('resources.delete_title', { name })
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: `${resourcePath(id)}delete/`,
      submit: words.t('resources.delete'),
      cancel: { href: resourcePath(id) },
      consequences: [words.t('resources.delete_effect')],
    })
    return { title, breadcrumb: crumbs(words), main }
  },
  submit: async ({ context: { words }, commandContext, path }) => {
    const resource = await deleteResource(commandContext, path.id)
    if (!resource) throw new Problem('not_found')
    return { redirect: RESOURCES, flash: { kind: 'good', text: words.t('resources.deleted', { name: resource.title }) } }
  },
})

/** For people who plan events, too: they need to know what is free. */
const weekPage = viewPage({
  path: WEEK,
  access: signedIn,
  show: async ({ context, query }) => {
    const { words, now, db, actor, site } = context
    if (!hasPermission(actor, 'view_resource') && !hasPermission(actor, 'add_event')) throw new Problem('permission_denied')
    const monday = mondayOf(readDay(query.get('from')) ?? dayOf(now, site.timeZone))
    const chosen = query.get('resource') ?? ''
    const [categories, resources, uses] = await Promise.all([
      findCategories(db),
      findResources(db),
      findUses(context, startOfDay(monday, site.timeZone), startOfDay(addDays(monday, 7), site.timeZone)),
    ])
    const resource = resources.find(({ id }) => String(id) === chosen)?.id
    const main = weekView({ words, now, categories, resources, resource, monday, uses })
    return {
      title: words.t('resources.week'),
      breadcrumb: hasPermission(actor, 'view_resource') ? crumbs(words) : [],
      main,
      wide: true,
    }
  },
})

async function requireShift({ context, path }: PageRequest<{ shift: number }>): Promise<AllocatedShift> {
  const shift = await getAllocatedShift(context, path.shift)
  if (!shift) throw await refuseShift(context.db, context.actor, path.shift)
  return shift
}

const allocationPage = formPage({
  path: '/shifts/{shift}/resources/',
  access: signedIn,
  form: allocationForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken } = request
    const { words, db, now } = context
    const shift = await requireShift(request)
    const [categories, resources, stored, overlaps] = await Promise.all([
      findCategories(db),
      findResources(db),
      findAllocatedIds(db, shift.id),
      findOverlaps(context, shift),
    ])
    const title = words.t('resources.of_shift')
    const back = `${eventPath(shift.eventId, shift.eventTitle)}#shift-${shift.id}`
    const state = refused ?? allocationForm.state({ resources: stored })
    const chosen = fieldValues(state.values, 'resources')
    const form = allocationForm.view({
      words,
      csrfToken,
      state,
      action: allocationPath(shift.id),
      submit: words.t('resources.save'),
      cancel: { href: back },
      layout: () => allocationFields({ words, categories, resources, chosen, overlaps }),
    })
    const span = words.span(shift.start, shift.end, now)
    const manage =
      hasPermission(context.actor, 'view_resource') && linkButtonView({ href: RESOURCES, label: words.t('resources.list') })
    return {
      title,
      breadcrumb: [{ href: eventPath(shift.eventId, shift.eventTitle), label: shift.eventTitle }],
      main: html`${pageHeadView({ title, facts: shift.label ? `${shift.label}, ${span}` : span })}${
        resources.length ? form : emptyView({ icon: 'truck', text: words.t('resources.none_to_choose'), action: manage })
      }`,
    }
  },
  submit: async (request, { resources }) => {
    const { context, commandContext, path } = request
    const { words } = context
    const { eventId, eventTitle, id } = await requireShift(request)
    const outcome = await allocateResources(commandContext, path.shift, resources)
    if (!outcome) throw await refuseShift(context.db, context.actor, path.shift)
    if (!outcome.ok) return { refused: [{ text: words.t('resources.unknown') }], status: 409 }
    return {
      redirect: `${eventPath(eventId, eventTitle)}#shift-${id}`,
      flash: outcome.isChanged
        ? { kind: 'good', text: words.t('resources.allocated') }
        : { kind: 'info', text: words.t('resources.unchanged') },
    }
  },
})

export const resourcePages: Page[] = [
  listPage,
  weekPage,
  newCategoryPage,
  categoryPage,
  deleteCategoryPage,
  newResourcePage,
  resourcePage,
  deleteResourcePage,
  allocationPage,
]
