import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { NO_OTHER_WAYS, type OtherWays } from './mount.ts'

/** Ways to sign in without a password; at most one feature adds them. */
export const otherWays = extensionPoint<(runtime: Runtime) => OtherWays>('sign-in.ways')

export const otherWaysOf = (runtime: Runtime): OtherWays => runtime.site.added(otherWays)[0]?.(runtime) ?? NO_OTHER_WAYS
