import { SHIFT_FIELDS } from '#features/events/events/rules/shift-fields.ts'
import type { Session } from '../formats/programme-file.ts'

export const FACETS = ['room', 'track', 'type'] as const
export type Facet = (typeof FACETS)[number]
export const SPLITS = ['session', 'block'] as const
export type Split = (typeof SPLITS)[number]

/** How sessions become shifts. Lists of names: null means all, also those that are added later. */
export type ProgrammeOptions = {
  room: string[] | null
  track: string[] | null
  type: string[] | null
  split: Split
  /** Minutes between two sessions of a block, at most. */
  gap: number
  /** Minutes before and after. */
  lead: number
  followUp: number
  label: string
  /** Days in the zone of the instance; empty: no limit. */
  from: string
  until: string
  /** The shift whose sign-up, needs and questions new shifts get; null: the defaults of a new shift. */
  pattern: number | null
}

export const DEFAULT_OPTIONS: ProgrammeOptions = {
  room: null,
  track: null,
  type: null,
  split: 'session',
  gap: 30,
  lead: 0,
  followUp: 0,
  label: '{title} ({room})',
  from: '',
  until: '',
  pattern: null,
}

export const MAX_MINUTES = 480
export const MAX_LABEL_LENGTH = 200

/** The names that occur, with their numbers of sessions; an empty name stands for sessions without one. */
export function countNames(sessions: readonly Session[], facet: Facet): { name: string; count: number }[] {
  const groups = Map.groupBy(sessions, (session) => session[facet])
  return [...groups]
    .map(([name, found]) => ({ name, count: found.length }))
    .sort((a, b) => Number(a.name === '') - Number(b.name === '') || a.name.localeCompare(b.name))
}

/** Null if all names are chosen. */
export const chosenNames = (chosen: readonly string[], all: readonly string[]): string[] | null =>
  all.every((name) => chosen.includes(name)) ? null : all.filter((name) => chosen.includes(name))

/** Why an option leaves the session out. */
export const leftOutBy = (session: Session, options: ProgrammeOptions): Facet | undefined =>
  FACETS.find((facet) => options[facet] !== null && !options[facet]!.includes(session[facet]))

/** The name of a shift, without the brackets and separators of what is empty. */
export function labelOf(pattern: string, sessions: readonly Session[]): string {
  const [first] = sessions
  if (!first) return ''
  const more = sessions.length > 1 ? ` +${sessions.length - 1}` : ''
  const values: Record<string, string> = {
    title: `${first.title}${more}`.trim(),
    room: first.room,
    track: first.track,
    type: first.type,
  }
  const text = pattern
    .replaceAll(/\{(title|room|track|type)\}/g, (_found, name: string) => values[name]!)
    .replaceAll(/\(\s*\)|\[\s*\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[\s:·,|/–-]+|[\s:·,|/–-]+$/g, '')
  return [...(text || first.title || first.room)].slice(0, SHIFT_FIELDS.label.maxLength).join('')
}
