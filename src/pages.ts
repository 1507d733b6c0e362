import { auditLogPages, eventLogPage } from '#features/audit-log/pages.ts'
import { autoFillPages } from '#features/auto-fill/pages.ts'
import { availabilityPages, availabilityPagesAt } from '#features/availability/pages/availability.ts'
import { findNightlyBackups } from '#features/backup/queries/backups.ts'
import { editorPages } from '#features/building-blocks/pages/editor.ts'
import { blockPages } from '#features/building-blocks/pages/list.ts'
import { realTimesPages } from '#features/check-in/pages/hours.ts'
import { checkInPages } from '#features/check-in/pages/planner.ts'
import { selfCheckInPages } from '#features/check-in/pages/self.ts'
import { companionsPage } from '#features/companions/pages.ts'
import { eventBoardPage, eventBoardStatePage } from '#features/disposition/pages/event-board.ts'
import { boardPage, boardStatePage } from '#features/disposition/pages/shift-board.ts'
import { eventTypePages } from '#features/events/pages/event-types.ts'
import {
  FAMILY_EVENT_PATH,
  familyEventPage,
  familyMount,
  familyPages,
  familySection,
  forChild,
  personGuardiansSection,
} from '#features/families/pages.ts'
import { childPath } from '#features/families/rules.ts'
import { federationManagePages } from '#features/federation/pages/manage.ts'
import { openingPage } from '#features/federation/pages/openings.ts'
import { eventShareSection } from '#features/federation/pages/share-section.ts'
import { statementsPage } from '#features/federation/pages/statements.ts'
import { VISITOR_EVENT_PATH, visitorMount, visitPages } from '#features/federation/pages/visits.ts'
import { downloadPageFor, filePages, filesSection } from '#features/files/pages.ts'
import { calendarPage } from '#features/finding/pages/calendar.ts'
import { eventPage, eventPageFor } from '#features/finding/pages/event.ts'
import { eventListPage } from '#features/finding/pages/event-list.ts'
import { externalPage } from '#features/finding/pages/external.ts'
import { feedPages } from '#features/finding/pages/feed.ts'
import { calendarSettingsPages } from '#features/finding/pages/feed-settings.ts'
import { homePage } from '#features/finding/pages/home.ts'
import { firstSteps, firstStepsPages } from '#features/first-steps/pages.ts'
import { gridPage } from '#features/grid/pages/grid.ts'
import { timesPage } from '#features/grid/pages/times.ts'
import { GUEST_EVENT_PATH, guestMount, guestPages } from '#features/guests/pages/guest.ts'
import { manageGuestPages } from '#features/guests/pages/manage.ts'
import { registerPage } from '#features/guests/pages/register.ts'
import { guestSection } from '#features/guests/pages/section.ts'
import { manageHoursPages } from '#features/hours/pages/manage.ts'
import { myShiftsPages } from '#features/hours/pages/my-shifts.ts'
import { decidesHours } from '#features/hours/queries.ts'
import { groupMappingPages } from '#features/identity-providers/pages/groups.ts'
import { providerManagePages } from '#features/identity-providers/pages/manage.ts'
import { providerSignInPages, providerWays } from '#features/identity-providers/pages/sign-in.ts'
import { inboxPages } from '#features/inbox/pages/inbox.ts'
import { mailSettingsPages } from '#features/inbox/pages/mail-settings.ts'
import { answerPages } from '#features/inquiries/pages/answer.ts'
import { askPages } from '#features/inquiries/pages/ask.ts'
import { instancePages } from '#features/instance/pages.ts'
import { decidesJoining } from '#features/joining/access.ts'
import { invitationPages } from '#features/joining/pages/invitations.ts'
import { joinPages } from '#features/joining/pages/join.ts'
import { joinLinkPages } from '#features/joining/pages/links.ts'
import { limitPages } from '#features/limits/pages.ts'
import { mailPages } from '#features/mails/pages.ts'
import { getMailHealth } from '#features/mails/queries/state.ts'
import { messagePages } from '#features/messages/pages.ts'
import { formerAddressPages } from '#features/moving/pages/former-addresses.ts'
import { applicationPages } from '#features/oauth/pages/applications.ts'
import { authorizedApplicationPages } from '#features/oauth/pages/authorized-applications.ts'
import { offerPages } from '#features/offers/pages/answer.ts'
import { linePages } from '#features/offers/pages/line.ts'
import { standInPages } from '#features/offers/pages/stand-in.ts'
import { swapPages } from '#features/offers/pages/swap.ts'
import { contentPages } from '#features/pages/pages.ts'
import {
  declinePage,
  declinePageFor,
  signupPage,
  signupPageFor,
  undoPage,
  undoPageFor,
} from '#features/participations/pages/signup.ts'
import { groupPages } from '#features/people/pages/groups.ts'
import { manageIndexPage } from '#features/people/pages/manage.ts'
import { peoplePages } from '#features/people/pages/people.ts'
import { type PersonDeeds, personPages } from '#features/people/pages/person.ts'
import { exportPage } from '#features/people-import/pages/export.ts'
import { peopleImportPages } from '#features/people-import/pages/import.ts'
import { planningPages } from '#features/planning/pages/routes.ts'
import { accessSection, eventAccessPage } from '#features/privacy/pages/access.ts'
import { privacyManagePages } from '#features/privacy/pages/manage.ts'
import { mergePage } from '#features/privacy/pages/merge.ts'
import { ownDataPages } from '#features/privacy/pages/own.ts'
import { mergePath } from '#features/privacy/views/merge.ts'
import { personPicture, profilePages, profileSections } from '#features/profiles/pages.ts'
import { programmePages } from '#features/programmes/pages/programme.ts'
import { pushPages } from '#features/push/pages.ts'
import { pushOfferView } from '#features/push/views.ts'
import {
  eventQualificationFormSection,
  receivedQualificationSection,
} from '#features/qualification-requests/pages/event-section.ts'
import { expiringPages } from '#features/qualification-requests/pages/expiring.ts'
import { ownQualificationPages } from '#features/qualification-requests/pages/own.ts'
import { decidesQualifications } from '#features/qualification-requests/queries.ts'
import { catalogueExchangePages } from '#features/qualifications/pages/catalogue-exchange.ts'
import { categoryPages } from '#features/qualifications/pages/categories.ts'
import { qualificationPages } from '#features/qualifications/pages/qualifications.ts'
import { questionPages } from '#features/questionnaires/pages.ts'
import { reportsPages } from '#features/reports/pages.ts'
import { requestPages, requestsSection } from '#features/requests/pages.ts'
import { resourcePages } from '#features/resources/pages.ts'
import { answersPage } from '#features/rosters/pages/answers.ts'
import { rosterPages } from '#features/rosters/pages/roster.ts'
import { manageFactorPages, personFactorSection } from '#features/second-factor/pages/manage.ts'
import { ownFactorPages } from '#features/second-factor/pages/own.ts'
import { seriesPages } from '#features/series/pages/routes.ts'
import { seriesSection } from '#features/series/pages/section.ts'
import { seriesStep } from '#features/series/queries/next-step.ts'
import { serviceAccountPages } from '#features/service-accounts/pages/accounts.ts'
import { serviceKeyPages } from '#features/service-accounts/pages/keys.ts'
import { shortagesPage, shortagesSection } from '#features/shortages/pages/shortages.ts'
import { signInPages } from '#features/sign-in/pages/sign-in.ts'
import { templatePages } from '#features/templates/pages.ts'
import { tokenPages } from '#features/tokens/pages.ts'
import { userPages } from '#features/users/pages/account.ts'
import { webAppPages } from '#features/web-app/pages.ts'
import { webhookPages } from '#features/webhooks/pages.ts'
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
