/**
 * A place where features add to another one: sections of its pages, steps of its commands. The feature that uses the values owns the
 * point, in its `points.ts`; a feature that adds something names it in `adds` of its `feature.ts`.
 */
export type ExtensionPoint<Value> = {
  name: string
  /** `rank`: lower ones come first; equal ones have the order of their features. */
  add: (value: Value, rank?: number) => Addition
}

export type Addition = {
  point: string
  value: unknown
  rank: number
  /** Stays when the module of the feature is off. */
  isAlwaysOn: boolean
}

/** What the features of this installation add at a point. */
export type Added = <Value>(point: ExtensionPoint<Value>) => readonly Value[]

type PointOptions = {
  /** Works on stored data, also on that of modules that are off: copies, erasure, texts of old notifications. */
  isAlwaysOn?: boolean
}

export const extensionPoint = <Value>(name: string, { isAlwaysOn = false }: PointOptions = {}): ExtensionPoint<Value> => ({
  name,
  add: (value, rank = 0) => ({ point: name, value, rank, isAlwaysOn }),
})

/** What a feature adds even if its module is off. */
export const alwaysOn = (addition: Addition): Addition => ({ ...addition, isAlwaysOn: true })

export function collectAdditions(features: readonly { adds?: readonly Addition[] }[]): Added {
  const all = features.flatMap(({ adds = [] }) => adds).sort((a, b) => a.rank - b.rank)
  const byPoint = new Map<string, unknown[]>()
  for (const { point, value } of all) byPoint.set(point, [...(byPoint.get(point) ?? []), value])
  return <Value>({ name }: ExtensionPoint<Value>) => (byPoint.get(name) ?? NOTHING) as readonly Value[]
}

const NOTHING: readonly unknown[] = []

// biome-ignore lint/suspicious/noExplicitAny: a hook has any parameters
type AnyHooks = Record<string, (...parameters: any[]) => Promise<unknown>>

/** Functions of features above that commands and pages of the owner call. A feature adds those that concern it. */
type HookPoint<Hooks> = ExtensionPoint<Partial<Hooks>> & { of: (site: { added: Added }) => Hooks }

/**
 * A hook that several features add runs in the order of the features; the first result counts. `withoutFeatures`: what a hook does if no
 * feature adds it. Hooks keep data consistent, so those of modules that are off run as well.
 */
export function hookPoint<Hooks extends AnyHooks>(name: string, withoutFeatures: Hooks): HookPoint<Hooks> {
  const point = extensionPoint<Partial<Hooks>>(name, { isAlwaysOn: true })
  const merged = new WeakMap<readonly Partial<Hooks>[], Hooks>()
  const merge = (parts: readonly Partial<Hooks>[]): Hooks =>
    Object.fromEntries(
      Object.entries(withoutFeatures).map(([key, absent]) => {
        const added = parts.flatMap((part) => part[key] ?? [])
        return [key, added.length > 1 ? runAll(added) : (added[0] ?? absent)]
      }),
    ) as Hooks
  return {
    ...point,
    of: ({ added }) => {
      const parts = added(point)
      const hooks = merged.get(parts) ?? merge(parts)
      merged.set(parts, hooks)
      return hooks
    },
  }
}

const runAll =
  (hooks: readonly AnyHooks[string][]): AnyHooks[string] =>
  async (...parameters) => {
    const results: unknown[] = []
    for (const hook of hooks) results.push(await hook(...parameters))
    return results[0]
  }
