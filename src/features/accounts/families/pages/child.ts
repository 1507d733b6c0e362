import { proposeChange } from '#features/accounts/own-profile/commands/proposals.ts'
import { proposalForm } from '#features/accounts/own-profile/schema.ts'
import { endGuardianship, setChildInCalendar } from '#features/accounts/users/commands/guardians.ts'
import { changeOwnDetails } from '#features/accounts/users/commands/own-details.ts'
import { findChildren, findGuardians, getChildActor } from '#features/accounts/users/queries/guardians.ts'
import { getOwnAccount } from '#features/accounts/users/queries/own-account.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { ownDetailsForm } from '#features/accounts/users/schema.ts'
import { findUpcomingEvents } from '#features/events/browse/queries/events.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { accountSettings } from '#features/operations/settings/schema/settings.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { isOn } from '#platform/features/modules.ts'
import { signedIn } from '#platform/http/access.ts'
import {
  actionPage,
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type PageResponse,
  type Refused,
} from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { wordsAboutChild } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { findShiftsOfChildren } from '../queries.ts'
import { childPath, FAMILY } from '../rules.ts'
import { calendarForm } from '../schema.ts'
import { childView, proposalView } from '../views.ts'

type ChildRequest = PageRequest<{ child: number }>

export function requireUser({ actor }: RequestContext): UserActor {
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return actor
}

/** The request as the child. 404 for everybody else's children, so that ids of people cannot be probed. */
async function asChild<Request extends PageRequest>(request: Request): Promise<Request> {
  const { context, commandContext, path } = request
  const actor = requireFound(await getChildActor(context, (path as { child: number }).child))
  const words = wordsAboutChild(context.words, actor.displayName)
  return { ...request, context: { ...context, actor, words }, commandContext: { ...commandContext, actor } }
}

/** What happened is said with the name of the child. */
function named<Response extends PageResponse | object>(response: Response, name: string): Response {
  if (!('redirect' in response) || !('flash' in response) || !response.flash) return response
  const flash = response.flash as { text: string }
  const text = flash.text.includes(name) ? flash.text : `${name}: ${flash.text}`
  return { ...response, flash: { ...flash, text, short: undefined } }
}

/** A page of a person, under a path with the parameter `child`, for their guardian. */
export function forChild(page: Page): Page {
  const nameOf = (request: PageRequest) => requireUser(request.context).displayName
  if (page.kind === 'view') return { ...page, show: async (request: PageRequest) => page.show((await asChild(request)) as never) }
  const submit = async (request: PageRequest, input: unknown) => {
    const own = await asChild(request)
    return named(await page.submit(own as never, input), nameOf(own))
  }
  if (page.kind === 'action') return { ...page, submit } as Page
  return {
    ...page,
    show: async (request, refused) => page.show((await asChild(request)) as never, refused),
    submit,
  } as Page
}

async function showChild(request: ChildRequest, refusedDetails?: Refused): Promise<PageBody> {
  const { context, csrfToken } = request
  const { db, words, now, site } = context
  const guardian = requireUser(context)
  const own = await asChild(request)
  const actor = requireUser(own.context)
  const [account, guardians, children, shifts, events, settings] = await Promise.all([
    getOwnAccount(own.context),
    findGuardians(context, actor.userId),
    findChildren(context, guardian.userId),
    findShiftsOfChildren(context, [actor], MAX_SHIFTS),
    findUpcomingEvents(own.context, MAX_EVENTS),
    getSettings(db, accountSettings),
  ])
  if (!account) throw new Problem('not_found')
  const main = childView({
    words,
    now,
    today: dayOf(now, site.timeZone),
    csrfToken,
    childId: actor.userId,
    account,
    isInCalendar: children.some(({ userId, isInCalendar }) => userId === actor.userId && isInCalendar),
    guardians,
    shifts,
    events,
    refusedDetails,
    isNameLocked: settings.own_name_locked,
    hasAvailability: isOn(site, 'availability'),
  })
  return { title: account.name, breadcrumb: [{ href: FAMILY, label: words.t('families.title') }], main }
}

const childCrumbs = ({ context, path }: ChildRequest, name: string) => [
  { href: FAMILY, label: context.words.t('families.title') },
  { href: childPath(path.child), label: name },
]

export const childPages: Page[] = [
  formPage({
    path: '/family/{child}/',
    access: signedIn,
    form: emptyForm,
    show: (request) => showChild(request),
    submit: async ({ path }) => ({ redirect: childPath(path.child) }),
  }),
  formPage({
    path: '/family/{child}/details/',
    access: signedIn,
    form: ownDetailsForm.schema,
    show: (request, refused) => showChild(request, refused),
    submit: async (request, form) => {
      const { context, commandContext } = await asChild(request)
      const { words } = context
      const outcome = await changeOwnDetails(commandContext, form)
      if (!outcome.ok) {
        const text = words.t(`people.refused_${outcome.reason}`)
        return { refused: outcome.fields.map((field) => ({ field, text })) }
      }
      const text = words.t(outcome.isChanged ? 'families.saved' : 'settings.own_unchanged')
      return { redirect: childPath(request.path.child), flash: { kind: outcome.isChanged ? 'good' : 'info', text } }
    },
  }),
  formPage({
    path: '/family/{child}/propose/',
    access: signedIn,
    form: proposalForm.schema,
    show: async (request, refused) => {
      const { context, csrfToken } = await asChild(request)
      const { words, now, site, db } = context
      const account = requireFound(await getOwnAccount(context))
      const { own_name_locked: isNameLocked } = await getSettings(db, accountSettings)
      const state = refused ?? proposalForm.state({ name: account.name, date_of_birth: account.dateOfBirth })
      const today = dayOf(now, site.timeZone)
      const main = proposalView({ words, csrfToken, childId: request.path.child, state, isNameLocked, today })
      return { title: words.t('families.propose'), breadcrumb: childCrumbs(request, account.name), main }
    },
    submit: async (request, form) => {
      const { context, commandContext } = await asChild(request)
      const { words } = context
      const outcome = await proposeChange(commandContext, form)
      if (!outcome.ok) return { refused: [{ field: outcome.field, text: words.t(`profiles.propose_${outcome.reason}`) }] }
      return { redirect: childPath(request.path.child), flash: { kind: 'good', text: words.t('profiles.proposed') } }
    },
  }),
  actionPage({
    path: '/family/{child}/calendar/',
    access: signedIn,
    form: calendarForm.schema,
    submit: async ({ context: { words }, commandContext, path }, { in_calendar }) => {
      await setChildInCalendar(commandContext, path.child, in_calendar)
      return { redirect: childPath(path.child), flash: { kind: 'good', text: words.t('families.calendar_saved') } }
    },
  }),
  formPage({
    path: '/family/{child}/end/',
    access: signedIn,
    form: emptyForm,
    show: async (request) => {
      const { context } = await asChild(request)
      const { words } = context
      const { displayName: name } = requireUser(context)
      const title = words.t('families.end_title', { name })
      const main = confirmView({
        words,
        title,
        csrfToken: request.csrfToken,
        danger: true,
        consequences: [words.t('families.end_first', { name }), words.t('families.end_second'), words.t('families.end_third')],
        action: childPath(request.path.child, 'end'),
        submit: words.t('families.end'),
        cancel: { href: childPath(request.path.child) },
      })
      return { title, breadcrumb: childCrumbs(request, name), main }
    },
    submit: async (request) => {
      const { context } = await asChild(request)
      const { words } = context
      const { displayName: name, userId: childId } = requireUser(context)
      await endGuardianship(request.commandContext, { guardianId: requireUser(request.context).userId, childId })
      return { redirect: FAMILY, flash: { kind: 'info', text: words.t('families.ended', { name }) } }
    },
  }),
]

export const MAX_SHIFTS = 20
export const MAX_EVENTS = 20
