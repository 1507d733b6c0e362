import { groupMappingPages } from '#features/access/identity-providers/pages/groups.ts'
import { providerManagePages } from '#features/access/identity-providers/pages/manage.ts'
import { providerSignInPages, providerWays } from '#features/access/identity-providers/pages/sign-in.ts'
import { applicationPages } from '#features/access/oauth/pages/applications.ts'
import { authorizedApplicationPages } from '#features/access/oauth/pages/authorized-applications.ts'
import { manageFactorPages, personFactorSection } from '#features/access/second-factor/pages/manage.ts'
import { ownFactorPages } from '#features/access/second-factor/pages/own.ts'
import { serviceAccountPages } from '#features/access/service-accounts/pages/accounts.ts'
import { serviceKeyPages } from '#features/access/service-accounts/pages/keys.ts'
import { signInPages } from '#features/access/sign-in/pages/sign-in.ts'
import { tokenPages } from '#features/access/tokens/pages.ts'
import {
  FAMILY_EVENT_PATH,
  familyEventPage,
  familyMount,
  familyPages,
  familySection,
  forChild,
  personGuardiansSection,
} from '#features/accounts/families/pages.ts'
import { childPath } from '#features/accounts/families/rules.ts'
import { decidesJoining } from '#features/accounts/joining/access.ts'
import { invitationPages } from '#features/accounts/joining/pages/invitations.ts'
import { joinPages } from '#features/accounts/joining/pages/join.ts'
import { joinLinkPages } from '#features/accounts/joining/pages/links.ts'
import { personPicture, profilePages, profileSections } from '#features/accounts/own-profile/pages.ts'
import { groupPages } from '#features/accounts/people/pages/groups.ts'
import { manageIndexPage } from '#features/accounts/people/pages/manage.ts'
import { peoplePages } from '#features/accounts/people/pages/people.ts'
import { type PersonDeeds, personPages } from '#features/accounts/people/pages/person.ts'
import { exportPage } from '#features/accounts/people-import/pages/export.ts'
import { peopleImportPages } from '#features/accounts/people-import/pages/import.ts'
import {
  eventQualificationFormSection,
  receivedQualificationSection,
} from '#features/accounts/qualification-requests/pages/event-section.ts'
import { expiringPages } from '#features/accounts/qualification-requests/pages/expiring.ts'
import { ownQualificationPages } from '#features/accounts/qualification-requests/pages/own.ts'
import { decidesQualifications } from '#features/accounts/qualification-requests/queries.ts'
import { catalogueExchangePages } from '#features/accounts/qualifications/pages/catalogue-exchange.ts'
import { categoryPages } from '#features/accounts/qualifications/pages/categories.ts'
import { qualificationPages } from '#features/accounts/qualifications/pages/qualifications.ts'
import { requestPages, requestsSection } from '#features/accounts/requests/pages.ts'
import { userPages } from '#features/accounts/users/pages/account.ts'
import { calendarPage } from '#features/events/browse/pages/calendar.ts'
import { eventPage, eventPageFor } from '#features/events/browse/pages/event.ts'
import { eventListPage } from '#features/events/browse/pages/event-list.ts'
import { externalPage } from '#features/events/browse/pages/external.ts'
import { feedPages } from '#features/events/browse/pages/feed.ts'
import { calendarSettingsPages } from '#features/events/browse/pages/feed-settings.ts'
import { homePage } from '#features/events/browse/pages/home.ts'
import { editorPages } from '#features/events/building-blocks/pages/editor.ts'
import { blockPages } from '#features/events/building-blocks/pages/list.ts'
import { contentPages } from '#features/events/content-pages/pages.ts'
import { eventTypePages } from '#features/events/events/pages/event-types.ts'
import { downloadPageFor, filePages, filesSection } from '#features/events/files/pages.ts'
import { questionPages } from '#features/events/questionnaires/pages.ts'
import { resourcePages } from '#features/events/resources/pages.ts'
import { inboxPages } from '#features/messaging/inbox/pages/inbox.ts'
import { mailSettingsPages } from '#features/messaging/inbox/pages/mail-settings.ts'
import { mailPages } from '#features/messaging/mails/pages.ts'
import { getMailHealth } from '#features/messaging/mails/queries/state.ts'
import { messagePages } from '#features/messaging/messages/pages.ts'
import { webAppPages } from '#features/messaging/offline/pages.ts'
import { pushPages } from '#features/messaging/push/pages.ts'
import { pushOfferView } from '#features/messaging/push/views.ts'
import { realTimesPages } from '#features/on-the-day/check-in/pages/hours.ts'
import { checkInPages } from '#features/on-the-day/check-in/pages/planner.ts'
import { selfCheckInPages } from '#features/on-the-day/check-in/pages/self.ts'
import { manageHoursPages } from '#features/on-the-day/hours/pages/manage.ts'
import { myShiftsPages } from '#features/on-the-day/hours/pages/my-shifts.ts'
import { decidesHours } from '#features/on-the-day/hours/queries.ts'
import { reportsPages } from '#features/on-the-day/reports/pages.ts'
import { auditLogPages, eventLogPage } from '#features/operations/audit-log/pages.ts'
import { findNightlyBackups } from '#features/operations/backup/queries/backups.ts'
import { firstSteps, firstStepsPages } from '#features/operations/first-steps/pages.ts'
import { formerAddressPages } from '#features/operations/import-ephios/pages/former-addresses.ts'
import { accessSection, eventAccessPage } from '#features/operations/privacy/pages/access.ts'
import { privacyManagePages } from '#features/operations/privacy/pages/manage.ts'
import { mergePage } from '#features/operations/privacy/pages/merge.ts'
import { ownDataPages } from '#features/operations/privacy/pages/own.ts'
import { mergePath } from '#features/operations/privacy/views/merge.ts'
import { instancePages } from '#features/operations/settings/pages.ts'
import { planningPages } from '#features/planning/planning/pages/routes.ts'
import { programmePages } from '#features/planning/programmes/pages/programme.ts'
import { seriesPages } from '#features/planning/series/pages/routes.ts'
import { seriesSection } from '#features/planning/series/pages/section.ts'
import { seriesStep } from '#features/planning/series/queries/next-step.ts'
import { templatePages } from '#features/planning/templates/pages.ts'
import { gridPage } from '#features/planning/timeline/pages/grid.ts'
import { timesPage } from '#features/planning/timeline/pages/times.ts'
import { federationManagePages } from '#features/sharing/federation/pages/manage.ts'
import { openingPage } from '#features/sharing/federation/pages/openings.ts'
import { eventShareSection } from '#features/sharing/federation/pages/share-section.ts'
import { statementsPage } from '#features/sharing/federation/pages/statements.ts'
import { VISITOR_EVENT_PATH, visitorMount, visitPages } from '#features/sharing/federation/pages/visits.ts'
import { GUEST_EVENT_PATH, guestMount, guestPages } from '#features/sharing/guests/pages/guest.ts'
import { manageGuestPages } from '#features/sharing/guests/pages/manage.ts'
import { registerPage } from '#features/sharing/guests/pages/register.ts'
import { guestSection } from '#features/sharing/guests/pages/section.ts'
import { webhookPages } from '#features/sharing/webhooks/pages.ts'
import { autoFillPages } from '#features/staffing/auto-fill/pages.ts'
import { availabilityPages, availabilityPagesAt } from '#features/staffing/availability/pages/availability.ts'
import { companionsPage } from '#features/staffing/companions/pages.ts'
import { eventBoardPage, eventBoardStatePage } from '#features/staffing/disposition/pages/event-board.ts'
import { boardPage, boardStatePage } from '#features/staffing/disposition/pages/shift-board.ts'
import { answerPages } from '#features/staffing/inquiries/pages/answer.ts'
import { askPages } from '#features/staffing/inquiries/pages/ask.ts'
import { offerPages } from '#features/staffing/offers/pages/answer.ts'
import { linePages } from '#features/staffing/offers/pages/line.ts'
import { standInPages } from '#features/staffing/offers/pages/stand-in.ts'
import { swapPages } from '#features/staffing/offers/pages/swap.ts'
import {
  declinePage,
  declinePageFor,
  signupPage,
  signupPageFor,
  undoPage,
  undoPageFor,
} from '#features/staffing/participations/pages/signup.ts'
import { answersPage } from '#features/staffing/rosters/pages/answers.ts'
import { rosterPages } from '#features/staffing/rosters/pages/roster.ts'
import { shortagesPage, shortagesSection } from '#features/staffing/shortages/pages/shortages.ts'
import { limitPages } from '#features/staffing/working-time-limits/pages.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import type { Page } from '#platform/http/page.ts'
import { personalDataOf } from '#platform/personal-data.ts'
import { accountHooks, endCredentials } from './account-hooks.ts'
import {
  type AppOptions,
  calendarAccessOf,
  filesOf,
  limitersOf,
  mailerOf,
  outboundOf,
  programmeOutboundOf,
} from './app-options.ts'
import {
  COPY_HOOKS,
  qualificationHooks,
  qualificationRequests,
  REQUEST_KINDS,
  RETENTION_RULES,
  shiftsOfBlocks,
  TEMPLATE_HOOKS,
} from './feature-hooks.ts'
import { FEATURES } from './features.ts'
import { managementAreasFor } from './navigation.ts'
import { styleguidePage } from './styleguide.ts'
import { VERSION } from './version.ts'

/** Undefined if no nightly backup is configured. */
const lastBackupIn = (folder: string | undefined) =>
  folder === undefined ? undefined : async () => (await findNightlyBackups(folder))[0]?.madeAt

/** What features above `users` offer on the page of a person. */
const personDeeds: PersonDeeds = ({ words, actor }, { userId }) =>
  isStaff(actor)
    ? [{ href: mergePath(userId), label: words.t('privacy.merge'), help: words.t('privacy.merge_help'), icon: 'users' }]
    : []

export function pagesOf(options: AppOptions): Page[] {
  const { config, clock, extra } = options
  const makeLimiter = limitersOf(options)
  const guesses = makeLimiter('sign-in', 20)
  const resets = makeLimiter('reset', 20)
  const hasMail = config.mailUrl !== undefined
  const files = filesOf(options)
  const calendarOptions = { access: calendarAccessOf(options), perPerson: makeLimiter('calendars', 4) }
  const shown = [
    homePage({
      sections: [familySection, shortagesSection, requestsSection(REQUEST_KINDS)],
      // The demo is an instance that is complete.
      intro:
        config.mode === 'try-out'
          ? async () => false
          : firstSteps({ hasMail, isTimeZoneSet: config.isTimeZoneSet, getLastBackup: lastBackupIn(config.backupDir) }),
      offer: pushOfferView,
    }),
    eventListPage,
    shortagesPage,
    ...reportsPages,
    calendarPage,
    eventPage([seriesSection, filesSection, receivedQualificationSection, accessSection]),
    ...feedPages,
    signupPage,
    declinePage,
    companionsPage,
    undoPage,
  ]
  return [
    ...signInPages({
      limiter: guesses,
      resets,
      steps: makeLimiter('second-factor', 10),
      endCredentials,
      otherWays: providerWays(outboundOf(options)),
    }),
    ...ownFactorPages,
    ...manageFactorPages,
    ...providerSignInPages({ outbound: outboundOf(options), hooks: accountHooks, limiter: guesses }),
    ...userPages({ hooks: accountHooks, sections: profileSections({ hasMail }) }),
    ...profilePages({ hasMail, hooks: accountHooks, files }),
    ...calendarSettingsPages,
    ...tokenPages,
    ...authorizedApplicationPages,
    ...webhookPages,
    manageIndexPage(managementAreasFor),
    ...peoplePages(accountHooks, { hasMail }),
    exportPage,
    ...firstStepsPages,
    ...peopleImportPages({ files, hasMail }),
    ...personPages(accountHooks, {
      section: async (context, person) =>
        html`${await personGuardiansSection(context, person)}${await personFactorSection(context, person)}`,
      pictureOf: personPicture,
      deeds: personDeeds,
    }),
    mergePage({ tables: personalDataOf(FEATURES), hooks: accountHooks }),
    ...ownDataPages({ tables: personalDataOf(FEATURES), files, limiter: makeLimiter('data-download', 3) }),
    ...privacyManagePages(RETENTION_RULES),
    eventAccessPage,
    ...groupPages(accountHooks),
    ...joinLinkPages,
    ...mailPages({
      hasMail,
      mailer: mailerOf(options),
      tests: makeLimiter('test-mails', 3),
      bounces: { address: config.bounceAddress, hasWebhook: config.bounceSecret !== undefined },
    }),
    ...invitationPages,
    ...joinPages({
      hasMail,
      hooks: accountHooks,
      perAddress: makeLimiter('registrations', 20),
      overall: makeLimiter('registrations-overall', 60),
      guesses: makeLimiter('registration-guesses', 10),
    }),
    ...auditLogPages,
    eventLogPage,
    ...instancePages({
      language: config.defaultLanguage,
      isTimeZoneSet: config.isTimeZoneSet,
      isLanguageSet: config.isLanguageSet,
      version: VERSION,
      getLastBackup: lastBackupIn(config.backupDir),
      getMail: (db, now) => getMailHealth(db, now, hasMail),
    }),
    ...contentPages,
    ...autoFillPages,
    ...availabilityPages(calendarOptions),
    gridPage,
    timesPage,
    ...checkInPages,
    ...selfCheckInPages,
    ...realTimesPages,
    ...limitPages,
    ...resourcePages,
    ...questionPages,
    ...filePages({ files, ...config.fileLimits }),
    ...eventTypePages,
    ...qualificationPages(qualificationHooks),
    ...categoryPages,
    ...catalogueExchangePages(qualificationHooks),
    ...blockPages(shiftsOfBlocks),
    ...editorPages(shiftsOfBlocks),
    ...requestPages({
      kinds: REQUEST_KINDS,
      isDecider: async (context) =>
        (await decidesHours(context)) || (await decidesQualifications(context)) || decidesJoining(context),
    }),
    ...ownQualificationPages({ kind: qualificationRequests, files }),
    ...expiringPages,
    ...myShiftsPages,
    ...manageHoursPages,
    ...rosterPages,
    ...inboxPages,
    ...mailSettingsPages,
    ...pushPages({ db: options.db, clock, outbound: outboundOf(options) }),
    ...webAppPages,
    ...messagePages,
    ...applicationPages,
    ...serviceAccountPages(accountHooks),
    ...serviceKeyPages,
    ...providerManagePages({ outbound: outboundOf(options) }),
    ...groupMappingPages,
    ...federationManagePages({ outbound: outboundOf(options), clock }),
    externalPage,
    statementsPage,
    openingPage,
    ...shown,
    ...visitPages(outboundOf(options)),
    eventPageFor(visitorMount, VISITOR_EVENT_PATH, [filesSection]),
    downloadPageFor(visitorMount, VISITOR_EVENT_PATH, { files }),
    signupPageFor(visitorMount),
    declinePageFor(visitorMount),
    undoPageFor(visitorMount),
    registerPage({
      hasMail,
      perAddress: makeLimiter('guests', 30),
      perEvent: makeLimiter('guests-of-event', 60),
    }),
    ...guestPages,
    eventPageFor(guestMount({ hasMail }), GUEST_EVENT_PATH, [filesSection]),
    downloadPageFor(guestMount({ hasMail }), GUEST_EVENT_PATH, { files }),
    signupPageFor(guestMount({ hasMail })),
    declinePageFor(guestMount({ hasMail })),
    undoPageFor(guestMount({ hasMail })),
    ...manageGuestPages({ hasMail }),
    ...planningPages({
      sections: extra?.sections ?? [eventShareSection, guestSection, eventQualificationFormSection],
      afterSave: seriesStep,
    }),
    ...programmePages({ files, outbound: programmeOutboundOf(options), limiter: makeLimiter('programmes', 10) }),
    ...seriesPages(COPY_HOOKS),
    ...templatePages(TEMPLATE_HOOKS),
    boardPage,
    ...askPages,
    ...linePages,
    ...offerPages,
    ...standInPages,
    ...swapPages,
    ...answerPages(signupPageFor),
    ...familyPages(accountHooks),
    familyEventPage(eventPageFor(familyMount, FAMILY_EVENT_PATH, [filesSection])),
    ...[
      downloadPageFor(familyMount, FAMILY_EVENT_PATH, { files }),
      signupPageFor(familyMount),
      declinePageFor(familyMount),
      undoPageFor(familyMount),
      ...availabilityPagesAt(
        '/family/{child}/availability/',
        ({ path }) => childPath((path as { child: number }).child, 'availability'),
        calendarOptions,
      ),
    ].map(forChild),
    answersPage,
    boardStatePage,
    eventBoardPage,
    eventBoardStatePage,
    ...formerAddressPages,
    ...(config.mode === 'try-out' ? [styleguidePage] : []),
  ]
}
