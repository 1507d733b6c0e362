import { auditLogPages, eventLogPage } from '#features/audit-log/pages.ts'
import { auditLogWords } from '#features/audit-log/words.ts'
import { backupGauges, backupTasks } from '#features/backup/jobs.ts'
import { findNightlyBackups } from '#features/backup/queries/backups.ts'
import { buildingBlocksApi } from '#features/building-blocks/api/reads.ts'
import { buildingBlockWrites } from '#features/building-blocks/api/writes.ts'
import type { ShiftsOfBlocks } from '#features/building-blocks/commands/blocks.ts'
import { editorPages } from '#features/building-blocks/pages/editor.ts'
import { blockPages } from '#features/building-blocks/pages/list.ts'
import { buildingBlocksWords } from '#features/building-blocks/words.ts'
import { changesApi } from '#features/changes/api.ts'
import { changeTasks, openChangeFeed } from '#features/changes/jobs.ts'
import { changesWords } from '#features/changes/words.ts'
import { candidatesEndpoint } from '#features/disposition/api/candidates.ts'
import { participationWrites } from '#features/disposition/api/participations.ts'
import { answersPage } from '#features/disposition/pages/answers.ts'
import { eventBoardPage, eventBoardStatePage } from '#features/disposition/pages/event-board.ts'
import { rosterPages } from '#features/disposition/pages/roster.ts'
import { boardPage, boardStatePage } from '#features/disposition/pages/shift-board.ts'
import { dispositionWords } from '#features/disposition/words.ts'
import { eventTypeWrites } from '#features/events/api/event-types.ts'
import { eventsApi, eventTypesApi } from '#features/events/api/reads.ts'
import { eventTypePages } from '#features/events/pages/event-types.ts'
import { findShiftsOfBlocks } from '#features/events/queries/shifts-of-blocks.ts'
import { eventsWords } from '#features/events/words.ts'
import { federationApi } from '#features/federation/api.ts'
import { copyShares } from '#features/federation/commands/copy-shares.ts'
import { federationTasks } from '#features/federation/jobs.ts'
import { federationManagePages } from '#features/federation/pages/manage.ts'
import { openingPage } from '#features/federation/pages/openings.ts'
import { eventShareSection } from '#features/federation/pages/share-section.ts'
import { statementsPage } from '#features/federation/pages/statements.ts'
import { VISITOR_EVENT_PATH, visitorMount, visitPages } from '#features/federation/pages/visits.ts'
import { authenticateVisitor } from '#features/federation/queries/visitor-sessions.ts'
import { federationWords } from '#features/federation/words.ts'
import { copyAttachments } from '#features/files/commands.ts'
import { downloadPageFor, filePages, filesSection } from '#features/files/pages.ts'
import { filesWords } from '#features/files/words.ts'
import { calendarPage } from '#features/finding/pages/calendar.ts'
import { eventPage, eventPageFor } from '#features/finding/pages/event.ts'
import { eventListPage } from '#features/finding/pages/event-list.ts'
import { externalPage } from '#features/finding/pages/external.ts'
import { feedPages } from '#features/finding/pages/feed.ts'
import { calendarSettingsPages } from '#features/finding/pages/feed-settings.ts'
import { homePage } from '#features/finding/pages/home.ts'
import { findingWords } from '#features/finding/words.ts'
import { copyGuestShare } from '#features/guests/commands/share.ts'
import { guestTasks } from '#features/guests/jobs.ts'
import { GUEST_EVENT_PATH, guestMount, guestPages } from '#features/guests/pages/guest.ts'
import { manageGuestPages } from '#features/guests/pages/manage.ts'
import { registerPage } from '#features/guests/pages/register.ts'
import { guestSection } from '#features/guests/pages/section.ts'
import { authenticateGuest } from '#features/guests/queries.ts'
import { guestsWords } from '#features/guests/words.ts'
import { ownHoursRequests } from '#features/hours/api/own-requests.ts'
import { hoursApi } from '#features/hours/api/reads.ts'
import { hoursWrites } from '#features/hours/api/writes.ts'
import { hoursRequest } from '#features/hours/commands.ts'
import { manageHoursPages } from '#features/hours/pages/manage.ts'
import { myShiftsPages } from '#features/hours/pages/my-shifts.ts'
import { decidesHours } from '#features/hours/queries.ts'
import { hoursWords } from '#features/hours/words.ts'
import { deleteExpiredStates } from '#features/identity-providers/commands/links.ts'
import { providerManagePages } from '#features/identity-providers/pages/manage.ts'
import { providerSignInPages, providerWays } from '#features/identity-providers/pages/sign-in.ts'
import { identityProvidersWords } from '#features/identity-providers/words.ts'
import { instancePages } from '#features/instance/pages.ts'
import { instanceWords } from '#features/instance/words.ts'
import { formerAddressPages } from '#features/moving/pages/former-addresses.ts'
import { ownNotificationWrites } from '#features/notifications/api/own.ts'
import { notificationsApi } from '#features/notifications/api/reads.ts'
import { mailGauges, notificationReader, notificationTasks } from '#features/notifications/jobs/tasks.ts'
import { inboxPages } from '#features/notifications/pages/inbox.ts'
import { mailSettingsPages } from '#features/notifications/pages/mail-settings.ts'
import { messagePages } from '#features/notifications/pages/message.ts'
import { pushPages } from '#features/notifications/pages/push.ts'
import { pushOfferView } from '#features/notifications/views/push.ts'
import { notificationsWords } from '#features/notifications/words.ts'
import { oauthServer } from '#features/oauth/api.ts'
import { oauthTasks } from '#features/oauth/jobs.ts'
import { applicationPages } from '#features/oauth/pages/applications.ts'
import { authorizedApplicationPages } from '#features/oauth/pages/authorized-applications.ts'
import { consentPages } from '#features/oauth/pages/consent.ts'
import { oauthWords } from '#features/oauth/words.ts'
import { contentPages } from '#features/pages/pages.ts'
import { pagesWords } from '#features/pages/words.ts'
import { eligibilityEndpoint } from '#features/participations/api/eligibility.ts'
import {
  participationReads,
  participationsOf,
  presentLastComment,
  presentManagedParticipation,
} from '#features/participations/api/reads.ts'
import { ownParticipationWrites } from '#features/participations/api/sign-up.ts'
import { undoEndpoint } from '#features/participations/api/undo.ts'
import { finishEndedShifts } from '#features/participations/jobs.ts'
import {
  declinePage,
  declinePageFor,
  signupPage,
  signupPageFor,
  undoPage,
  undoPageFor,
} from '#features/participations/pages/signup.ts'
import { participationsWords } from '#features/participations/words.ts'
import { draftReads } from '#features/planning/api/drafts.ts'
import { eventWrites } from '#features/planning/api/events.ts'
import { shiftWrites } from '#features/planning/api/shifts.ts'
import { cleanBin } from '#features/planning/jobs.ts'
import type { EventSections } from '#features/planning/pages/form.ts'
import { planningPages } from '#features/planning/pages/routes.ts'
import { planningWords } from '#features/planning/words.ts'
import { copyEventQualification } from '#features/qualification-requests/commands/event-qualifications.ts'
import { qualificationRequest } from '#features/qualification-requests/commands/requests.ts'
import { qualificationTasks } from '#features/qualification-requests/jobs.ts'
import {
  eventQualificationFormSection,
  receivedQualificationSection,
} from '#features/qualification-requests/pages/event-section.ts'
import { expiringPages } from '#features/qualification-requests/pages/expiring.ts'
import { ownQualificationPages } from '#features/qualification-requests/pages/own.ts'
import { decidesQualifications } from '#features/qualification-requests/queries.ts'
import { qualificationRequestsWords } from '#features/qualification-requests/words.ts'
import { categoryWrites } from '#features/qualifications/api/categories.ts'
import { qualificationWrites } from '#features/qualifications/api/qualifications.ts'
import { qualificationsApi } from '#features/qualifications/api/reads.ts'
import type { QualificationHooks } from '#features/qualifications/commands/qualifications.ts'
import { catalogueExchangePages } from '#features/qualifications/pages/catalogue-exchange.ts'
import { categoryPages } from '#features/qualifications/pages/categories.ts'
import { qualificationPages } from '#features/qualifications/pages/qualifications.ts'
import { qualificationsWords } from '#features/qualifications/words.ts'
import { questionPages } from '#features/questionnaires/pages.ts'
import { questionnairesWords } from '#features/questionnaires/words.ts'
import type { RequestKind } from '#features/requests/access.ts'
import { requestsApi } from '#features/requests/api.ts'
import { requestPages, requestsSection } from '#features/requests/pages.ts'
import { requestsWords } from '#features/requests/words.ts'
import { resourcesApi } from '#features/resources/api.ts'
import { copyResources } from '#features/resources/commands.ts'
import { resourcePages } from '#features/resources/pages.ts'
import { resourcesWords } from '#features/resources/words.ts'
import { seriesApi } from '#features/series/api.ts'
import type { CopyHook } from '#features/series/commands.ts'
import { seriesPages } from '#features/series/pages.ts'
import { seriesWords } from '#features/series/words.ts'
import { serviceAccountTasks } from '#features/service-accounts/jobs.ts'
import { serviceAccountPages } from '#features/service-accounts/pages/accounts.ts'
import { serviceKeyPages } from '#features/service-accounts/pages/keys.ts'
import { serviceAccountCors } from '#features/service-accounts/queries.ts'
import { serviceAccountsWords } from '#features/service-accounts/words.ts'
import { accountMailTask, cleanUpSignIn } from '#features/sign-in/jobs.ts'
import { signInPages } from '#features/sign-in/pages/sign-in.ts'
import { authenticateSession } from '#features/sign-in/queries.ts'
import { signInWords } from '#features/sign-in/words.ts'
import { markShiftsOfBlocks, markShiftsOfQualifications } from '#features/staffing/commands/statistics.ts'
import { recomputeStatistics } from '#features/staffing/jobs.ts'
import { findShiftIdsOfBlocks } from '#features/staffing/queries/staffing.ts'
import { staffingWords } from '#features/staffing/words.ts'
import { capabilitiesEndpoint } from '#features/tokens/api.ts'
import { tokenTasks } from '#features/tokens/jobs.ts'
import { tokenPages } from '#features/tokens/pages.ts'
import { authenticateBearer } from '#features/tokens/queries/bearer.ts'
import { tokensWords } from '#features/tokens/words.ts'
import { grantWrites } from '#features/users/api/grants.ts'
import { groupWrites } from '#features/users/api/groups.ts'
import { ownProfileWrites } from '#features/users/api/own.ts'
import { peopleWrites } from '#features/users/api/people.ts'
import { groupsApi, heldQualificationsApi, usersApi } from '#features/users/api/reads.ts'
import { moveGrants } from '#features/users/commands/qualification-grants.ts'
import { userPages } from '#features/users/pages/account.ts'
import { groupPages } from '#features/users/pages/groups.ts'
import { manageIndexPage } from '#features/users/pages/manage.ts'
import { peoplePages } from '#features/users/pages/people.ts'
import { personPages } from '#features/users/pages/person.ts'
import { usersWords } from '#features/users/words.ts'
import { webAppPages } from '#features/web-app/pages.ts'
import { webAppWords } from '#features/web-app/words.ts'
import { webhookReads } from '#features/webhooks/api/reads.ts'
import { webhookWrites } from '#features/webhooks/api/writes.ts'
import { Dispatcher } from '#features/webhooks/jobs/dispatcher.ts'
import { webhookTasks } from '#features/webhooks/jobs/tasks.ts'
import { webhookPages } from '#features/webhooks/pages.ts'
import { webhooksWords } from '#features/webhooks/words.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { isMigrated } from '#platform/db/migrate.ts'
import type { Database } from '#platform/db/pool.ts'
import { type FileStore, openFileStore } from '#platform/files/store.ts'
import { deleteUnusedFiles } from '#platform/files/stored-files.ts'
import { batchEndpoint } from '#platform/http/batch.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { type Endpoint, withIncludes } from '#platform/http/endpoint.ts'
import { deleteExpiredKeys } from '#platform/http/idempotency.ts'
import type { Page } from '#platform/http/page.ts'
import { RateLimiter } from '#platform/http/rate-limiter.ts'
import { rootEndpoint } from '#platform/http/root-endpoint.ts'
import { schemaEndpoints } from '#platform/http/schema-endpoints.ts'
import { type ClientTimeouts, type HttpServer, makeServer } from '#platform/http/server.ts'
import { registerWords } from '#platform/i18n/catalogue.ts'
import { overdueJobsGauge, startWorker, type Task, type Worker } from '#platform/jobs/worker.ts'
import { type JournalReader, journalTask } from '#platform/journal/readers.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { makeOutbound, type Outbound } from '#platform/outbound/outbound.ts'
import { accountHooks, endCredentials } from './account-hooks.ts'
import { loadLayout, managementAreasFor } from './navigation.ts'
import { styleguidePage } from './styleguide.ts'
import { VERSION } from './version.ts'

export type AppOptions = {
  config: Config
  /** For the worker's own connections. */
  databaseUrl: string
  db: Database
  clock: Clock
  log: Log
  keyring: Keyring
  mailer: Mailer
  /** Default: outbound requests as `config` permits them. */
  outbound?: Outbound
  /** Seals backups with a passphrase. Everything else uses the keyring. */
  secretKey?: string
  /** Default: the limits of production. */
  clientTimeouts?: ClientTimeouts
  /** Uploaded files. Default: a folder of the data directory. */
  files?: FileStore
  /** Additional endpoints and pages for tests. */
  extra?: { endpoints?: Endpoint[]; pages?: Page[]; sections?: EventSections }
}

export type App = HttpServer & { site: Site; startWorker: () => Promise<void> }

registerWords([
  qualificationsWords,
  usersWords,
  instanceWords,
  auditLogWords,
  tokensWords,
  signInWords,
  oauthWords,
  serviceAccountsWords,
  identityProvidersWords,
  buildingBlocksWords,
  staffingWords,
  eventsWords,
  participationsWords,
  planningWords,
  seriesWords,
  webAppWords,
  dispositionWords,
  guestsWords,
  findingWords,
  resourcesWords,
  questionnairesWords,
  filesWords,
  pagesWords,
  requestsWords,
  hoursWords,
  qualificationRequestsWords,
  federationWords,
  notificationsWords,
  changesWords,
  webhooksWords,
])

/** What depends on building blocks is updated in the transaction that changes them. */
const shiftsOfBlocks: ShiftsOfBlocks = { find: findShiftsOfBlocks, findIds: findShiftIdsOfBlocks, touch: markShiftsOfBlocks }

/** What features copy with an event. */
const COPY_HOOKS: CopyHook[] = [
  copyShares,
  copyGuestShare,
  (tx, _context, ids) => copyEventQualification(tx, ids),
  (tx, _context, ids) => copyAttachments(tx, ids),
  (tx, _context, _ids, shifts) => copyResources(tx, shifts),
]

/** What depends on qualifications is updated in the transaction that changes them. */
const qualificationHooks: QualificationHooks = { markShiftsStale: markShiftsOfQualifications, moveGrants }

/** Kinds of requests that people decide about others. */
const qualificationRequests = qualificationRequest(accountHooks)
const REQUEST_KINDS: RequestKind[] = [hoursRequest, qualificationRequests]

export const ENDPOINTS: Endpoint[] = [
  rootEndpoint(['events', 'shifts', 'participations', 'participations-userinfo', 'users', 'users/me/participations']),
  ...withIncludes(eventsApi, {
    '/api/events/': { participations: participationsOf('event') },
    '/api/shifts/': { participations: participationsOf('shift') },
  }),
  ...draftReads,
  ...eventWrites,
  ...shiftWrites,
  ...seriesApi({ copyHooks: COPY_HOOKS }),
  ...participationReads,
  ...ownParticipationWrites,
  ...participationWrites({ participation: presentManagedParticipation, lastComment: presentLastComment }),
  undoEndpoint,
  eligibilityEndpoint,
  candidatesEndpoint,
  ...usersApi,
  ...ownProfileWrites,
  ...peopleWrites(accountHooks),
  capabilitiesEndpoint({ endpoints: () => ENDPOINTS }),
  ...buildingBlocksApi,
  ...buildingBlockWrites(shiftsOfBlocks),
  ...eventTypesApi,
  ...eventTypeWrites,
  ...qualificationsApi,
  ...qualificationWrites(qualificationHooks),
  ...categoryWrites,
  ...groupsApi,
  ...groupWrites(accountHooks),
  ...heldQualificationsApi,
  ...grantWrites(accountHooks),
  ...resourcesApi,
  ...hoursApi,
  ...ownHoursRequests,
  ...hoursWrites,
  ...requestsApi(REQUEST_KINDS),
  ...notificationsApi,
  ...ownNotificationWrites,
  ...federationApi,
  batchEndpoint(() => ENDPOINTS),
  ...changesApi,
  ...webhookReads,
  ...webhookWrites,
  ...schemaEndpoints({ endpoints: () => ENDPOINTS, version: VERSION }),
]

const journalReaders = (options: AppOptions): JournalReader[] => [notificationReader(options)]

/** Undefined if no nightly backup is configured. */
const lastBackupIn = (folder: string | undefined) =>
  folder === undefined ? undefined : async () => (await findNightlyBackups(folder))[0]?.madeAt

export function pagesOf(options: AppOptions): Page[] {
  const { config, clock, extra } = options
  const guesses = new RateLimiter(clock, 'sign-in', 20, config.rateLimitFactor)
  const resets = new RateLimiter(clock, 'reset', 20, config.rateLimitFactor)
  const hasMail = config.mailUrl !== undefined
  const files = filesOf(options)
  const shown = [
    homePage([requestsSection(REQUEST_KINDS)], pushOfferView),
    eventListPage,
    calendarPage,
    eventPage([filesSection, receivedQualificationSection]),
    ...feedPages,
    signupPage,
    declinePage,
    undoPage,
  ]
  return [
    ...signInPages({ limiter: guesses, resets, endCredentials, otherWays: providerWays(outboundOf(options)) }),
    ...providerSignInPages({ outbound: outboundOf(options), hooks: accountHooks, limiter: guesses }),
    ...userPages,
    ...calendarSettingsPages,
    ...tokenPages,
    ...authorizedApplicationPages,
    ...webhookPages,
    manageIndexPage(managementAreasFor),
    ...peoplePages(accountHooks),
    ...personPages(accountHooks),
    ...groupPages(accountHooks),
    ...auditLogPages,
    eventLogPage,
    ...instancePages({
      language: config.defaultLanguage,
      isTimeZoneSet: config.isTimeZoneSet,
      isLanguageSet: config.isLanguageSet,
      version: VERSION,
      getLastBackup: lastBackupIn(config.backupDir),
    }),
    ...contentPages,
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
      isDecider: async (context) => (await decidesHours(context)) || decidesQualifications(context),
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
      perAddress: new RateLimiter(clock, 'guests', 10, config.rateLimitFactor),
      perEvent: new RateLimiter(clock, 'guests-of-event', 60, config.rateLimitFactor),
    }),
    ...guestPages,
    eventPageFor(guestMount({ hasMail }), GUEST_EVENT_PATH, [filesSection]),
    downloadPageFor(guestMount({ hasMail }), GUEST_EVENT_PATH, { files }),
    signupPageFor(guestMount({ hasMail })),
    declinePageFor(guestMount({ hasMail })),
    undoPageFor(guestMount({ hasMail })),
    ...manageGuestPages({ hasMail }),
    ...planningPages({ sections: extra?.sections ?? [eventShareSection, guestSection, eventQualificationFormSection] }),
    ...seriesPages({ copyHooks: COPY_HOOKS }),
    boardPage,
    answersPage,
    boardStatePage,
    eventBoardPage,
    eventBoardStatePage,
    ...formerAddressPages,
    ...(config.mode === 'try-out' ? [styleguidePage] : []),
  ]
}

const outboundOf = ({ outbound, config }: AppOptions): Outbound => outbound ?? makeOutbound({ allow: config.outboundAllow })

const filesOf = ({ files, config }: AppOptions): FileStore => files ?? openFileStore(config)

const siteOf = ({ config, keyring }: AppOptions): Site => ({
  url: config.siteUrl,
  timeZone: config.timeZone,
  keyring,
  tokenMaxDays: config.tokenMaxDays,
  defaultLanguage: config.defaultLanguage,
  outboundAllow: config.outboundAllow,
})

export function tasksOf(options: AppOptions): Task[] {
  const { db, clock, mailer } = options
  const mails = { db, clock, mailer, site: siteOf(options) }
  return [
    journalTask(db.read, journalReaders(options)),
    { name: 'recompute_statistics', schedule: '* * * * *', run: () => recomputeStatistics(db.write) },
    { name: 'finish_participations', schedule: '*/10 * * * *', run: () => finishEndedShifts(db.write, clock.now()) },
    { name: 'clean_up_sign_in', schedule: '17 3 * * *', run: () => cleanUpSignIn(db.write, clock.now()) },
    { name: 'clean_up_sign_in_states', schedule: '19 3 * * *', run: () => deleteExpiredStates(db.write, clock.now()) },
    { name: 'clean_up_files', schedule: '23 * * * *', run: () => deleteUnusedFiles(db.write, filesOf(options), clock.now()) },
    { name: 'clean_up_idempotency_keys', schedule: '29 * * * *', run: () => deleteExpiredKeys(db.write, clock.now()) },
    { name: 'empty_bin', schedule: '43 3 * * *', run: () => cleanBin(db.write, clock.now()) },
    accountMailTask(mails),
    ...tokenTasks(mails),
    ...serviceAccountTasks(mails),
    ...guestTasks(mails),
    ...notificationTasks({
      ...mails,
      outbound: outboundOf(options),
      defaultLanguage: options.config.defaultLanguage,
      log: options.log,
    }),
    ...oauthTasks(options),
    ...changeTasks(options),
    ...webhookTasks(options),
    ...federationTasks({ ...options, site: siteOf(options), outbound: outboundOf(options) }),
    ...qualificationTasks({ db, clock, timeZone: options.config.timeZone, hooks: accountHooks }),
    ...backupTasks({ ...options, files: filesOf(options), secretKey: options.secretKey, version: VERSION }),
  ]
}

/** A receiver of webhooks has so long to answer. */
const WEBHOOK_DEADLINE_MS = 10_000

/** Sends changes to webhooks. */
function makeDispatcher(options: AppOptions, feed: ReturnType<typeof openChangeFeed>): Dispatcher {
  const { db, clock, log, config } = options
  return new Dispatcher({
    db,
    feed,
    clock,
    site: siteOf(options),
    outbound: options.outbound ?? makeOutbound({ allow: config.outboundAllow, deadlineMs: WEBHOOK_DEADLINE_MS }),
    onError: (error) => log.warn({ err: error }, 'webhooks could not be sent'),
  })
}

/** Everything that runs in the background of this process. `given`: the change feed, if the process has one already. */
export async function startBackground(options: AppOptions, given?: ReturnType<typeof openChangeFeed>): Promise<Worker> {
  const { databaseUrl: url, log } = options
  const worker = await startWorker({ url, tasks: tasksOf(options), log })
  const feed = given ?? openChangeFeed(options)
  const dispatcher = makeDispatcher(options, feed)
  dispatcher.start()
  return {
    isRunning: worker.isRunning,
    stop: async () => {
      await dispatcher.stop()
      if (!given) await feed.stop()
      await worker.stop()
    },
  }
}

export async function buildApp(options: AppOptions): Promise<App> {
  const { config, db, clock, log } = options
  const site = siteOf(options)
  const running: { worker?: Worker } = {}
  const failures = new RateLimiter(clock, 'token', 20, config.rateLimitFactor)
  const oauth = oauthServer({
    db,
    clock,
    site,
    log,
    limiter: failures,
    refreshGraceSeconds: config.refreshGraceSeconds,
  })
  const changes = openChangeFeed(options)
  const server = await makeServer({
    db,
    clock,
    site,
    log,
    loadLayout,
    files: filesOf(options),
    version: VERSION,
    cookies: cookieNames(config.siteUrl),
    defaultLanguage: config.defaultLanguage,
    authenticators: {
      bearer: authenticateBearer(db),
      session: authenticateSession(db),
      visitor: authenticateVisitor(db),
      guest: authenticateGuest(db),
    },
    reads: new RateLimiter(clock, 'reads', 600, config.rateLimitFactor),
    failures: new RateLimiter(clock, 'failures', 20, config.rateLimitFactor),
    endpoints: [...ENDPOINTS, ...(options.extra?.endpoints ?? [])],
    pages: [...pagesOf(options), ...consentPages(oauth.provider), ...(options.extra?.pages ?? [])],
    mounts: [oauth.mount],
    cors: [oauth.cors, serviceAccountCors(db, clock.now)],
    allowedHosts: config.allowedHosts,
    isTryOut: config.mode === 'try-out',
    onClose: () => changes.stop(),
    trustProxy: config.trustProxy,
    metricsToken: config.metricsToken,
    ...(options.clientTimeouts ? { clientTimeouts: options.clientTimeouts } : {}),
    gauges: [...backupGauges(config.backupDir), ...mailGauges(options), overdueJobsGauge(db)],
    readiness: async () => ({
      database: (await isMigrated(db.readPool).catch(() => false)) && (await db.isWritable()),
      ...(config.worker === 'inline' ? { worker: running.worker?.isRunning() ?? false } : {}),
    }),
  })
  return {
    ...server,
    site,
    startWorker: async () => {
      running.worker = await startBackground(options, changes)
    },
    stop: async (stopOptions) => {
      await server.stop(stopOptions)
      await running.worker?.stop()
    },
  }
}
