import { sql } from 'kysely'
import { requireStaff } from '#features/accounts/users/access.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { pairChanges } from '#platform/journal/kinds.ts'
import { findQualificationNames, getManagedProvider, type ManagedProvider } from '../queries.ts'
import { type ClaimProblem, parseQualificationLines } from '../rules/claims.ts'
import type { ProviderForm } from '../schema.ts'

export type ProviderRefusal =
  | { field: 'internal_name'; reason: 'name_taken' }
  | { field: 'qualification_lines'; reason: 'line_invalid'; line: number; text: string }
  | { field: undefined; reason: 'outdated' }
type ProviderOutcome = { ok: true; id: number; isChanged: boolean } | { ok: false; refusal: ProviderRefusal }

/** New providers are disabled, so that an administrator can test them first. */
export async function createProvider(context: CommandContext, form: ProviderForm): Promise<ProviderOutcome> {
  requireStaff(context.actor)
  return transact(context.db, async (tx): Promise<ProviderOutcome> => {
    const values = await readValues(tx, form)
    if ('refusal' in values) return { ok: false, refusal: values.refusal }
    const secret = form.client_secret ? context.site.keyring.seal(form.client_secret) : null
    const row = await tx
      .insertInto('identity_provider')
      .values({ ...toColumns(values), client_secret_sealed: secret })
      .onConflict((conflict) => conflict.column('internal_name').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) return { ok: false, refusal: { field: 'internal_name', reason: 'name_taken' } }
    await writeDefaultGroups(tx, row.id, form.default_groups)
    await record(tx, context, {
      kind: 'identity_provider.created',
      subject: { kind: 'identity_provider', id: row.id },
      changes: { label: form.label, issuer: form.issuer, groups: form.default_groups },
    })
    return { ok: true, id: row.id, isChanged: true }
  })
}

/** An empty secret keeps the stored one. Undefined: no such provider. */
export async function changeProvider(
  context: CommandContext,
  id: number,
  form: ProviderForm,
): Promise<ProviderOutcome | undefined> {
  requireStaff(context.actor)
  return transact(context.db, async (tx): Promise<ProviderOutcome | undefined> => {
    const before = await lockProvider(tx, id)
    if (!before) return undefined
    if (before.version !== form.version) return { ok: false, refusal: { field: undefined, reason: 'outdated' } }
    const values = await readValues(tx, form)
    if ('refusal' in values) return { ok: false, refusal: values.refusal }
    if (await isNameTaken(tx, form.internal_name, id))
      return { ok: false, refusal: { field: 'internal_name', reason: 'name_taken' } }
    const stored = providerValues(before)
    const names = (Object.keys(values) as (keyof Values)[]).filter(
      (name) => JSON.stringify(values[name]) !== JSON.stringify(stored[name]),
    )
    const groups = form.default_groups.toSorted((a, b) => a - b)
    const areGroupsChanged = JSON.stringify(groups) !== JSON.stringify(before.defaultGroupIds)
    if (!names.length && !areGroupsChanged && !form.client_secret) return { ok: true, id, isChanged: false }
    await tx
      .updateTable('identity_provider')
      .set((eb) => ({
        ...toColumns(values),
        ...(form.client_secret ? { client_secret_sealed: context.site.keyring.seal(form.client_secret) } : {}),
        problem: null,
        problem_at: null,
        // Not by a trigger: a failed sign-in must not outdate an open form.
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
    if (areGroupsChanged) await writeDefaultGroups(tx, id, groups)
    await record(tx, context, {
      kind: 'identity_provider.changed',
      subject: { kind: 'identity_provider', id },
      changes: {
        ...pairChanges(names, stored, values),
        ...(areGroupsChanged ? { groups: [before.defaultGroupIds, groups] } : {}),
        // Never the value.
        ...(form.client_secret ? { client_secret: 'changed' } : {}),
      },
    })
    return { ok: true, id, isChanged: true }
  })
}

/** Undefined: no such provider. People who are signed in stay signed in. */
export async function setProviderEnabled(context: CommandContext, id: number, enabled: boolean): Promise<string | undefined> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    const provider = await lockProvider(tx, id)
    if (!provider) return undefined
    if (provider.enabled !== enabled) {
      await tx.updateTable('identity_provider').set({ enabled }).where('id', '=', id).execute()
      const kind = enabled ? 'identity_provider.enabled' : 'identity_provider.disabled'
      await record(tx, context, { kind, subject: { kind: 'identity_provider', id } })
    }
    return provider.label
  })
}

/** People keep their accounts; the links of their accounts are deleted with the provider. */
export async function deleteProvider(context: CommandContext, id: number): Promise<string | undefined> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    const provider = await lockProvider(tx, id)
    if (!provider) return undefined
    await tx.deleteFrom('identity_provider').where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'identity_provider.deleted',
      subject: { kind: 'identity_provider', id },
      changes: { label: [provider.label, null], issuer: [provider.issuer, null], count: provider.people },
    })
    return provider.label
  })
}

/** What was found out about a provider that an import stored without issuer. */
export async function storeIssuer(
  context: CommandContext,
  id: number,
  found: { issuer: string; jwksUri: string },
): Promise<void> {
  await transact(context.db, async (tx) => {
    const row = await tx
      .updateTable('identity_provider')
      .set({ issuer: found.issuer, jwks_uri: found.jwksUri })
      .where('id', '=', id)
      .where('issuer', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!row) return
    await record(tx, context, {
      kind: 'identity_provider.completed',
      subject: { kind: 'identity_provider', id },
      changes: { issuer: [null, found.issuer] },
    })
  })
}

type SignInProblem = { code: string; why?: string; claims?: ClaimProblem[] }

/** Remembers the last problem for administrators. Only a new one gets an entry in the log, so that it is not flooded. */
export async function recordProblem(context: CommandContext, id: number, problem: SignInProblem): Promise<void> {
  await transact(context.db, async (tx) => {
    const provider = await lockProvider(tx, id)
    if (!provider) return
    const isNew = JSON.stringify(sorted(provider.problem)) !== JSON.stringify(sorted(problem))
    await sql`update identity_provider set problem = ${JSON.stringify(problem)}::jsonb, problem_at = ${context.now}
      where id = ${id}`.execute(tx)
    if (!isNew) return
    const changes = {
      reason: [problem.code, problem.why, ...(problem.claims ?? []).map(({ claim }) => claim)].filter(Boolean).join(', '),
    }
    await record(tx, context, { kind: 'identity_provider.problem', subject: { kind: 'identity_provider', id }, changes })
  })
}

/** PostgreSQL does not keep the order of keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  )
}

/** The columns that the form changes, without secret and groups. */
type Values = Omit<ProviderForm, 'version' | 'client_secret' | 'default_groups' | 'qualification_lines'> & {
  qualification_uuids: Record<string, string>
}

const toColumns = ({ qualification_uuids, ...values }: Values) => ({
  ...values,
  qualification_uuids: JSON.stringify(qualification_uuids),
})

async function readValues(tx: Tx, form: ProviderForm): Promise<Values | { refusal: ProviderRefusal }> {
  const { version: _version, client_secret: _secret, default_groups: _groups, qualification_lines: lines, ...values } = form
  const mapping = parseQualificationLines(lines, await findQualificationNames(tx))
  if (!mapping.ok)
    return { refusal: { field: 'qualification_lines', reason: 'line_invalid', line: mapping.line, text: mapping.text } }
  return { ...values, qualification_uuids: mapping.uuids }
}

/** The stored values by the names of the form. */
export const providerValues = (provider: ManagedProvider) => ({
  label: provider.label,
  internal_name: provider.internalName,
  client_id: provider.clientId,
  issuer: provider.issuer,
  authorization_endpoint: provider.authorizationEndpoint,
  token_endpoint: provider.tokenEndpoint,
  jwks_uri: provider.jwksUri,
  userinfo_endpoint: provider.userinfoEndpoint,
  end_session_endpoint: provider.endSessionEndpoint,
  token_auth_method: provider.tokenAuthMethod,
  scopes: provider.scopes,
  creates_accounts: provider.createsAccounts,
  trusts_email: provider.trustsEmail,
  trusts_factor: provider.trustsFactor,
  factor_acrs: provider.factorAcrs,
  trusts_proof: provider.trustsProof,
  group_claim: provider.groupClaim,
  create_missing_groups: provider.createMissingGroups,
  qualification_claim: provider.qualificationClaim,
  qualification_uuids: provider.qualificationUuids,
})

export async function lockProvider(tx: Tx, id: number): Promise<ManagedProvider | undefined> {
  await tx.selectFrom('identity_provider').select('id').where('id', '=', id).forUpdate().execute()
  return getManagedProvider(tx, id)
}

const isNameTaken = async (tx: Tx, name: string, id: number): Promise<boolean> =>
  (await tx
    .selectFrom('identity_provider')
    .select('id')
    .where('internal_name', '=', name)
    .where('id', '!=', id)
    .executeTakeFirst()) !== undefined

/** Groups that were deleted meanwhile are left out. Groups that stay keep the rights that were confirmed. */
async function writeDefaultGroups(tx: Tx, id: number, groupIds: readonly number[]): Promise<void> {
  await sql`delete from identity_provider_group
    where identity_provider_id = ${id} and group_id <> all (${[...groupIds]}::bigint[])`.execute(tx)
  await sql`insert into identity_provider_group (identity_provider_id, group_id)
    select ${id}, g.id from user_group g where g.id = any (${[...groupIds]}::bigint[])
    on conflict do nothing`.execute(tx)
}
