import { type RawBuilder, sql } from 'kysely'
import type { Page } from '#platform/http/page.ts'
import type { MessageKey } from '#platform/i18n/words.ts'
import type { IconName } from '#platform/ui/icon.ts'
import { type Added, type Addition, collectAdditions, extensionPoint } from './extension-points.ts'

/** Kinds of organisations. Each begins with other modules. */
export const ORGANISATIONS = ['brigade', 'medical', 'club', 'festival', 'other'] as const
export type Organisation = (typeof ORGANISATIONS)[number]

/** Modules that have words: `module.NAME.title`, `.text` (two sentences), `.who` (who would see what), `.used` (what exists already). */
export type ModuleName = { [K in MessageKey]: K extends `module.${infer Name}.who` ? Name : never }[MessageKey]

/** A capability that an administrator switches on and off. */
export type Module = {
  /** Stored in the database. */
  name: ModuleName
  icon: IconName
  /** Who begins with it. */
  presets: readonly Organisation[]
  /** How much exists already, as an SQL expression. */
  countUses: () => RawBuilder<number>
  /** Modules without which it does not work. */
  needs?: readonly ModuleName[]
}

/** Of a feature that is switched with the module of another one. */
export type ModulePart = { partOf: ModuleName; countUses: Module['countUses'] }

type WithModule = { module?: Module | ModulePart; adds?: readonly Addition[] }

export function modulesOf(features: readonly WithModule[]): Module[] {
  const declared = features.flatMap(({ module }) => module ?? [])
  return declared.flatMap((module) => {
    if ('partOf' in module) return []
    const counts = declared.flatMap((other) => ('partOf' in other && other.partOf === module.name ? other.countUses : []))
    return counts.length ? { ...module, countUses: () => sumOf([module.countUses, ...counts]) } : module
  })
}

const sumOf = (counts: readonly Module['countUses'][]) =>
  sql<number>`select ${sql.join(
    counts.map((count) => sql`(${count()})`),
    sql` + `,
  )}`

export const moduleNameOf = ({ module }: WithModule): ModuleName | undefined =>
  module && ('name' in module ? module.name : module.partOf)

/** All of them, and those that they need. */
export function withNeeded(modules: readonly Module[], names: Iterable<string>): Set<ModuleName> {
  const found = new Set<ModuleName>()
  const add = (name: string): void => {
    const module = modules.find((each) => each.name === name)
    if (!module || found.has(module.name)) return
    found.add(module.name)
    for (const needed of module.needs ?? []) add(needed)
  }
  for (const name of names) add(name)
  return found
}

/** Without it, these do not work either. */
export const dependentsOf = (modules: readonly Module[], name: ModuleName): ModuleName[] =>
  modules.filter((module) => module.name !== name && withNeeded(modules, [module.name]).has(name)).map((module) => module.name)

export const presetOf = (modules: readonly Module[], organisation: Organisation): Set<ModuleName> =>
  withNeeded(
    modules,
    modules.filter(({ presets }) => presets.includes(organisation)).map(({ name }) => name),
  )

/** The page is part of the module; pages below `/api/` are a protocol and stay. */
export const inModule = (page: Page, module: ModuleName): Page =>
  page.isAlwaysOn || page.path.startsWith('/api/') ? page : { ...page, modules: [...(page.modules ?? []), module] }

const modulesOn = extensionPoint<Module>('platform.modules')

/** Those that are on. On the command line, these are all of them. */
export const findModulesOn = ({ added }: { added: Added }): readonly Module[] => added(modulesOn)

/** For what a feature shows of a module besides what the module adds. */
export const isOn = ({ added }: { added: Added }, name: ModuleName): boolean =>
  added(modulesOn).some((module) => module.name === name)

/** The same for modules whose names are known only when the program runs. */
export const moduleCheck =
  ({ added }: { added: Added }) =>
  (name: string): boolean =>
    added(modulesOn).some((module) => module.name === name)

/** What the features add if these modules are on; undefined: all of them. */
export function collectModuleAdditions(features: readonly WithModule[], on?: readonly string[]): Added {
  const modules = modulesOf(features)
  const names = withNeeded(modules, on ?? modules.map(({ name }) => name))
  const isIncluded = (feature: WithModule) => {
    const name = moduleNameOf(feature)
    return name === undefined || names.has(name)
  }
  const shown = features.map((feature) => ({
    adds: (feature.adds ?? []).filter(({ isAlwaysOn }) => isAlwaysOn || isIncluded(feature)),
  }))
  return collectAdditions([
    ...shown,
    { adds: modules.filter(({ name }) => names.has(name)).map((module) => modulesOn.add(module)) },
  ])
}

/** Which modules are on, as this process knows it. */
export type ModuleState = {
  /** Before each job and each page, so that a switch takes effect on all nodes at once. */
  refresh: () => Promise<void>
  /** What was read with something else, instead of a refresh. `stored`: settings by their names. */
  set: (stored: Readonly<Record<string, unknown>>) => void
  /** What `set` takes, as an expression of SQL. */
  stored: RawBuilder<Readonly<Record<string, unknown>>>
  isOn: (name: string) => boolean
  /** Follows each refresh. */
  added: Added
}

/** Names of the modules that are on, from the setting; undefined: nobody has chosen, and all are. */
export const readModuleNames = (stored: unknown): readonly string[] | undefined =>
  Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : undefined

type StoredSettings = {
  /** The settings by their names. */
  read: () => Promise<Readonly<Record<string, unknown>>>
  expression: ModuleState['stored']
  /** For other settings that are read with the modules. */
  onRead?: (stored: Readonly<Record<string, unknown>>) => void
}

export function makeModuleState(
  features: readonly WithModule[],
  { read, expression, onRead = () => {} }: StoredSettings,
): ModuleState {
  const collected = new Map<string, Added>()
  const collect = (on: readonly string[] | undefined): Added => {
    const key = on ? [...on].sort().join(' ') : '*'
    const known = collected.get(key) ?? collectModuleAdditions(features, on)
    // Each switch of a module is another key; those of the past are not needed again.
    if (collected.size > 50) collected.clear()
    collected.set(key, known)
    return known
  }
  let current = collect(undefined)
  const set: ModuleState['set'] = (stored) => {
    current = collect(readModuleNames(stored.modules))
    onRead(stored)
  }
  return {
    refresh: async () => set(await read()),
    set,
    stored: expression,
    isOn: (name) => current(modulesOn).some((module) => module.name === name),
    added: (point) => current(point),
  }
}
