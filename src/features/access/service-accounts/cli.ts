import { findGroupChoices } from '#features/accounts/users/queries/people.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import { type Command, UsageError, type Values } from '#platform/command-line/command.ts'
import { keyringOf, requireDatabase } from '#platform/command-line/data-directory.ts'
import { formatTable, type Terminal } from '#platform/command-line/terminal.ts'
import { asOperator, createServiceAccount } from './commands/accounts.ts'
import { revokeKey, rotateServiceKey } from './commands/keys.ts'
import { findServiceAccounts, findServiceKeys, getServiceAccountByName, type ServiceAccount } from './queries.ts'
import { DEFAULT_OVERLAP_HOURS, getAccountState, getKeyState, type Refusal } from './rules.ts'

export const key: Command = {
  operands: [
    { name: 'create|list|rotate|revoke', help: 'What to do' },
    { name: 'name', help: 'Name of the service account (not for list)', optional: true },
  ],
  options: {
    scopes: { type: 'string', hint: 'A,B', help: `create: ${SCOPES.join(', ')}` },
    groups: { type: 'string', hint: 'A,B', help: 'create: names of groups whose events it sees and whose permissions it has' },
    expires: { type: 'string', hint: 'YYYY-MM-DD', help: 'create: last day (default: without an expiry)' },
    networks: { type: 'string', hint: 'A,B', help: 'create: allowed networks such as 10.0.0.0/8 (default: all)' },
    origins: { type: 'string', hint: 'A,B', help: 'create: origins of pages whose scripts may use it (default: none)' },
    overlap: {
      type: 'string',
      hint: '7d',
      help: 'rotate: how long the former key stays valid, in hours (24h) or days (default: 7d)',
    },
    key: { type: 'string', hint: 'LETTERS', help: 'revoke: the last letters of the key, as list shows them (default: all keys)' },
  },
  run: async ({ config, values, operands, terminal, withDatabase, asOperator }) => {
    const [action = '', name] = operands
    const perform = ACTIONS[action]
    if (!perform) throw new UsageError(`expected ${Object.keys(ACTIONS).join(', ')}, not ${action}`)
    if ((action === 'list') !== (name === undefined))
      throw new UsageError(action === 'list' ? 'list takes no name' : `${action} needs the name of the service account`)
    checkOptions(action, values)
    requireDatabase(config)
    const keyring = keyringOf(config)
    return withDatabase(config, async ({ db, config: effective }) => {
      await perform({ context: asOperator(effective, db, keyring), name: name?.trim() ?? '', values, terminal })
      return 0
    })
  },
}

type Job = { context: CommandContext; name: string; values: Values; terminal: Terminal }

/** Prints only the secret to standard output, so that scripts can read it. */
const ACTIONS: Record<string, (job: Job) => Promise<void>> = {
  create: async ({ context, name, values, terminal }) => {
    const input = {
      name,
      scopes: listOf(values.scopes),
      groupIds: await findGroups(context, listOf(values.groups, /,/)),
      lastDay: String(values.expires ?? ''),
      networks: listOf(values.networks),
      origins: listOf(values.origins),
    }
    const made = await createServiceAccount(context, input, asOperator)
    if (!made.ok) throw new UsageError(made.refusals.map(describe).join('; '))
    console.log(made.key)
    terminal.print(`Created ${name}. The key is shown only once; it ends with ${made.hint.slice(1)}.`)
  },
  list: async ({ context, terminal }) => {
    const accounts = await findServiceAccounts(context.db, context.now)
    if (!accounts.length) return terminal.print('There are no service accounts.')
    const lines = await Promise.all(accounts.map((account) => describeAccount(context, account)))
    for (const line of formatTable(lines)) console.log(line)
  },
  rotate: async ({ context, name, values, terminal }) => {
    const { id } = await requireAccount(context, name)
    const made = await rotateServiceKey(context, { accountId: id, overlapHours: hoursOf(values.overlap) }, asOperator)
    if (!made?.ok) throw new UsageError(OVERLAP)
    console.log(made.key)
    terminal.print(`Former keys of ${name} are valid until ${made.formerUntil.toISOString()}.`)
  },
  revoke: async ({ context, name, values, terminal }) => {
    const { id } = await requireAccount(context, name)
    const letters = values.key === undefined ? undefined : String(values.key).replace(/^…/, '')
    const keys = (await findServiceKeys(context.db, id)).filter(
      (each) => ['active', 'retiring'].includes(getKeyState(each, context.now)) && (!letters || each.hint === `…${letters}`),
    )
    if (!keys.length) throw new UsageError(`${name} has no valid key${letters ? ` that ends with ${letters}` : ''}`)
    for (const { id: keyId } of keys) await revokeKey(context, { accountId: id, keyId }, asOperator)
    terminal.print(`Revoked ${keys.map(({ hint }) => hint).join(', ')} of ${name}.`)
  },
}

const OPTIONS: Record<string, readonly string[]> = {
  create: ['scopes', 'groups', 'expires', 'networks', 'origins'],
  list: [],
  rotate: ['overlap'],
  revoke: ['key'],
}

/** An option that has no effect would be a mistake that nobody notices. */
function checkOptions(action: string, values: Values): void {
  const other = Object.keys(values).filter((name) => name !== 'help' && !OPTIONS[action]!.includes(name))
  if (other.length) throw new UsageError(`${action} does not take ${other.map((name) => `--${name}`).join(' and ')}`)
  if (action === 'create' && values.scopes === undefined) throw new UsageError('--scopes must be given')
}

const listOf = (value: string | boolean | undefined, separator = /[\s,]+/): string[] =>
  String(value ?? '')
    .split(separator)
    .map((each) => each.trim())
    .filter(Boolean)

async function findGroups({ db }: CommandContext, names: readonly string[]): Promise<number[]> {
  const groups = await findGroupChoices(db)
  const unknown = names.filter((name) => !groups.some((group) => group.name === name))
  if (unknown.length) throw new UsageError(`there is no group ${unknown.join(', ')}`)
  return groups.filter(({ name }) => names.includes(name)).map(({ id }) => id)
}

async function requireAccount({ db, now }: CommandContext, name: string): Promise<ServiceAccount> {
  const account = await getServiceAccountByName(db, name, now)
  if (!account) throw new UsageError(`there is no service account ${name}`)
  return account
}

async function describeAccount({ db, now }: CommandContext, account: ServiceAccount): Promise<string[]> {
  const keys = (await findServiceKeys(db, account.id)).filter((each) => ['active', 'retiring'].includes(getKeyState(each, now)))
  return [
    account.name,
    getAccountState(account, now).replaceAll('_', ' '),
    account.scopes.join(','),
    account.groups.join(',') || '-',
    account.expiresAt?.toISOString() ?? 'never',
    account.lastUsedAt?.toISOString() ?? 'unused',
    keys.map(({ hint, expiresAt }) => `${hint}${expiresAt ? ` until ${expiresAt.toISOString()}` : ''}`).join(', ') || '-',
  ]
}

const OVERLAP = '--overlap must be a number of hours or days up to 90 days, such as 24h or 7d'

function hoursOf(value: string | boolean | undefined): number {
  if (value === undefined) return DEFAULT_OVERLAP_HOURS
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(String(value)) ?? []
  if (count === undefined) throw new UsageError(OVERLAP)
  return Number(count) * (unit === 'd' ? 24 : 1)
}

function describe(refusal: Refusal): string {
  const { field, reason } = refusal
  const flag = field === 'name' ? 'the name' : `--${field}`
  const value = 'value' in refusal ? ` (${refusal.value})` : ''
  return `${flag}: ${reason.replaceAll('_', ' ')}${value}`
}
