import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { isOn } from '#platform/features/modules.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { makeSecret } from '#platform/outbound/standard-webhooks.ts'
import { type Link, PartnerError } from '../partner.ts'
import { isNews, readCursor } from '../rules/cursor.ts'
import { isGenuine, isTimely, type Notice } from './notices.ts'
import { type Fetched, fetchUpdates, type Subscribing, sendObjections, subscribe } from './request-updates.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A secret is replaced after so long. */
const ROTATE_MS = 30 * DAY_MS
/** The former secret is accepted for so long, for notices that are on their way. */
const OVERLAP_MS = DAY_MS
const AGAIN_MS = 10 * 60_000

type Agreement = {
  cursor: string | null
  secret_sealed: string | null
  next_secret_sealed: string | null
  agreed_at: Date | null
  next_attempt_at: Date
  objections_told: string | null
}

const getAgreement = (db: Kysely<DB>, hostId: number): Promise<Agreement | undefined> =>
  db
    .selectFrom('host_updates')
    .select(['cursor', 'secret_sealed', 'next_secret_sealed', 'agreed_at', 'next_attempt_at', 'objections_told'])
    .where('host_id', '=', hostId)
    .executeTakeFirst()

type Told = { kind: 'refused' } | { kind: 'told'; updates: Extract<Fetched, { kind: 'told' }>['updates']; before: string | null }

/**
 * What a host tells since the last time; undefined: it does not tell of changes, so its lists are read. Whatever goes wrong with the
 * agreement is tried again later, and the lists are read meanwhile.
 */
export async function readUpdates(
  context: CommandContext,
  outbound: Outbound,
  host: { id: number } & Link,
): Promise<Told | undefined> {
  const { db, now } = context
  const known = await getAgreement(db, host.id)
  const mayAsk = !known || known.next_attempt_at <= now
  const isOld = !known?.agreed_at || now.getTime() - known.agreed_at.getTime() >= ROTATE_MS
  if (isOld && mayAsk) {
    const outcome = await agree(context, outbound, host)
    if (outcome === 'refused') return { kind: 'refused' }
  }
  const agreement = await getAgreement(db, host.id)
  if (!agreement?.agreed_at) return undefined
  // First, so that nothing is sent about these people.
  await tellObjections(context, outbound, host, agreement.objections_told)
  const fetched = await fetchUpdates(outbound, host, agreement.cursor)
  if (fetched.kind === 'told') return { ...fetched, before: agreement.cursor }
  if (fetched.kind === 'refused') return fetched
  const next_attempt_at = fetched.kind === 'unknown' ? new Date(now.getTime() + DAY_MS) : now
  await db
    .updateTable('host_updates')
    .set({ agreed_at: null, cursor: null, objections_told: null, next_attempt_at })
    .where('host_id', '=', host.id)
    .execute()
  return undefined
}

/** The new secret is stored before the host gets it: its answer may be lost, and it uses the secret from then on. */
async function agree(context: CommandContext, outbound: Outbound, host: { id: number } & Link): Promise<Subscribing | 'failed'> {
  const { db, now, site } = context
  // never null: next (it is set if there is none)
  const { rows } = await sql<{ next: string }>`
    insert into host_updates (host_id, next_secret_sealed, next_attempt_at)
    select id, ${site.keyring.seal(makeSecret())}, ${now} from federated_host where id = ${host.id}
    on conflict (host_id) do update set next_secret_sealed = coalesce(host_updates.next_secret_sealed, excluded.next_secret_sealed)
    returning next_secret_sealed as next`.execute(db)
  const next = rows[0]?.next
  if (next === undefined) return 'failed'
  const later = (ms: number) =>
    db
      .updateTable('host_updates')
      .set({ next_attempt_at: new Date(now.getTime() + ms) })
      .where('host_id', '=', host.id)
      .execute()
  try {
    const outcome = await subscribe(outbound, host, site.keyring.unseal(next))
    if (outcome === 'agreed')
      await sql`
        update host_updates set old_secret_sealed = secret_sealed, secret_sealed = next_secret_sealed, next_secret_sealed = null,
          agreed_at = ${now}, next_attempt_at = ${now}
        where host_id = ${host.id} and next_secret_sealed = ${next}`.execute(db)
    else if (outcome === 'unknown') await later(DAY_MS)
    return outcome
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    await later(AGAIN_MS)
    return 'failed'
  }
}

/** People who object, as far as the host can know them. */
async function tellObjections(
  { db }: CommandContext,
  outbound: Outbound,
  host: { id: number } & Link,
  told: string | null,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select o.user_id as id from partner_objection o join federated_host h on h.id = ${host.id}
      join oauth_consent c on c.application_id = h.application_id and c.user_id = o.user_id
    order by o.user_id`.execute(db)
  const people = rows.map(({ id }) => id)
  const digest = createHash('sha256').update(people.join(',')).digest('hex')
  if (digest === told || (told === null && !people.length)) return
  await sendObjections(outbound, host, people)
  await db.updateTable('host_updates').set({ objections_told: digest }).where('host_id', '=', host.id).execute()
}

export type Hearing = 'synced_soon' | 'known' | 'forged' | 'untimely'

type Guards = { isGenuine: typeof isGenuine; isTimely: typeof isTimely; isNews: typeof isNews }
const GUARDS: Guards = { isGenuine, isTimely, isNews }

/** A host says that there is something new. Nothing of the notice is stored: it is a reason to ask the host now. */
export async function hearNotice(
  context: Pick<CommandContext, 'db' | 'now' | 'site'>,
  notice: Notice & { signature: string },
  guards = GUARDS,
): Promise<Hearing> {
  const { db, now, site } = context
  const found = await db
    .selectFrom('host_updates as u')
    .innerJoin('federated_host as h', 'h.id', 'u.host_id')
    .select(['h.id', 'u.cursor', 'u.secret_sealed', 'u.next_secret_sealed', 'u.old_secret_sealed', 'u.agreed_at'])
    .where('h.url', '=', notice.host)
    .executeTakeFirst()
  const cursor = readCursor(notice.cursor)
  if (!found || !cursor) return 'forged'
  const isOverlap = found.agreed_at !== null && now.getTime() - found.agreed_at.getTime() < OVERLAP_MS
  const sealed = [found.secret_sealed, found.next_secret_sealed, isOverlap ? found.old_secret_sealed : null]
  const secrets = sealed.filter((each) => each !== null).map((each) => site.keyring.unseal(each))
  if (!guards.isGenuine(notice, secrets)) return 'forged'
  if (!guards.isTimely(notice, now)) return 'untimely'
  await db.updateTable('host_updates').set({ last_notice_at: now }).where('host_id', '=', found.id).execute()
  if (!guards.isNews(cursor, found.cursor)) return 'known'
  await askSoon({ db, now, site }, [found.id])
  return 'synced_soon'
}

/** Asks hosts before their time. */
export async function askSoon(
  { db, now, site }: Pick<CommandContext, 'db' | 'now' | 'site'>,
  hostIds: readonly number[],
): Promise<void> {
  if (!hostIds.length || !isOn(site, 'federation')) return
  await db.updateTable('federated_host').set({ next_attempt_at: now }).where('id', 'in', hostIds).execute()
  await sql`select graphile_worker.add_job('sync_hosts', job_key => 'sync_hosts_now')`.execute(db)
}
