import { extensionPoint } from '#platform/features/extension-points.ts'
import { oncePerRuntime, type Runtime } from '#platform/features/runtime.ts'
import { NO_OTHER_WAYS, type OtherWays } from './mount.ts'

/** Ways to sign in without a password; at most one feature adds them. */
export const otherWays = extensionPoint<(runtime: Runtime) => OtherWays>('sign-in.ways')

const madeWays = oncePerRuntime((_runtime: Runtime) => new Map<(runtime: Runtime) => OtherWays, OtherWays>())

/** The ways of the feature that adds some now: its module can be switched while the server runs. */
export function otherWaysOf(runtime: Runtime): OtherWays {
  const current = (): OtherWays => {
    const [make] = runtime.site.added(otherWays)
    if (!make) return NO_OTHER_WAYS
    const known = madeWays(runtime).get(make) ?? make(runtime)
    madeWays(runtime).set(make, known)
    return known
  }
  return {
    load: (request, next) => current().load(request, next),
    signOut: (request) => current().signOut(request),
    again: (request, next) => current().again(request, next),
    section: (request) => current().section(request),
    onSession: (tx, sessionHash, external) => current().onSession(tx, sessionHash, external),
  }
}
