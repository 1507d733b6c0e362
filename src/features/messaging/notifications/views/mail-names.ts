import type { AnyDetailPart } from '#features/messaging/notification-kinds/points.ts'
import type { NotificationDetails } from '#features/messaging/notification-kinds/rules/details.ts'
import { mailName } from '#platform/html/mail-name.ts'

export type NameParts = readonly Pick<AnyDetailPart, 'name' | 'names'>[]

const nameOf = (name: unknown): unknown => (typeof name === 'string' ? mailName(name) : name)

const withNames = <Value extends object>(value: Value | undefined, keys: readonly string[] = []): Value | undefined =>
  value && {
    ...value,
    ...Object.fromEntries(keys.map((key) => [key, nameOf(value[key as keyof Value])])),
  }

/** Details with the names of people as mails and push messages show them: some chose their name themselves. */
export const withMailNames = <Details extends NotificationDetails>(details: Details, parts: NameParts): Details => ({
  ...details,
  ...Object.fromEntries(
    parts.flatMap(({ name, names }) => (names ? [[name, withNames(details[name as keyof Details] as object, names)]] : [])),
  ),
  ...withNames({ participant: details.participant, actor: details.actor }, ['participant', 'actor']),
  child: withNames(details.child, ['name']),
})
