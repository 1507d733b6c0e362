import type { Tx } from '#platform/db/transaction.ts'
import type { Child } from '#platform/html/html.ts'
import type { PageRequest, Redirect } from '#platform/http/page.ts'

/** The sign-in at an identity provider that a session belongs to. */
export type ExternalSignIn = { identityProviderId: number; idTokenSealed: string }
export type OnExternalSession = (tx: Tx, sessionHash: Buffer, external: ExternalSignIn) => Promise<void>

/** Ways to sign in without a password. They belong to a feature above. */
export type OtherWays = {
  /** `redirect`: the sign-in page sends the browser there instead of showing itself. */
  load: (request: PageRequest, next: string) => Promise<{ redirect: string } | { buttons: Child; showsLocal: boolean }>
  /** Called before the session ends. Undefined: the session has nothing to do with another way. */
  signOut: (request: PageRequest) => Promise<Redirect | undefined>
  /** Buttons by which the person shows there again who they are; undefined: none of the ways is theirs. */
  again: (request: PageRequest, next: string) => Promise<Child>
  /** Shown on the page about the security of the own account. */
  section: (request: PageRequest) => Promise<Child>
  /** A sign-in at another system has led to this session, after the second factor. */
  onSession: OnExternalSession
}

export const NO_OTHER_WAYS: OtherWays = {
  load: async () => ({ buttons: undefined, showsLocal: true }),
  signOut: async () => undefined,
  again: async () => undefined,
  section: async () => undefined,
  onSession: async () => {},
}
