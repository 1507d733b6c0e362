import { createHash } from 'node:crypto'
import type { Actor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Page } from './page.ts'
import { Problem } from './problem.ts'

/** An administrator looks at pages as this person: every change is refused, and so are pages that are the person's alone. */
export const isViewing = (actor: Actor): boolean => actor.kind === 'user' && actor.viewedBy !== undefined

type Viewed = { actor: Actor; words: Words; method: string }

/** Throws with the reason. `isForViewing`: stopping it and signing out concern the session of the administrator. */
export function checkViewing(page: Page, { actor, words, method }: Viewed): void {
  if (!isViewing(actor) || page.isForViewing) return
  if (method === 'POST') throw new Problem('permission_denied', { detail: words.t('problem.viewing_changes') })
  const changesWhenShown = page.kind === 'view' && page.writes === true
  if (page.isPersonal || changesWhenShown || page.requires === 'recentSignIn')
    throw new Problem('permission_denied', { detail: words.t('problem.viewing_personal') })
}

/** A form that was opened as the person must not be accepted in the name of the administrator afterwards. */
export function csrfSession(actor: Actor, sessionHash: Buffer | undefined): Buffer | undefined {
  if (actor.kind !== 'user' || !actor.viewedBy || !sessionHash) return sessionHash
  return createHash('sha256').update(`viewing ${actor.userId}\n`).update(sessionHash).digest()
}

/** For pages that are shown: a command that runs all the same finds no connection. */
export function withoutWrites(context: CommandContext, words: Words): CommandContext {
  const refuse = (): never => {
    throw new Problem('permission_denied', { detail: words.t('problem.viewing_changes') })
  }
  return { ...context, db: new Proxy(context.db, { get: refuse }) }
}
