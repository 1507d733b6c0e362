import { addChild } from '#features/accounts/users/commands/guardians.ts'
import { findChildActors, findChildren, getChildActor } from '#features/accounts/users/queries/guardians.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import type { MountContext, PageMount } from '#features/staffing/participations/mount.ts'
import { getEventDetails } from '#features/staffing/participations/queries/event-details.ts'
import { familyLinks } from '#features/staffing/participations/rules/links.ts'
import type { HomeLink } from '#platform/features/home.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest, type UserRequest, type ViewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { findShiftsOfChildren } from '../queries.ts'
import { childPath, FAMILY } from '../rules.ts'
import { childForm, familySettings } from '../schema.ts'
import { bannerView, familyView } from '../views.ts'
import { forChild, MAX_SHIFTS, requireUser } from './child.ts'

/** Event, sign-up and decline as a child; to be wrapped with `forChild`. */
export const familyMount: PageMount = {
  access: signedIn,
  paths: {
    signup: '/family/{child}/shifts/{shift}/signup/',
    decline: '/family/{child}/shifts/{shift}/decline/',
    undo: '/family/{child}/shifts/{shift}/undo/',
  },
  authorize: async ({ context, path }): Promise<MountContext> => {
    const { userId, displayName } = requireUser(context)
    const eventId = (path as { event?: number }).event
    return {
      links: familyLinks(userId),
      ...(eventId === undefined ? {} : { eventId }),
      banner: bannerView(context.words, displayName),
    }
  },
}
export const FAMILY_EVENT_PATH = '/family/{child}/events/{event}/'

/** The event page as a child. Guardians who see the event themselves get the ordinary page, which shows all of the family. */
export function familyEventPage(page: Page): Page {
  const own = forChild(page) as ViewPage
  return {
    ...own,
    show: async (request: PageRequest) => {
      const event = await getEventDetails(request.context, (request.path as { event: number }).event)
      const child = await getChildActor(request.context, (request.path as { child: number }).child)
      return event && child ? { redirect: eventPath(event.id, event.title) } : own.show(request as never)
    },
  }
}

/** For guardians. */
export async function familyLink({ context }: UserRequest): Promise<HomeLink | undefined> {
  const children = await findChildActors(context)
  if (!children.length) return undefined
  const shifts = await findShiftsOfChildren(context, children, MAX_SHIFTS)
  return { href: FAMILY, label: context.words.t('families.shifts'), icon: 'users', count: shifts.length }
}

export const familyPage = formPage({
  path: FAMILY,
  access: signedIn,
  form: childForm.schema,
  show: async ({ context, csrfToken }, refused) => {
    const { db, words, now, site } = context
    const { userId } = requireUser(context)
    const [children, actors, settings] = await Promise.all([
      findChildren(context, userId),
      findChildActors(context),
      getSettings(db, familySettings),
    ])
    const main = familyView({
      words,
      now,
      today: dayOf(now, site.timeZone),
      csrfToken,
      children,
      shifts: await findShiftsOfChildren(context, actors, MAX_SHIFTS),
      form: settings.people_add_children ? (refused ?? EMPTY_STATE) : undefined,
    })
    return { title: words.t('families.title'), main }
  },
  submit: async ({ context, commandContext }, { name, date_of_birth: dateOfBirth }) => {
    const { words, db, now, site } = context
    const settings = await getSettings(db, familySettings)
    if (!settings.people_add_children) throw new Problem('permission_denied')
    if (dateOfBirth !== null && dateOfBirth > dayOf(now, site.timeZone))
      return { refused: [{ field: 'date_of_birth', text: words.t('people.refused_date_of_birth_future') }] }
    const outcome = await addChild(commandContext, {
      name,
      dateOfBirth,
      groupName: settings.children_group,
      endsAtAge: !settings.guardianship_stays,
    })
    if (!outcome.ok) return { refused: [{ field: 'name', text: words.t(`families.refused_${outcome.reason}`) }] }
    return { redirect: childPath(outcome.childId), flash: { kind: 'good', text: words.t('families.added', { name }) } }
  },
})
