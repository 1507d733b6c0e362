import type { Child, Html } from '#platform/html/html.ts'
import type { UserRequest } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import { extensionPoint } from './extension-points.ts'
import type { Runtime } from './runtime.ts'

export type HomeSection = {
  id?: string
  title: string
  count?: number | string | undefined
  more?: { href: string; label: string } | false
  body: Child
}

/** What features show on the start page of a person. Undefined or false: nothing for this reader. */
export const homePage = {
  /** Stands first. */
  intro: extensionPoint<(runtime: Runtime) => (request: UserRequest) => Promise<Html | false>>('home.intro'),
  section: extensionPoint<(request: UserRequest) => Promise<HomeSection | undefined>>('home.section'),
  /** A short offer to people with coming shifts. */
  offer: extensionPoint<(words: Words) => Html>('home.offer'),
}
