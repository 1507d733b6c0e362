/** Whether notifications of a kind are sent by mail: by default, only to those who opt in, or always. */
export type MailPolicy = 'default' | 'opt-in' | 'always'

/** What this module needs to know about a kind of notification. */
type Kind = {
  name: string
  mail: MailPolicy
  /** Its name in data imported from ephios. */
  importedName?: string
}

/** As stored with a user: pairs of a channel and a kind. */
export type MailChoices = { disabled: unknown; enabled: unknown }

export const MAIL_CHANNEL = 'mail'
/** Imported data has another name for the same channel. */
const MAIL_CHANNELS: ReadonlySet<unknown> = new Set([MAIL_CHANNEL, 'ephios_backend_email'])

function isListed(stored: unknown, { name, importedName }: Kind): boolean {
  const names: unknown[] = [name, importedName]
  return (
    Array.isArray(stored) && stored.some((pair) => Array.isArray(pair) && MAIL_CHANNELS.has(pair[0]) && names.includes(pair[1]))
  )
}

export const canSwitchOff = ({ mail }: Pick<Kind, 'mail'>): boolean => mail !== 'always'

export function wantsMail(kind: Kind, { disabled, enabled }: MailChoices): boolean {
  if (!canSwitchOff(kind)) return true
  return kind.mail === 'opt-in' ? isListed(enabled, kind) : !isListed(disabled, kind)
}

/** What to store so that exactly the wanted kinds come by mail. Pairs of other channels and unknown kinds stay as they are. */
export function makeMailChoices(
  kinds: readonly Kind[],
  wanted: ReadonlySet<string>,
  before: MailChoices,
): { disabled: unknown[]; enabled: unknown[] } {
  const switchable = kinds.filter(canSwitchOff)
  const keep = (stored: unknown) =>
    (Array.isArray(stored) ? stored : []).filter((pair) => !switchable.some((kind) => isListed([pair], kind)))
  const pairs = (some: Kind[]) => some.map(({ name }) => [MAIL_CHANNEL, name])
  const disabled = switchable.filter(({ name, mail }) => mail !== 'opt-in' && !wanted.has(name))
  const enabled = switchable.filter(({ name, mail }) => mail === 'opt-in' && wanted.has(name))
  return {
    disabled: [...keep(before.disabled), ...pairs(disabled)],
    enabled: [...keep(before.enabled), ...pairs(enabled)],
  }
}
