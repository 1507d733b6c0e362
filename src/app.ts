import { providerWays } from '#features/access/identity-providers/pages/sign-in.ts'
import { oauthServer } from '#features/access/oauth/api.ts'
import { consentPages } from '#features/access/oauth/pages/consent.ts'
import { serviceAccountCors } from '#features/access/service-accounts/queries.ts'
import { confirmationLoader } from '#features/access/sign-in/pages/confirm.ts'
import { authenticateSession } from '#features/access/sign-in/queries.ts'
import { authenticateBearer } from '#features/access/tokens/queries/bearer.ts'
import { bounceMount } from '#features/messaging/mails/api.ts'
import { mailGauges } from '#features/messaging/notifications/jobs/tasks.ts'
import { backupGauges } from '#features/operations/backup/jobs.ts'
import { openChangeFeed } from '#features/sharing/change-feed/jobs.ts'
import { authenticateVisitor } from '#features/sharing/federation/queries/visitor-sessions.ts'
import { authenticateGuest } from '#features/sharing/guests/queries.ts'
import { Dispatcher } from '#features/sharing/webhooks/jobs/dispatcher.ts'
import type { Site } from '#platform/auth/context.ts'
import { isMigrated } from '#platform/db/migrate.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { type HttpServer, makeServer } from '#platform/http/server.ts'
import { registerWords } from '#platform/i18n/catalogue.ts'
import { overdueJobsGauge, startWorker, type Worker } from '#platform/jobs/worker.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { type AppOptions, filesOf, limitersOf, outboundOf, siteOf } from './app-options.ts'
import { ENDPOINTS } from './endpoints.ts'
import { FEATURES } from './features.ts'
import { layoutLoader } from './navigation.ts'
import { pagesOf } from './pages.ts'
import { tasksOf } from './tasks.ts'
import { VERSION } from './version.ts'

/** For the command line. */
export { importHooks } from './account-hooks.ts'

export type App = HttpServer & { site: Site; startWorker: () => Promise<void> }

registerWords(FEATURES.flatMap(({ words = [] }) => words))

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
    outbound:
      options.outbound ?? makeOutbound({ allow: config.outboundAllow, deadlineMs: WEBHOOK_DEADLINE_MS, reusesConnections: true }),
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
  const makeLimiter = limitersOf(options)
  const failures = makeLimiter('token', 20)
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
    loadLayout: layoutLoader({ hasMail: config.mailUrl !== undefined || config.mode === 'try-out' }),
    loadConfirmation: confirmationLoader(providerWays(outboundOf(options))),
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
    reads: makeLimiter('reads', 600),
    failures: makeLimiter('failures', 20),
    endpoints: [...ENDPOINTS, ...(options.extra?.endpoints ?? [])],
    pages: [...pagesOf(options), ...consentPages(oauth.provider), ...(options.extra?.pages ?? [])],
    mounts: [oauth.mount, bounceMount({ db, clock, site, secret: config.bounceSecret, limiter: makeLimiter('bounces', 20) })],
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
