/**
 * What people can be told, in the order of the settings page. `circle`: who it is for. `isOptIn`: nobody gets it by mail unless they
 * want it. `isFixed`: somebody writes to them, which cannot be switched off. `imported`: its name in data that came from ephios.
 */
export const KINDS = {
  participation_state: { circle: 'participant', imported: 'ephios_participation_state_changed' },
  participation_times: { circle: 'participant', imported: 'ephios_participation_customized' },
  shift_moved: { circle: 'participant' },
  event_called_off: { circle: 'participant' },
  reminder: { circle: 'participant' },
  event_published: { circle: 'participant', isOptIn: true },
  event_message: { circle: 'participant', isFixed: true, imported: 'ephios_custom_event_notification' },
  participation_request: { circle: 'responsible', imported: 'ephios_participation_awaits_disposition' },
  participation_change: { circle: 'responsible', imported: 'ephios_participation_responsible_state_changed' },
  participation_decline: { circle: 'responsible', imported: 'ephios_participation_responsible_confirmed_declined' },
  participation_own_times: { circle: 'responsible', imported: 'ephios_participation_responsible_confirmed_customized' },
} as const satisfies Record<string, KindFacts>

type KindFacts = { circle: 'participant' | 'responsible'; isOptIn?: true; isFixed?: true; imported?: string }
export type Kind = keyof typeof KINDS

export const ALL_KINDS = Object.keys(KINDS) as Kind[]
export const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name)
const factsOf = (kind: Kind): KindFacts => KINDS[kind]
export const isFixed = (kind: Kind): boolean => factsOf(kind).isFixed === true
export const isForResponsibles = (kind: Kind): boolean => factsOf(kind).circle === 'responsible'

/** As stored with a person: pairs of a channel and a kind. */
export type Choices = { disabled: unknown; enabled: unknown }

const CHANNEL = 'mail'
/** Also the name of the channel in imported data. */
const CHANNELS: ReadonlySet<unknown> = new Set([CHANNEL, 'ephios_backend_email'])

function isAmong(stored: unknown, kind: Kind): boolean {
  const names: unknown[] = [kind, factsOf(kind).imported]
  return Array.isArray(stored) && stored.some((pair) => Array.isArray(pair) && CHANNELS.has(pair[0]) && names.includes(pair[1]))
}

/** Whether somebody gets mails of this kind. */
export function wantsMail(kind: Kind, { disabled, enabled }: Choices): boolean {
  if (isFixed(kind)) return true
  return factsOf(kind).isOptIn ? isAmong(enabled, kind) : !isAmong(disabled, kind)
}

/** What to store so that exactly these kinds come by mail; pairs that are not ours stay as they are. */
export function choicesFor(wanted: ReadonlySet<Kind>, before: Choices): { disabled: unknown[]; enabled: unknown[] } {
  const ours = ALL_KINDS.filter((kind) => !isFixed(kind))
  const others = (stored: unknown) =>
    (Array.isArray(stored) ? stored : []).filter((pair) => !ours.some((kind) => isAmong([pair], kind)))
  const isOptIn = (kind: Kind) => factsOf(kind).isOptIn === true
  const pairs = (kinds: Kind[]) => kinds.map((kind) => [CHANNEL, kind])
  return {
    disabled: [...others(before.disabled), ...pairs(ours.filter((kind) => !isOptIn(kind) && !wanted.has(kind)))],
    enabled: [...others(before.enabled), ...pairs(ours.filter((kind) => isOptIn(kind) && wanted.has(kind)))],
  }
}
