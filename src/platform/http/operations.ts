import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { secretsMatch } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'

/** Readiness per part; /readyz lists the names without details. */
export type Readiness = () => Promise<Record<string, boolean>>

export type Metrics = {
  registry: Registry
  observe: (labels: { method: string; route: string; status: string }, seconds: number) => void
}

/** A gauge that a feature provides, read on every scrape; undefined: no value. */
export type GaugeSource = { name: `turnout_${string}`; help: string; read: () => Promise<number | undefined> }

export function makeMetrics(db: Database, gauges: readonly GaugeSource[] = []): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'turnout_' })
  // Sums of other gauges, with names that Prometheus keeps for counters.
  for (const name of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`turnout_nodejs_active_${name}_total`)
  const requests = new Histogram({
    name: 'turnout_http_request_seconds',
    help: 'Time to answer, by route template',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  new Gauge({
    name: 'turnout_db_connections',
    help: 'Connections of the pools by state',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect() {
      for (const [name, pool] of [
        ['read', db.readPool],
        ['write', db.writePool],
      ] as const) {
        this.set({ pool: name, state: 'total' }, pool.totalCount)
        this.set({ pool: name, state: 'idle' }, pool.idleCount)
        this.set({ pool: name, state: 'waiting' }, pool.waitingCount)
      }
    },
  })
  for (const { name, help, read } of gauges) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await read()
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  }
  return { registry, observe: (labels, seconds) => requests.observe(labels, seconds) }
}

type OperationsOptions = {
  readiness: Readiness
  isStopping: () => boolean
  metrics: Metrics
  metricsToken: string | undefined
}

export const OPERATIONS: readonly string[] = ['/healthz', '/readyz', '/healthcheck/', '/metrics']

/** For load balancers and monitoring: exempt from rate limits and host check, without personal data. */
export function serveOperations(app: FastifyInstance, { readiness, isStopping, metrics, metricsToken }: OperationsOptions): void {
  const plain = { 'cache-control': 'no-store' }
  const get = (url: string, handler: RouteHandlerMethod) => app.route({ method: ['GET', 'HEAD'], url, handler })
  get('/healthz', async (_request, reply) => reply.headers(plain).send({ status: 'alive' }))
  const sendReadiness: RouteHandlerMethod = async (_request, reply) => {
    const parts = { ...(await readiness()), accepting: !isStopping() }
    const ready = Object.values(parts).every(Boolean)
    return reply
      .code(ready ? 200 : 503)
      .headers(plain)
      .send({ status: ready ? 'ready' : 'not ready', parts })
  }
  get('/readyz', sendReadiness)
  // Where ephios answered the same question.
  get('/healthcheck/', sendReadiness)
  get('/metrics', async (request, reply) => {
    const given = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!metricsToken || !given || !secretsMatch(given, metricsToken)) return reply.callNotFound()
    return reply
      .headers(plain)
      .type(metrics.registry.contentType)
      .send(await metrics.registry.metrics())
  })
}
