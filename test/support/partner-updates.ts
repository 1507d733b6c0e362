import { federationTasks } from '#features/sharing/federation/jobs.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { outbound as real } from './federation.ts'
import type { Instance } from './instance.ts'

type Sent = { url: string; method: string; body: string }

/** Requests of one instance to others: remembered, and cut on demand. */
export class Wire {
  readonly sent: Sent[] = []
  isCut = false
  readonly outbound: Outbound = {
    send: async (url, request = {}) => {
      const sent = { url, method: request.method ?? 'GET', body: String(request.body ?? '') }
      this.sent.push(sent)
      if (this.isCut) throw new OutboundError('unreachable', 'connect ECONNREFUSED')
      return real.send(url, request)
    },
  }
  /** Paths since the last call. */
  take(): string[] {
    return this.sent.splice(0).map(({ method, url }) => `${method} ${new URL(url).pathname}`)
  }
}

/** Runs the tasks about partners of an instance. */
export const tasksOf = (instance: Instance, wire: Wire) => {
  const { db, app } = instance
  const tasks = federationTasks({ db, clock: { now: () => instance.now }, site: app.site, outbound: wire.outbound })
  const run = (name: string) => tasks.find((task) => task.name === name)!.run({})
  return { sync: () => run('sync_hosts'), tell: () => run('tell_guests') }
}

/** Names of waiting jobs, each once. */
export async function takeJobs({ db }: Instance): Promise<string[]> {
  const { rows } = await db.writePool.query<{ name: string }>(
    'select distinct task_identifier as name from graphile_worker.jobs order by 1',
  )
  await db.writePool.query('delete from graphile_worker._private_jobs')
  return rows.map(({ name }) => name)
}
