import { type RawBuilder, sql } from 'kysely'
import { publishableBy } from '#features/events/events/access.ts'
import { type Actor, hasPermission } from '#platform/auth/actor.ts'

/**
 * A condition on `event_template` as `t`: the caller may add events and publish for one of its groups. Templates without groups are for
 * all who add events.
 */
export function usableBy(actor: Actor): RawBuilder<unknown> {
  if (!hasPermission(actor, 'add_event')) return sql`false`
  if (hasPermission(actor, 'change_event')) return sql`true`
  return sql`(t.content -> 'groups' in ('[]', 'null') or exists (
    select from user_group g where t.content -> 'groups' @> to_jsonb(g.id) and ${publishableBy(actor)}))`
}
