import { GROUPS } from '#features/people/views/groups.ts'
import { PEOPLE } from '#features/people/views/people.ts'
import { open } from '#platform/http/access.ts'
import { type Page, viewPage } from '#platform/http/page.ts'

/** Addresses of ephios that people have bookmarked, and where the page is here. The id stays the same. */
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
  ['/settings/federation/', '/manage/federation/'],
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

export const formerAddressPages: Page[] = FORMER_ADDRESSES.map(([former, here]) =>
  viewPage({
    path: former,
    access: open('it only leads to the page that checks the access'),
    show: async ({ path }) => ({ redirect: here.replace('{id}', String((path as { id?: number }).id)) }),
  }),
)
