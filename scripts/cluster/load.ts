import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { readFailure } from '#platform/db/failure.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { addEvent, addGroup, addPerson } from '#test/support/fixtures.ts'
import type { Group, Person } from '#test/support/people.ts'
import { DIRECT_URL, ENTRY } from './topology.ts'

const PEOPLE = 40
const PLACES = 30
const SHIFTS = 40
const WORKERS = 4
const PAUSE_MS = 30
const GIVE_UP_MS = 5_000
const HOUR_MS = 3_600_000
const TAKES_PART = 1

type Pair = { person: number; shift: number }
type Signer = { person: Person; token: string }

/** For the statements of this check itself, which meet the faults, too. */
async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (readFailure(error) !== 'busy' || attempt === 30) throw error
      await sleep(1_000)
    }
  }
}

/** Signs people up through the entry of the cluster, all the time, and remembers what was acknowledged. */
export class SignUps {
  readonly #db: Database
  readonly #signers: Signer[]
  readonly #agent = new Agent({ keepAlive: true, maxSockets: WORKERS })
  readonly #group: Group
  #waiting: Pair[] = []
  #events = 0
  #isOver = false
  #workers: Promise<void>[] = []
  /** When each acknowledgement arrived. */
  acknowledgedAt: number[] = []
  acknowledged: Pair[] = []
  refused = 0
  failed: Record<string, number> = {}

  private constructor(db: Database, signers: Signer[]) {
    this.#db = db
    this.#signers = signers
    this.#group = { kind: 'group', id: 1, name: 'Load', members: signers.map(({ person }) => person) }
  }

  static async prepare(): Promise<SignUps> {
    const db = openDatabase({ url: DIRECT_URL, reads: 1, writes: 1 })
    const now = new Date()
    await db.write.insertInto('event_type').values({ id: 1, title: 'Load' }).execute()
    const signers: Signer[] = []
    for (let id = 1_000; id < 1_000 + PEOPLE; id++) {
      const person: Person = {
        kind: 'person',
        id,
        name: `Person ${id}`,
        email: `p${id}@example.org`,
        dateOfBirth: '1990-01-01',
        phone: null,
      }
      await addPerson(db.write, person, now)
      const token = `turnout_pat_${randomSecret(40)}`
      const values = {
        token_hash: hashSecret(token),
        kind: 'personal',
        user_id: id,
        scopes: ['PUBLIC_READ', 'ME_WRITE'],
        description: 'load',
      }
      const expires_at = new Date(now.getTime() + 24 * HOUR_MS)
      await db.write
        .insertInto('access_token')
        .values({ ...values, created_at: now, last_used_at: now, expires_at })
        .execute()
      signers.push({ person, token })
    }
    const load = new SignUps(db, signers)
    await addGroup(db.write, load.#group)
    await load.#addShifts()
    return load
  }

  /** Shifts one after the other, so that everybody can take part in all of them; each of an event of its own, which a sign-up locks. */
  async #addShifts(): Promise<void> {
    const first = Date.now() + (48 + this.#events++ * SHIFTS * 2) * HOUR_MS
    const shifts = Array.from({ length: SHIFTS }, (_, n) => ({
      start: new Date(first + n * 2 * HOUR_MS).toISOString(),
      end: new Date(first + (n * 2 + 1) * HOUR_MS).toISOString(),
      flow: 'instant_confirmation',
      configuration: { maximum_number_of_participants: PLACES },
    }))
    const added = await this.#db.write.transaction().execute(async (tx) => {
      const ids: number[] = []
      for (const shift of shifts)
        ids.push(...(await addEvent(tx, { title: 'Load', type: 1, seenBy: [this.#group], shifts: [shift] }, new Date())).shifts)
      return ids
    })
    const pairs = added.flatMap((shift) => this.#signers.map(({ person }) => ({ person: person.id, shift })))
    this.#waiting.push(...pairs.sort(() => Math.random() - 0.5))
  }

  start(): void {
    this.#workers = Array.from({ length: WORKERS }, () => this.#work())
  }

  /** Before a round: as many attempts as it can need. */
  async refill(): Promise<void> {
    while (this.#waiting.length < PEOPLE * SHIFTS) await retry(() => this.#addShifts())
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      const pair = this.#waiting.pop()
      if (pair) await this.#signUp(pair)
      await sleep(PAUSE_MS)
    }
  }

  async #signUp(pair: Pair): Promise<void> {
    const { token } = this.#signers[pair.person - 1_000]!
    const outcome = await this.#post(`/api/shifts/${pair.shift}/signup/`, token)
    if (outcome === 201) {
      this.acknowledged.push(pair)
      this.acknowledgedAt.push(performance.now())
    } else if (typeof outcome === 'number' && outcome < 500) this.refused++
    else {
      this.failed[outcome] = (this.failed[outcome] ?? 0) + 1
      // Tried again later: a long outage must not use up all attempts.
      this.#waiting.unshift(pair)
    }
  }

  #post(path: string, token: string): Promise<number | string> {
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '2' }
      const sending = request(`${ENTRY}${path}`, { method: 'POST', headers, agent: this.#agent }, (response) => {
        response.resume().once('close', () => resolve(response.complete ? response.statusCode! : 'cut off'))
      })
      const timer = setTimeout(() => sending.destroy(new Error('no answer')), GIVE_UP_MS)
      sending.once('close', () => clearTimeout(timer))
      sending.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      sending.end('{}')
    })
  }

  /** The longest time without an acknowledgement since then, in seconds. */
  longestGap(since: number): number {
    const times = [since, ...this.acknowledgedAt.filter((at) => at > since), performance.now()]
    return Math.max(...times.slice(1).map((at, n) => at - times[n]!)) / 1000
  }

  /** Whether sign-ups have been acknowledged constantly for this time. */
  isSteady(ms: number): boolean {
    const since = performance.now() - ms
    const recent = this.acknowledgedAt.filter((at) => at > since)
    return recent.length >= 3 && this.longestGap(since) * 1000 < ms / 2
  }

  /** Acknowledged sign-ups that the database does not have, and shifts with more people than places. */
  async findMistakes(): Promise<{ lost: number; overbooked: number }> {
    // Sign-ups go on: what is acknowledged after the query is not in its result.
    const acknowledged = [...this.acknowledged]
    const { rows } = await retry(() =>
      this.#db.writePool.query<{ person: number; shift: number }>(
        'select user_id as person, shift_id as shift from participation where state = $1',
        [TAKES_PART],
      ),
    )
    const saved = new Set(rows.map(({ person, shift }) => `${person} ${shift}`))
    const counts = Map.groupBy(rows, ({ shift }) => shift)
    return {
      lost: acknowledged.filter(({ person, shift }) => !saved.has(`${person} ${shift}`)).length,
      overbooked: [...counts.values()].filter(({ length }) => length > PLACES).length,
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#workers)
    this.#agent.destroy()
    await this.#db.close()
  }
}
