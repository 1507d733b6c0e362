import type { ChapterName } from './contents.ts'

/** The chapter for pages at and below a path; `*` is any one segment. The longest that matches counts. */
export const TARGETS: Readonly<Record<string, ChapterName>> = {
  '/': 'volunteers',
  '/accounts/': 'volunteers',
  '/accounts/first-administrator/': 'first-evening',
  '/api/': 'connecting',
  '/asked/': 'volunteers',
  '/calendar/': 'volunteers',
  '/check-in/': 'the-day',
  '/device/': 'volunteers',
  '/events/': 'volunteers',
  '/events/bin/': 'first-event',
  '/events/copies/': 'series',
  '/events/new/': 'first-event',
  '/events/*/board/': 'first-event',
  '/events/*/cancel/': 'first-event',
  '/events/*/check-in/': 'the-day',
  '/events/*/check-in/hours/': 'afterwards',
  '/events/*/delete/': 'first-event',
  '/events/*/duplicate/': 'series',
  '/events/*/edit/': 'first-event',
  '/events/*/grid/': 'festival',
  '/events/*/guests/': 'festival',
  '/events/*/log/': 'afterwards',
  '/events/*/message/': 'the-day',
  '/events/*/programme/': 'festival',
  '/events/*/roster/': 'the-day',
  '/events/*/series/': 'series',
  '/events/*/shifts/': 'festival',
  '/events/*/template/': 'series',
  '/family/': 'volunteers',
  '/guests/': 'volunteers',
  '/imprint/': 'volunteers',
  '/join/': 'volunteers',
  '/manage/': 'first-evening',
  '/manage/applications/': 'connecting',
  '/manage/expiring/': 'qualifications',
  '/manage/groups/': 'groups',
  '/manage/fill/': 'asking',
  '/manage/groups/*/join-links/': 'poster',
  '/manage/hours/': 'afterwards',
  '/manage/people/': 'leaving',
  '/manage/people/actions/': 'members-from-excel',
  '/manage/people/export/': 'members-from-excel',
  '/manage/people/import/': 'members-from-excel',
  '/manage/people/new/': 'members-from-excel',
  '/manage/people/select/': 'members-from-excel',
  '/manage/people/*/guardians/': 'turning-18',
  '/manage/people/*/grant/': 'qualifications',
  '/manage/people/*/revoke/': 'lost-phone',
  '/manage/people/*/second-factor/': 'lost-phone',
  '/manage/people/*/view/': 'groups',
  '/manage/privacy/': 'data-protection',
  '/manage/qualifications/': 'qualifications',
  '/manage/requests/': 'qualifications',
  '/manage/second-factor/': 'lost-phone',
  '/manage/service-accounts/': 'connecting',
  '/manage/status/': 'backup-test',
  '/manage/webhooks/': 'connecting',
  '/my-shifts/': 'volunteers',
  '/notifications/': 'volunteers',
  '/offered/': 'volunteers',
  '/offline/': 'volunteers',
  '/oidc/': 'volunteers',
  '/pages/': 'volunteers',
  '/planning/': 'asking',
  '/planning/copy-month/': 'series',
  '/planning/people/': 'festival',
  '/planning/reports/': 'afterwards',
  '/planning/templates/': 'series',
  '/privacy/': 'data-protection',
  '/series/': 'series',
  '/settings/': 'volunteers',
  '/settings/tokens/': 'connecting',
  '/settings/assistants/': 'connecting',
  '/settings/webhooks/': 'connecting',
  '/shifts/': 'volunteers',
  '/shifts/*/answers/': 'the-day',
  '/shifts/*/ask/': 'asking',
  '/shifts/*/cancel/': 'first-event',
  '/shifts/*/copy/': 'festival',
  '/shifts/*/delete/': 'first-event',
  '/shifts/*/disposition/': 'first-event',
  '/shifts/*/edit/': 'first-event',
  '/shifts/*/line/': 'asking',
  '/shifts/*/resources/': 'first-event',
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

const BY_LENGTH = Object.entries(TARGETS)
  .map(([path, target]) => ({ path, segments: segmentsOf(path), target }))
  .toSorted((a, b) => b.segments.length - a.segments.length || a.path.split('*').length - b.path.split('*').length)

/** Undefined if no line of the table matches; the start page matches itself only. */
export function findTarget(path: string): ChapterName | undefined {
  const segments = segmentsOf(path)
  const matches = (wanted: readonly string[]) =>
    (wanted.length > 0 || segments.length === 0) &&
    wanted.length <= segments.length &&
    wanted.every((segment, index) => segment === '*' || segment === segments[index])
  return BY_LENGTH.find((entry) => matches(entry.segments))?.target
}
