import { type Endpoint, type Include, withIncludes } from '#platform/http/endpoint.ts'
import type { DocumentParts } from '#platform/http/openapi.ts'
import type { Page } from '#platform/http/page.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { journalTask } from '#platform/journal/readers.ts'
import type { Feature, FeatureProcess } from './feature.ts'
import { accountPages } from './layout.ts'
import { collectModuleAdditions, inModule, isOn, moduleNameOf } from './modules.ts'
import { platformTasks } from './platform-tasks.ts'
import type { Runtime } from './runtime.ts'

export function pagesOf(runtime: Runtime): Page[] {
  const ofAccount = collectModuleAdditions(runtime.features)(accountPages).map(({ href }) => href)
  return runtime.features.flatMap((feature) => {
    const { pages = [] } = feature
    const own = (typeof pages === 'function' ? pages(runtime) : pages).map((page) =>
      ofAccount.some((href) => page.path.startsWith(href)) ? { ...page, isPersonal: true as const } : page,
    )
    const module = moduleNameOf(feature)
    return module === undefined ? own : own.map((page) => inModule(page, module))
  })
}

/** `all`: every endpoint of the API, also those of the platform. */
export function endpointsOf(features: readonly Feature[], all: () => readonly Endpoint[]): Endpoint[] {
  const added = collectModuleAdditions(features)
  const endpoints = features.flatMap(({ endpoints: own = [] }) => (typeof own === 'function' ? own(all, added) : own))
  return withIncludes(endpoints, includesOf(features))
}

/** `tags`: of the endpoints of the platform. */
export const documentPartsOf = (features: readonly Feature[], tags: Readonly<Record<string, string>>): DocumentParts => ({
  contact: 'The people who operate this instance',
  tags: Object.assign({}, tags, ...features.map(({ apiTags }) => apiTags)),
  webhooks: Object.assign({}, ...features.map(({ apiWebhooks }) => apiWebhooks)),
})

function includesOf(features: readonly Feature[]): Record<string, Record<string, Include>> {
  const merged: Record<string, Record<string, Include>> = {}
  for (const { includes = {} } of features)
    for (const [path, own] of Object.entries(includes)) merged[path] = { ...merged[path], ...own }
  return merged
}

export function tasksOf(runtime: Runtime): Task[] {
  const readers = runtime.features.flatMap((feature) => feature.readers?.(runtime) ?? [])
  const tasks: Task[] = [
    ...platformTasks(runtime),
    ...runtime.features.flatMap((feature) => {
      const module = moduleNameOf(feature)
      const isDue = () => module === undefined || isOn(runtime.site, module)
      return (feature.tasks?.(runtime) ?? []).map((task) => ({
        ...task,
        run: async (payload: Record<string, unknown>) => (isDue() || task.isAlwaysOn ? task.run(payload) : undefined),
      }))
    }),
  ]
  const refreshing = tasks.map(({ run, ...task }) => ({
    ...task,
    run: async (payload: Record<string, unknown>) => {
      await runtime.modules.refresh()
      await run(payload)
    },
  }))
  // Most jobs are of this task, which reads the modules with the entry.
  return [journalTask(runtime.db.read, readers, runtime.modules), ...refreshing]
}

/** Started in the order of the features and stopped in the reverse order. */
export function processesOf(runtime: Runtime, place: 'server' | 'worker'): Omit<FeatureProcess, 'runsWith'> {
  const own = runtime.features
    .flatMap((feature) => feature.processes?.(runtime) ?? [])
    .filter(({ runsWith }) => runsWith.includes(place))
  return {
    start: () => {
      for (const { start } of own) start()
    },
    stop: async () => {
      for (const { stop } of own.toReversed()) await stop()
    },
  }
}
