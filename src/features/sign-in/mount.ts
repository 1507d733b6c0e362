import type { Child } from '#platform/html/html.ts'
import type { PageRequest, Redirect } from '#platform/http/page.ts'

/** Ways to sign in without a password. They belong to features above; src/pages.ts injects them. */
export type OtherWays = {
  /** `redirect`: the sign-in page sends the browser there instead of showing itself. */
  load: (request: PageRequest, next: string) => Promise<{ redirect: string } | { buttons: Child; showsLocal: boolean }>
  /** Called before the session ends. Undefined: the session has nothing to do with another way. */
  signOut: (request: PageRequest) => Promise<Redirect | undefined>
  /** Shown on the page about the security of the own account. */
  section: (request: PageRequest) => Promise<Child>
}

export const NO_OTHER_WAYS: OtherWays = {
  load: async () => ({ buttons: undefined, showsLocal: true }),
  signOut: async () => undefined,
  section: async () => undefined,
}
