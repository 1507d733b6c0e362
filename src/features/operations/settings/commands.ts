import { hash } from 'node:crypto'
import { requireStaff } from '#features/accounts/users/access.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { findModulesOn, type Organisation, presetOf } from '#platform/features/modules.ts'
import { LANGUAGES, SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { record } from '#platform/journal/journal.ts'
import { type Changes, pairChanges } from '#platform/journal/kinds.ts'
import { getLogoVersion, getModulesOn, getSettings, getStoredRegion } from './queries.ts'
import type { RegionForm } from './schema/settings.ts'

/** False: nothing has changed. Running servers follow with their next page or job. */
export async function changeRegion(context: CommandContext, { languages: chosen, ...form }: RegionForm): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    const { timeZone, language, languages: stored } = await getStoredRegion(tx)
    const before = {
      time_zone: timeZone ?? null,
      default_language: language ?? null,
      languages: (stored ?? SOURCE_LANGUAGES).join(' '),
    }
    // In the order of the list; the default language is always offered.
    const languages = LANGUAGES.filter((each) => chosen.includes(each) || each === form.default_language).join(' ')
    return saveChanges(tx, context, before, { ...form, languages })
  })
}

/** `settings`: made by `defineSettings`. False: nothing has changed. */
export async function changeSettings<Values extends Record<string, unknown>>(
  context: CommandContext,
  settings: { defaults: Values },
  form: Values,
): Promise<boolean> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => saveChanges(tx, context, await getSettings(tx, settings), form))
}

async function saveChanges<Form extends Record<string, unknown>>(
  tx: Tx,
  context: CommandContext,
  before: { [name in keyof Form]: unknown },
  form: Form,
): Promise<boolean> {
  const names = (Object.keys(form) as (keyof Form & string)[]).filter((name) => form[name] !== before[name])
  if (!names.length) return false
  for (const name of names) await write(tx, context, name, form[name])
  await recordSettings(tx, context, pairChanges(names, before, form))
  return true
}

const recordSettings = (tx: Tx, context: CommandContext, changes: Changes): Promise<number> =>
  record(tx, context, { kind: 'instance.changed', subject: { kind: 'instance', id: null }, changes })

/** A picture that was uploaded and rewritten. */
type NewLogo = { type: string; content: Buffer }

export async function changeLogo(context: CommandContext, { type, content }: NewLogo): Promise<void> {
  requireStaff(context.actor)
  const version = hash('sha256', content, 'hex').slice(0, 16)
  await transact(context.db, async (tx) => {
    const before = await getLogoVersion(tx)
    await write(tx, context, 'logo', { type, version, data: content.toString('base64') })
    await write(tx, context, 'logo_version', version)
    await recordSettings(tx, context, { logo: [before, version] })
  })
}

export async function removeLogo(context: CommandContext): Promise<void> {
  requireStaff(context.actor)
  await transact(context.db, async (tx) => {
    const before = await getLogoVersion(tx)
    await tx.deleteFrom('setting').where('name', 'in', ['logo', 'logo_version']).execute()
    if (before === null) return
    await recordSettings(tx, context, { logo: [before, null] })
  })
}

/** Hides the list of first steps for all administrators. */
export async function dismissFirstSteps(context: CommandContext): Promise<void> {
  requireStaff(context.actor)
  await transact(context.db, async (tx) => {
    await write(tx, context, 'first_steps_dismissed', true)
    await recordSettings(tx, context, { first_steps_dismissed: [false, true] })
  })
}

/** That an administrator chose modules, for the first steps; for which kind of organisation, if it was that. */
async function noteChoice(tx: Tx, context: CommandContext, kind: Organisation | undefined): Promise<void> {
  if (kind) return write(tx, context, 'modules_chosen', kind)
  const row = { name: 'modules_chosen', value: JSON.stringify(true), changed_at: context.now }
  await tx
    .insertInto('setting')
    .values(row)
    .onConflict((same) => same.doNothing())
    .execute()
}

/**
 * Stores which modules are on. `change` gets those that are on, and returns those that shall be on; the order of `all` is kept. Returns what
 * was switched.
 */
export async function changeModules<Name extends string>(
  context: CommandContext,
  all: readonly Name[],
  change: (before: readonly Name[]) => Iterable<Name>,
  kind?: Organisation,
): Promise<{ switchedOn: Name[]; switchedOff: Name[] }> {
  requireStaff(context.actor)
  return transact(context.db, async (tx) => {
    // The row is the lock of two administrators.
    const row = { name: 'modules', value: JSON.stringify(all), changed_at: context.now }
    const isFirst = (
      await tx
        .insertInto('setting')
        .values(row)
        .onConflict((same) => same.doNothing())
        .executeTakeFirst()
    ).numInsertedOrUpdatedRows
    await tx.selectFrom('setting').select('name').where('name', '=', 'modules').forUpdate().execute()
    const stored = isFirst ? all : ((await getModulesOn(tx)) ?? all)
    const before = all.filter((name) => stored.includes(name))
    const after = new Set(change(before))
    const switchedOn = all.filter((name) => after.has(name) && !before.includes(name))
    const switchedOff = before.filter((name) => !after.has(name))
    await noteChoice(tx, context, kind)
    const switched = [...switchedOn, ...switchedOff]
    if (!switched.length) return { switchedOn, switchedOff }
    await write(
      tx,
      context,
      'modules',
      all.filter((name) => after.has(name)),
    )
    const changes = Object.fromEntries(
      switched.map((name) => [`module.${name}`, [before.includes(name), after.has(name)] as const]),
    )
    await record(tx, context, { kind: 'instance.modules_changed', subject: { kind: 'instance', id: null }, changes })
    return { switchedOn, switchedOff }
  })
}

/** Switches a module off that does not work, as nobody's action. False: it was off already. */
export async function stopModule(
  tx: Tx,
  { name, all, now }: { name: string; all: readonly string[]; now: Date },
): Promise<boolean> {
  const row = { name: 'modules', value: JSON.stringify(all), changed_at: now }
  await tx
    .insertInto('setting')
    .values(row)
    .onConflict((same) => same.doNothing())
    .execute()
  await tx.selectFrom('setting').select('name').where('name', '=', 'modules').forUpdate().execute()
  const before = (await getModulesOn(tx)) ?? all
  if (!before.includes(name)) return false
  const value = JSON.stringify(before.filter((each) => each !== name))
  await tx.updateTable('setting').set({ value, changed_at: now }).where('name', '=', 'modules').execute()
  await record(
    tx,
    { actor: ANONYMOUS, now, requestId: null },
    {
      kind: 'instance.modules_changed',
      subject: { kind: 'instance', id: null },
      changes: { [`module.${name}`]: [true, false] as const },
    },
  )
  return true
}

/** A new instance begins with few modules; the first steps ask which ones are wanted. */
export async function beginWithFewModules(tx: Tx, { now, site }: CommandContext): Promise<void> {
  const names = [...presetOf(findModulesOn(site), 'other')]
  const row = { name: 'modules', value: JSON.stringify(names), changed_at: now }
  await tx
    .insertInto('setting')
    .values(row)
    .onConflict((same) => same.doNothing())
    .execute()
}

async function write(tx: Tx, { now }: CommandContext, name: string, value: unknown): Promise<void> {
  const row = { value: JSON.stringify(value), changed_at: now }
  await tx
    .insertInto('setting')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}
