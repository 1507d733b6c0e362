import { federationTasks } from '#features/sharing/federation/jobs.ts'
import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { ALLOW, link, outbound as real } from './federation.ts'
import { type Instance, openInstance } from './instance.ts'
import type { Person } from './people.ts'

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

/** A host and the home instance of its visitors, linked, and what happens between them within seconds. */
export async function openPartners() {
  const a = await openInstance({ host: 'a.localhost', allow: ALLOW })
  const b = await openInstance({ host: 'b.localhost', allow: ALLOW })
  const { hostId, guestId } = await link(a, b)
  const [fromA, fromB] = [new Wire(), new Wire()]
  const [host, home] = [tasksOf(a, fromA), tasksOf(b, fromB)]
  /** The home asks at its usual time. */
  const poll = async () => {
    await b.db.write.updateTable('federated_host').set({ next_attempt_at: b.now }).execute()
    await home.sync()
  }
  /** What happens within seconds of a change: the host tells, and the home asks if it heard something new. */
  const settle = async () => {
    await host.tell()
    if ((await takeJobs(b)).includes('sync_hosts')) await home.sync()
  }
  /** Somebody of the home instance has been at the host. */
  const addVisitor = async (person: Person): Promise<number> => {
    const { application_id } = await b.db.read.selectFrom('federated_host').select('application_id').executeTakeFirstOrThrow()
    await b.db.write
      .insertInto('oauth_consent')
      .values({ application_id: application_id!, user_id: person.id, scopes: ['ME_READ'], granted_at: b.now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { id } = await a.db.write
      .insertInto('visitor')
      .values({ federated_guest_id: guestId, remote_id: person.id, email: person.email, display_name: person.name })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  const addPlace = async (shift_id: number, visitor_id: number, state = 0): Promise<number> => {
    const row = { shift_id, visitor_id, kind: 'visitor', state, structure_data: '{}' }
    const { id } = await a.db.write
      .insertInto('participation')
      .values(row as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }
  return { a, b, hostId, guestId, fromA, fromB, host, home, poll, settle, addVisitor, addPlace }
}
