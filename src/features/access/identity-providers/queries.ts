import { type Kysely, sql } from 'kysely'
import { hasFactorOf } from '#features/access/second-factor/queries.ts'
import { hasPowersOf } from '#features/accounts/users/queries/group-rights.ts'
import { NO_RIGHTS } from '#features/accounts/users/rules.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { KnownAccount } from './rules/accounts.ts'
import type { DefaultGroup, GroupMapping } from './rules/groups.ts'
import type { IdentityProvider } from './schema.ts'

const columns = sql`p.id, p.internal_name as "internalName", p.label, p.client_id as "clientId",
  p.client_secret_sealed as "clientSecretSealed", p.token_auth_method as "tokenAuthMethod", p.scopes, p.issuer,
  p.authorization_endpoint as "authorizationEndpoint", p.token_endpoint as "tokenEndpoint",
  p.userinfo_endpoint as "userinfoEndpoint", p.end_session_endpoint as "endSessionEndpoint", p.jwks_uri as "jwksUri",
  p.creates_accounts as "createsAccounts", p.trusts_email as "trustsEmail",
  p.trusts_factor as "trustsFactor", p.factor_acrs as "factorAcrs", p.trusts_proof as "trustsProof", p.group_claim as "groupClaim",
  p.create_missing_groups as "createMissingGroups", p.qualification_claim as "qualificationClaim",
  p.qualification_uuids as "qualificationUuids", p.enabled`

export async function getProvider(db: Kysely<DB>, id: number): Promise<IdentityProvider | undefined> {
  return rowsOf(db).first(sql<IdentityProvider>`select ${columns} from identity_provider p where p.id = ${id}`)
}

type Problem = { code: string; why?: string; claims?: { claim: string; expected: string; found: string }[] }
export type ManagedProvider = IdentityProvider & {
  version: number
  /** How many people can sign in by it. */
  people: number
  defaultGroupIds: number[]
  /** Groups that claims have named and that nobody gets before an administrator decides. */
  withheldGroups: number
  problem: Problem | null
  problemAt: Date | null
}

const managedColumns = sql`${columns}, p.version, p.problem, p.problem_at as "problemAt",
  (select count(distinct i.user_id)::int from external_identity i where i.identity_provider_id = p.id) as people,
  array(select g.group_id from identity_provider_group g where g.identity_provider_id = p.id order by 1) as "defaultGroupIds",
  (select count(*)::int from identity_provider_withheld_group w where w.identity_provider_id = p.id) as "withheldGroups"`

export async function findManagedProviders(db: Kysely<DB>): Promise<ManagedProvider[]> {
  return rowsOf(db).all(sql<ManagedProvider>`
    select ${managedColumns} from identity_provider p order by lower(p.label), p.id`)
}

export async function getManagedProvider(db: Kysely<DB>, id: number): Promise<ManagedProvider | undefined> {
  return rowsOf(db).first(sql<ManagedProvider>`select ${managedColumns} from identity_provider p where p.id = ${id}`)
}

export const requireProvider = async ({ db }: { db: Kysely<DB> }, id: number): Promise<ManagedProvider> =>
  requireFound(await getManagedProvider(db, id))

type ProviderButton = { id: number; label: string }

export const findEnabledProviders = (db: Kysely<DB>): Promise<ProviderButton[]> =>
  db
    .selectFrom('identity_provider')
    .select(['id', 'label'])
    .where('enabled', '=', true)
    .orderBy(sql`lower(label)`)
    .orderBy('id')
    .execute()

const accountColumns = sql`u.id as "userId", u.is_active as "isActive", ${hasPowersOf} as "hasPowers",
  u.password_hash is not null as "hasPassword", ${hasFactorOf} as "hasFactor",
  exists (select from external_identity l where l.user_id = u.id) as "isLinked"`

export type Identity = { issuer: string; subject: string }

export async function getLinkedAccount(db: Kysely<DB>, { issuer, subject }: Identity): Promise<KnownAccount | undefined> {
  return rowsOf(db).first(sql<KnownAccount>`
    select ${accountColumns} from external_identity i join user_profile u on u.id = i.user_id
    where i.issuer = ${issuer} and i.subject = ${subject}`)
}

/** Ignores case, as sign-in with a password does. */
export async function getAccountByEmail(db: Kysely<DB>, email: string): Promise<KnownAccount | undefined> {
  return rowsOf(db).first(sql<KnownAccount>`
    select ${accountColumns} from user_profile u where lower(u.email) = lower(${email}::text) and u.deleted_at is null
      and not u.is_service_account`)
}

type OwnIdentity = { id: number; providerId: number; label: string; linkedAt: Date; lastUsedAt: Date | null }

export async function findIdentitiesOf(db: Kysely<DB>, userId: number): Promise<OwnIdentity[]> {
  return rowsOf(db).all(sql<OwnIdentity>`
    select i.id, p.id as "providerId", p.label, i.linked_at as "linkedAt", i.last_used_at as "lastUsedAt"
    from external_identity i join identity_provider p on p.id = i.identity_provider_id
    where i.user_id = ${userId} order by lower(p.label), i.id`)
}

export async function hasPassword(db: Kysely<DB>, userId: number): Promise<boolean> {
  const row = await db.selectFrom('user_profile').select('password_hash').where('id', '=', userId).executeTakeFirst()
  return row?.password_hash != null
}

type ExternalSession = { providerId: number; idTokenSealed: string }

/** Undefined: the session began with a password. */
export async function getExternalSession(db: Kysely<DB>, sessionHash: Buffer): Promise<ExternalSession | undefined> {
  return db
    .selectFrom('external_session')
    .select(['identity_provider_id as providerId', 'id_token_sealed as idTokenSealed'])
    .where('session_hash', '=', sessionHash)
    .executeTakeFirst()
}

type StoredMapping = GroupMapping & { id: number; confirmedAt: Date }

/** What administrators have confirmed about groups, for sign-ins and for the page of the provider. */
export async function getGroupRules(
  db: Kysely<DB>,
  providerId: number,
): Promise<{ mappings: StoredMapping[]; defaults: DefaultGroup[]; keepsNamed: boolean }> {
  const { rows: mappings } = await sql<StoredMapping>`
    select m.id, m.value, m.group_id as "groupId", m.rights, m.confirmed_at as "confirmedAt"
    from identity_provider_group_value m where m.identity_provider_id = ${providerId}
    order by lower(m.value), m.value, m.group_id`.execute(db)
  const { rows: defaults } = await sql<{ groupId: number; rights: DefaultGroup['rights'] | null }>`
    select g.group_id as "groupId", g.rights from identity_provider_group g
    where g.identity_provider_id = ${providerId} order by 1`.execute(db)
  const { rows } = await sql<{ keepsNamed: boolean }>`
    select p.keeps_named_groups as "keepsNamed" from identity_provider p where p.id = ${providerId}`.execute(db)
  return {
    mappings,
    defaults: defaults.map(({ groupId, rights }) => ({ groupId, rights: rights ?? NO_RIGHTS })),
    keepsNamed: rows[0]?.keepsNamed ?? false,
  }
}

type WithheldGroup = { groupId: number; value: string; seenAt: Date }

/** Groups that a sign-in would have given by a claim; the last value and time of each. */
export async function findWithheldGroups(db: Kysely<DB>, providerId: number): Promise<WithheldGroup[]> {
  return rowsOf(db).all(sql<WithheldGroup>`
    select w.group_id as "groupId", w.value, w.seen_at as "seenAt" from identity_provider_withheld_group w
    where w.identity_provider_id = ${providerId}`)
}

type NamedGroup = { id: number; name: string }
export const findGroupNames = (db: Kysely<DB>): Promise<NamedGroup[]> =>
  db.selectFrom('user_group').select(['id', 'name']).orderBy(sql`lower(name)`).orderBy('id').execute()

type NamedQualification = { id: number; uuid: string; title: string; abbreviation: string }
export const findQualificationNames = (db: Kysely<DB>): Promise<NamedQualification[]> =>
  db.selectFrom('qualification').select(['id', 'uuid', 'title', 'abbreviation']).execute()
