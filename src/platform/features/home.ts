import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import type { UserRequest } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { IconName } from '#platform/ui/icon.ts'
import { extensionPoint } from './extension-points.ts'
import type { Runtime } from './runtime.ts'

/** What waits for the answer of a person, and where they give it. */
export type HomeAnswer = { href: string; title: string; start: Date; end: Date; text: string }

/** A page that is one tap away. */
export type HomeLink = {
  href: string
  label: string
  icon: IconName
  /** What is there, such as requests that wait. */
  count?: number | string | undefined
}

/** What features show on the start page of a person. Undefined or false: nothing for this reader. */
export const homePage = {
  /** Stands first. */
  intro: extensionPoint<(runtime: Runtime) => (request: UserRequest) => Promise<Html | false>>('home.intro'),
  /** Called for the reader and for each of their children, who is the actor then. */
  answer: extensionPoint<(context: RequestContext<UserActor>) => Promise<readonly HomeAnswer[]>>('home.answer'),
  /** Below the shifts. */
  link: extensionPoint<(request: UserRequest) => Promise<HomeLink | undefined>>('home.link'),
  /** A line with an offer to people with coming shifts. */
  offer: extensionPoint<(words: Words) => Html>('home.offer'),
}
