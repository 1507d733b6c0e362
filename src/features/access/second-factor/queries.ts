import { type Kysely, type RawBuilder, sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

export type Passkey = { id: number; name: string; isSynced: boolean; createdAt: Date; lastUsedAt: Date | null }
type Factors = {
  app: { createdAt: Date; lastUsedAt: Date | null } | undefined
  passkeys: Passkey[]
  recoveryCodes: number
  trustedDevices: number
}

/** What a person has set up. */
export async function getFactors(db: Kysely<DB>, userId: number, now: Date): Promise<Factors> {
  const [app, passkeys, { rows }] = await Promise.all([
    db
      .selectFrom('totp_factor')
      .select(['created_at as createdAt', 'last_used_at as lastUsedAt'])
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    findPasskeys(db, userId),
    sql<{ codes: number; devices: number }>`
      select (select count(*)::int from recovery_code c where c.user_id = ${userId} and c.used_at is null) as codes,
        (select count(*)::int from trusted_device d where d.user_id = ${userId} and d.trusted_until > ${now}) as devices`.execute(
      db,
    ),
  ])
  return { app, passkeys, recoveryCodes: rows[0]!.codes, trustedDevices: rows[0]!.devices }
}

export async function findPasskeys(db: Kysely<DB>, userId: number): Promise<Passkey[]> {
  return db
    .selectFrom('passkey')
    .select(['id', 'name', 'is_synced as isSynced', 'created_at as createdAt', 'last_used_at as lastUsedAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The ways in which a person can prove the second factor. Recovery codes alone are none. */
type FactorKinds = { app: boolean; passkey: boolean; recovery: boolean }

export async function getFactorKinds(db: Kysely<DB>, userId: number): Promise<FactorKinds> {
  return rowsOf(db).one(sql<FactorKinds>`
    select exists (select from totp_factor t where t.user_id = ${userId}) as app,
      exists (select from passkey p where p.user_id = ${userId}) as passkey,
      exists (select from recovery_code c where c.user_id = ${userId} and c.used_at is null) as recovery`)
}

export const hasFactor = ({ app, passkey }: FactorKinds): boolean => app || passkey

/** Whether the person is asked for the second factor in this browser. */
export async function needsSecondStep(
  db: Kysely<DB>,
  { userId, device, now }: { userId: number; device: string; now: Date },
): Promise<boolean> {
  if (!hasFactor(await getFactorKinds(db, userId))) return false
  const trusted = await db
    .selectFrom('trusted_device')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('device_hash', '=', hashSecret(device))
    .where('trusted_until', '>', now)
    .executeTakeFirst()
  return trusted === undefined
}

type StoredPasskey = {
  id: number
  userId: number
  credentialId: Buffer
  publicKey: Buffer
  userHandle: Buffer
  signCount: number
  transports: string[]
}

export async function findStoredPasskeys(db: Kysely<DB>, userId: number): Promise<StoredPasskey[]> {
  return storedPasskeys(db).where('p.user_id', '=', userId).orderBy('p.id').execute()
}

/** Undefined: unknown, or its owner is inactive. */
export async function getStoredPasskey(db: Kysely<DB>, credentialId: Buffer): Promise<StoredPasskey | undefined> {
  return storedPasskeys(db).where('p.credential_id', '=', credentialId).executeTakeFirst()
}

const storedPasskeys = (db: Kysely<DB>) =>
  db
    .selectFrom('passkey as p')
    .innerJoin('user_profile as u', 'u.id', 'p.user_id')
    .select([
      'p.id',
      'p.user_id as userId',
      'p.credential_id as credentialId',
      'p.public_key as publicKey',
      'p.user_handle as userHandle',
      'p.sign_count as signCount',
      'p.transports',
    ])
    .where('u.is_active', '=', true)

export type Policy = { forAdministrators: boolean; graceDays: number; afterProvider: boolean; groupIds: number[] }

/** Undefined: never set. */
export async function getPolicy(db: Kysely<DB>): Promise<Policy | undefined> {
  return rowsOf(db).first(sql<Policy>`
    select p.for_administrators as "forAdministrators", p.grace_days as "graceDays", p.after_provider as "afterProvider",
      array(select g.group_id from second_factor_group g order by 1) as "groupIds"
    from second_factor_policy p`)
}

/** For queries that have `user_profile` as `u`: the person needs a second factor, whether they have one or not. */
export const isRequiredFor = sql<boolean>`(
  ((u.is_staff or u.is_superuser) and exists (select from second_factor_policy p where p.for_administrators))
  or exists (select from second_factor_group g join user_group_member m on m.group_id = g.group_id where m.user_id = u.id))`

/** For queries that have `user_profile` as `u`: the person has an app or a passkey. */
export const hasFactorOf = sql<boolean>`(exists (select from totp_factor t where t.user_id = u.id)
  or exists (select from passkey k where k.user_id = u.id))`

export type FactorRequirement = { grace_days: number | null; required_since: Date | null }

/** For queries that have `user_profile` as `u`: how long a person who lacks a required factor may wait, and since when. */
export const factorRequirementColumns: RawBuilder<FactorRequirement> = sql<FactorRequirement>`
  case when ${isRequiredFor} and not ${hasFactorOf} then (select p.grace_days from second_factor_policy p) end as grace_days,
  (select d.since from second_factor_duty d where d.user_id = u.id) as required_since`

/** How many people need a second factor, and how many of them have none. */
export async function countRequired(db: Kysely<DB>): Promise<{ people: number; lacking: number }> {
  return rowsOf(db).one(sql<{ people: number; lacking: number }>`
    select count(*)::int as people, (count(*) filter (where not ${hasFactorOf}))::int as lacking
    from user_profile u where u.is_active and not u.is_service_account and ${isRequiredFor}`)
}

export async function isRequired(db: Kysely<DB>, userId: number): Promise<boolean> {
  const { rows } = await sql<{ isRequired: boolean }>`
    select ${isRequiredFor} as "isRequired" from user_profile u where u.id = ${userId}`.execute(db)
  return rows[0]?.isRequired === true
}
