import { PROVIDERS } from '#features/access/identity-providers/views/manage.ts'
import { GROUPS } from '#features/accounts/people/views/groups.ts'
import { PEOPLE } from '#features/accounts/people/views/people.ts'
import { IMPORT } from '#features/accounts/qualifications/views/catalogue-import.ts'
import { QUALIFICATIONS } from '#features/accounts/qualifications/views/qualifications.ts'
import { REQUESTS } from '#features/accounts/requests/views.ts'
import { BLOCKS } from '#features/events/building-blocks/views/list.ts'
import { PAGES } from '#features/events/content-pages/views.ts'
import { TYPES } from '#features/events/events/views/event-types.ts'
import { getReadableEvent } from '#features/events/files/queries.ts'
import { eventFilesPath } from '#features/events/files/rules.ts'
import { FILES, storedPath } from '#features/events/files/views.ts'
import { QUESTIONS } from '#features/events/questionnaires/views.ts'
import { RESOURCES } from '#features/events/resources/views.ts'
import { INBOX_PATH } from '#features/messaging/inbox/views/inbox.ts'
import { HOURS, MY_SHIFTS } from '#features/on-the-day/hours/views/hours.ts'
import { REQUEST } from '#features/on-the-day/hours/views/my-shifts.ts'
import { NEW_EVENT } from '#features/planning/planning/views/editor.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'

/** Addresses of ephios that people have in bookmarks, mails and on paper, and where the page is here. Ids stay the same. */
export const FORMER_ADDRESSES: [former: string, here: string][] = [
  ['/users/', PEOPLE],
  ['/users/create/', `${PEOPLE}new/`],
  ['/users/{id}/', `${PEOPLE}{id}/`],
  ['/users/{id}/edit/', `${PEOPLE}{id}/`],
  ['/users/{id}/delete/', `${PEOPLE}{id}/`],
  ['/groups/', GROUPS],
  ['/groups/create/', `${GROUPS}new/`],
  ['/groups/{id}/', `${GROUPS}{id}/`],
  ['/groups/{id}/edit/', `${GROUPS}{id}/`],
  ['/groups/{id}/delete/', `${GROUPS}{id}/`],
  ['/events/create/{id}/', `${NEW_EVENT}?type={id}`],
  // The page of a draft has the button that publishes it.
  ['/events/{event}/activate/', '/events/{event}/'],
  ['/events/{event}/copy/', '/events/{event}/duplicate/'],
  ['/events/{event}/createshift/', '/events/{event}/shifts/new/'],
  ['/events/{event}/pdf/', '/events/{event}/roster/'],
  ['/consequences/{id}/edit/', REQUESTS],
  ['/documents/', FILES],
  ['/log/', '/manage/log/'],
  ['/notifications/{id}/', INBOX_PATH],
  ['/page/{slug}/', '/pages/{slug}/'],
  ['/questions/', QUESTIONS],
  ['/questions/{id}/edit/', `${QUESTIONS}{id}/`],
  ['/resources/', RESOURCES],
  ['/resources/categories/', RESOURCES],
  ['/workinghours/', HOURS],
  ['/workinghours/own/', MY_SHIFTS],
  ['/workinghours/own/request/', REQUEST],
  ['/workinghours/user/{id}/', `${HOURS}{id}/`],
  ['/settings/eventtypes/', TYPES],
  ['/settings/eventtypes/create/', `${TYPES}new/`],
  ['/settings/eventtypes/{id}/edit/', `${TYPES}{id}/`],
  ['/settings/federation/', '/manage/federation/'],
  ['/settings/idp/', PROVIDERS],
  ['/settings/idp/{id}/edit/', `${PROVIDERS}{id}/`],
  ['/settings/instance/', '/manage/instance/'],
  ['/settings/pages/', PAGES],
  ['/settings/password_change/', '/settings/security/'],
  ['/settings/qualifications/{id}/edit/', `${QUALIFICATIONS}{id}/`],
  // Categories are edited on the list of qualifications.
  ['/settings/qualifications/categories/', QUALIFICATIONS],
  ['/settings/qualifications/export/', `${QUALIFICATIONS}export/`],
  ['/settings/qualifications/import/', IMPORT],
  ['/settings/saved-answers/', '/settings/answers/'],
  ['/settings/signup-blocks/', BLOCKS],
  ['/oidc/initiate/{id}/', '/accounts/oidc/{id}/'],
  ['/manifest.json', '/manifest.webmanifest'],
  ['/accounts/password_reset/', '/accounts/reset/'],
  ['/accounts/password_reset/done/', '/accounts/reset/'],
  // The link of an old mail: its token is not imported, so people ask for a new one.
  ['/accounts/reset/{uid}/{token}/', '/accounts/reset/'],
  ['/accounts/password_change/', '/settings/security/'],
  ['/accounts/password_change/done/', '/settings/security/'],
  ['/api/settings/token/create/', '/settings/tokens/new/'],
  ['/api/settings/token/reveal/{id}/', '/settings/tokens/'],
  ['/api/settings/applications/register/', '/manage/applications/new/'],
  ['/api/settings/applications/{id}/', '/manage/applications/{id}/'],
  ['/api/settings/applications/{id}/update/', '/manage/applications/{id}/'],
  ['/api/settings/applications/{id}/delete/', '/manage/applications/{id}/'],
]

/**
 * A file of ephios has one address; here it has one below each of its events. Whoever sees none of them, and does not manage files, gets
 * the answer for a file that does not exist.
 */
const documentPage = viewPage({
  path: '/documents/{id}/',
  access: signedIn,
  show: async ({ context, path }) => {
    const eventId = await getReadableEvent(context, path.id)
    if (eventId !== undefined) return { redirect: `${eventFilesPath(eventId)}${path.id}/` }
    if (hasPermission(context.actor, 'change_file')) return { redirect: storedPath(path.id) }
    throw new Problem('not_found')
  },
})

const fillIn = (template: string, parameters: Record<string, unknown>): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))

export const formerAddressPages: Page[] = [
  ...FORMER_ADDRESSES.map(([former, here]) =>
    viewPage({
      path: former,
      access: open('it only leads to the page that checks the access'),
      show: async ({ path }) => ({ redirect: fillIn(here, path as Record<string, unknown>) }),
    }),
  ),
  documentPage,
]
