import { fileURLToPath } from 'node:url'
import type { Budgets } from '#features/operations/extensions/commands/guard.ts'
import { loadExtensions } from '#features/operations/extensions/commands/load.ts'
import { FEATURES } from '../../src/features.ts'
import type { Surroundings } from './world.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** For `openWorld`: as the setting EXTENSIONS names them, with other limits for tests that exceed them. */
export const namedExtensions =
  (sources: readonly string[], budgets: Partial<Budgets> = {}) =>
  (surroundings: Surroundings) =>
    loadExtensions({ ...surroundings, sources, workingFolder: ROOT, features: FEATURES, budgets })
