import { changeModules } from '#features/operations/settings/commands.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { dependentsOf, type Module, type ModuleName, type Organisation, withNeeded } from '#platform/features/modules.ts'

export type Switched = { switchedOn: ModuleName[]; switchedOff: ModuleName[] }

const namesOf = (modules: readonly Module[]): ModuleName[] => modules.map(({ name }) => name)

/** Switches them on with what they need, or off with what needs them. */
export async function switchModules(
  context: CommandContext,
  modules: readonly Module[],
  { names, isOn }: { names: readonly ModuleName[]; isOn: boolean },
): Promise<Switched> {
  const gone = new Set(names.flatMap((name) => [name, ...dependentsOf(modules, name)]))
  return changeModules(context, namesOf(modules), (before) =>
    isOn ? [...before, ...withNeeded(modules, names)] : before.filter((name) => !gone.has(name)),
  )
}

/** Just these are on, with what they need. */
export async function chooseModules(
  context: CommandContext,
  modules: readonly Module[],
  { names, kind }: { names: readonly string[]; kind: Organisation },
): Promise<ModuleName[]> {
  const chosen = [...withNeeded(modules, names)]
  await changeModules(context, namesOf(modules), () => chosen, kind)
  return chosen
}
