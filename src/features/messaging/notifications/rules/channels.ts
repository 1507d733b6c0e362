import type { ChannelName } from '#features/messaging/channels/rules.ts'
import type { MailPolicy } from '#features/messaging/notification-kinds/rules/kinds.ts'

/** What this module needs to know about a kind of notification. */
type Kind = {
  name: string
  mail: MailPolicy
  /** Its name in data imported from ephios. */
  importedName?: string
}

/** As stored with a user: pairs of a channel and a kind. */
export type Choices = { disabled: unknown; enabled: unknown }

/** Mail, push messages, and those that extensions add. */
export type Channel = 'mail' | 'push' | ChannelName

/** Imported data has other names for the same channels. */
const NAMES: Partial<Record<Channel, ReadonlySet<unknown>>> = {
  mail: new Set(['mail', 'ephios_backend_email']),
  push: new Set(['push', 'ephios_backend_webpush']),
}

const isNamed = (channel: Channel, stored: unknown): boolean => NAMES[channel]?.has(stored) ?? stored === channel

function isListed(stored: unknown, channel: Channel, { name, importedName }: Kind): boolean {
  const names: unknown[] = [name, importedName]
  return (
    Array.isArray(stored) && stored.some((pair) => Array.isArray(pair) && isNamed(channel, pair[0]) && names.includes(pair[1]))
  )
}

export const canSwitchOff = ({ mail }: Pick<Kind, 'mail'>): boolean => mail !== 'always'

export function wants(channel: Channel, kind: Kind, { disabled, enabled }: Choices): boolean {
  if (!canSwitchOff(kind)) return true
  return kind.mail === 'opt-in' ? isListed(enabled, channel, kind) : !isListed(disabled, channel, kind)
}

/** What to store so that exactly the wanted kinds come by this channel. Pairs of other channels and unknown kinds stay as they are. */
export function makeChoices(
  channel: Channel,
  kinds: readonly Kind[],
  wanted: ReadonlySet<string>,
  before: Choices,
): { disabled: unknown[]; enabled: unknown[] } {
  const switchable = kinds.filter(canSwitchOff)
  const keep = (stored: unknown) =>
    (Array.isArray(stored) ? stored : []).filter((pair) => !switchable.some((kind) => isListed([pair], channel, kind)))
  const pairs = (some: Kind[]) => some.map(({ name }) => [channel, name])
  const disabled = switchable.filter(({ name, mail }) => mail !== 'opt-in' && !wanted.has(name))
  const enabled = switchable.filter(({ name, mail }) => mail === 'opt-in' && wanted.has(name))
  return {
    disabled: [...keep(before.disabled), ...pairs(disabled)],
    enabled: [...keep(before.enabled), ...pairs(enabled)],
  }
}
