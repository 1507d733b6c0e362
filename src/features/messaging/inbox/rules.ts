import { type NotificationKind, TOPICS, type Topic, topicOf } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { canSwitchOff } from '#features/messaging/notifications/rules/channels.ts'

type Kind = Pick<NotificationKind, 'name' | 'role' | 'topic' | 'mail'>

type TopicChoice = {
  /** Groups on the form. */
  shown: ReadonlySet<string>
  /** Groups that were on when the form was shown. */
  former: ReadonlySet<string>
  /** Groups that are on. */
  on: ReadonlySet<string>
  /** Kinds that are not on the form. */
  hidden: ReadonlySet<string>
}

/** Kinds that can be switched off, by group, in the order of the page. */
export function groupKinds<K extends Kind>(
  kinds: readonly K[],
  topics: readonly Topic[] = TOPICS,
): { topic: Topic; kinds: K[] }[] {
  const byTopic = Map.groupBy(kinds.filter(canSwitchOff), topicOf)
  return topics.flatMap((topic) => (byTopic.has(topic) ? [{ topic, kinds: byTopic.get(topic)! }] : []))
}

/**
 * Names of the wanted kinds of one channel. A group that is off has none. One that was switched on has all, unless the person chose some of
 * them. What the form did not show stays as it was.
 */
export function chooseKinds(
  all: readonly Kind[],
  { shown, former, on, hidden }: TopicChoice,
  ticked: ReadonlySet<string>,
  wasWanted: (kind: Kind) => boolean,
): Set<string> {
  const wanted = groupKinds(all).flatMap(({ topic, kinds }) => {
    if (!shown.has(topic)) return kinds.filter(wasWanted)
    const kept = kinds.filter((kind) => hidden.has(kind.name) && wasWanted(kind))
    if (!on.has(topic)) return kept
    const offered = kinds.filter(({ name }) => !hidden.has(name))
    const chosen = offered.filter(({ name }) => ticked.has(name))
    return [...kept, ...(!former.has(topic) && chosen.length === 0 ? offered : chosen)]
  })
  return new Set(wanted.map(({ name }) => name))
}
