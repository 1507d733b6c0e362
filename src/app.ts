import { confirmationLoader } from '#features/access/sign-in/pages/confirm.ts'
import { otherWaysOf } from '#features/access/sign-in/points.ts'
import { authenticateSession } from '#features/access/sign-in/queries.ts'
import { authenticateBearer } from '#features/access/tokens/queries/bearer.ts'
import { authenticateVisitor } from '#features/sharing/federation/queries/visitor-sessions.ts'
import { authenticateGuest } from '#features/sharing/guests/queries.ts'
import type { BearerAuthenticator } from '#platform/auth/authenticator.ts'
import type { Site } from '#platform/auth/context.ts'
import { isMigrated } from '#platform/db/migrate.ts'
import { endpointsOf, pagesOf, processesOf, tasksOf } from '#platform/features/compose.ts'
import { loadLayout } from '#platform/features/layout.ts'
import { collectModuleAdditions } from '#platform/features/modules.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { PageQueue } from '#platform/http/page-queue.ts'
import { type HttpServer, makeServer } from '#platform/http/server.ts'
import { overdueJobsGauge, startWorker, type Worker } from '#platform/jobs/worker.ts'
import { type AppOptions, makeRuntime } from './app-options.ts'
import { ENDPOINTS } from './endpoints.ts'
import { styleguidePage } from './styleguide/page.ts'
import { VERSION } from './version.ts'

export type App = HttpServer & { site: Site; startWorker: () => Promise<void> }

/** Everything that runs in the background of this process. */
export async function startBackground(options: AppOptions, runtime: Runtime = makeRuntime(options)): Promise<Worker> {
  const { databaseUrl: url, log } = options
  const worker = await startWorker({ url, tasks: tasksOf(runtime), log })
  const processes = processesOf(runtime, 'worker')
  processes.start()
  return {
    isRunning: worker.isRunning,
    stop: async () => {
      await processes.stop()
      await worker.stop()
    },
  }
}

export async function buildApp(options: AppOptions): Promise<App> {
  const { config, db, clock, log, extra } = options
  const runtime = makeRuntime(options)
  const { site, features, files, limiter, modules } = runtime
  const running: { worker?: Worker } = {}
  const processes = processesOf(runtime, 'server')
  processes.start()
  const server = await makeServer({
    db,
    clock,
    site,
    log,
    loadLayout,
    modules,
    keepsPages: !options.extensions?.length,
    queue: new PageQueue(options.queueLimits),
    loadConfirmation: confirmationLoader(otherWaysOf(runtime)),
    files,
    version: VERSION,
    cookies: cookieNames(config.siteUrl),
    defaultLanguage: config.defaultLanguage,
    authenticators: {
      bearer: keepFresh(runtime, authenticateBearer(db)),
      session: authenticateSession(db, modules.set),
      visitor: authenticateVisitor(db),
      guest: authenticateGuest(db),
    },
    reads: limiter('reads', 600),
    failures: limiter('failures', 20),
    // Inherits time zone and language, which change while the server runs.
    apiSite: Object.create(site, {
      added: { value: collectModuleAdditions(features), enumerable: true },
      files: { value: files, enumerable: true },
    }) as Site,
    endpoints: [...ENDPOINTS, ...endpointsOf(options.extensions ?? [], () => ENDPOINTS), ...(extra?.endpoints ?? [])],
    pages: [...pagesOf(runtime), ...(site.isTryOut ? [styleguidePage] : []), ...(extra?.pages ?? [])],
    mounts: features.flatMap((feature) => feature.mounts?.(runtime) ?? []),
    cors: features.flatMap((feature) => feature.cors?.(runtime) ?? []),
    allowedHosts: config.allowedHosts,
    isTryOut: config.mode === 'try-out',
    onClose: async () => {
      await processes.stop()
      await runtime.closeLimiters()
    },
    trustProxy: config.trustProxy,
    metricsToken: config.metricsToken,
    ...(options.clientTimeouts ? { clientTimeouts: options.clientTimeouts } : {}),
    gauges: [...features.flatMap((feature) => feature.gauges?.(runtime) ?? []), overdueJobsGauge(db)],
    readiness: async () => ({
      database: (await isMigrated(db.readPool).catch(() => false)) && (await db.isWritable()),
      ...(config.worker === 'inline' ? { worker: running.worker?.isRunning() ?? false } : {}),
    }),
  })
  return {
    ...server,
    site,
    startWorker: async () => {
      running.worker = await startBackground(options, runtime)
    },
    stop: async (stopOptions) => {
      await server.stop(stopOptions)
      await running.worker?.stop()
    },
  }
}

/** Programs load no pages: a node that only they use learns of changed settings after this time. */
const SETTINGS_AGE_MS = 5000

function keepFresh({ clock, modules }: Runtime, authenticate: BearerAuthenticator): BearerAuthenticator {
  let readAt = clock.now().getTime()
  return async (secret, now) => {
    if (Math.abs(now.getTime() - readAt) > SETTINGS_AGE_MS) {
      readAt = now.getTime()
      await modules.refresh()
    }
    return authenticate(secret, now)
  }
}
