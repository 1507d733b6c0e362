import { findGuardians } from '#features/accounts/users/queries/guardians.ts'
import type { Actor, UserActor } from '#platform/auth/actor.ts'
import { isOn } from '#platform/features/modules.ts'
import type { PageRequest } from '#platform/http/page.ts'
import { wordsAboutChild, wordsFor } from '#platform/i18n/words.ts'
import { familyLinks, type Links, MEMBER_LINKS } from '../rules/links.ts'

/**
 * The request as the person behind a signed link, in their language. There is no session: nothing else can be done with it. Links to a
 * child are read by guardians, too, so the texts name the child unless the child is signed in.
 */
export async function asPersonOfLink<Request extends PageRequest>(
  request: Request,
  person: Actor & UserActor,
): Promise<{ own: Request; links: Links }> {
  const { context, commandContext } = request
  const { actor: reader, site } = context
  const isReader = reader.kind === 'user' && reader.userId === person.userId
  const guardians = isReader || !isOn(site, 'families') ? [] : await findGuardians(context, person.userId)
  const isGuardian = reader.kind === 'user' && guardians.some(({ userId }) => userId === reader.userId)
  const inLanguage = isGuardian ? context.words : wordsFor(person.language, site.timeZone, site)
  const words = guardians.length ? wordsAboutChild(inLanguage, person.displayName) : inLanguage
  const own = { ...request, context: { ...context, actor: person, words }, commandContext: { ...commandContext, actor: person } }
  return { own, links: guardians.length ? familyLinks(person.userId) : MEMBER_LINKS }
}
