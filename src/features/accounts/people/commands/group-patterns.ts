import type { CommandContext } from '#platform/auth/context.ts'
import { type Language, sourceLanguageOf } from '#platform/i18n/languages.ts'
import { findGroups } from '../queries/groups.ts'
import { type Pattern, proposeGroups } from '../rules/group-patterns.ts'
import { createGroup } from './groups.ts'

type Wanted = { pattern: Pattern; language: Language; keys: ReadonlySet<string> }

/** Creates those that are wanted and not there; groups that exist stay as they are. Returns the names of new ones. */
export async function createPatternGroups(context: CommandContext, { pattern, language, keys }: Wanted): Promise<string[]> {
  const existing = await findGroups(context.db)
  const ids = new Map(existing.map(({ name, id }) => [name, id]))
  const created: string[] = []
  for (const { key, name, bundles, publishFor, isThere } of proposeGroups(pattern, sourceLanguageOf(language), existing)) {
    if (isThere || !keys.has(key)) continue
    const targets = publishFor.flatMap((target) => ids.get(target) ?? [])
    const outcome = await createGroup(context, { name, bundles: [...bundles], publish_for: targets, decide_hours_for: [] })
    // Somebody else may have created it meanwhile.
    if (!outcome.ok) continue
    ids.set(name, outcome.id)
    created.push(name)
  }
  return created
}
