import type { EventRowData } from '#features/events/events/views/event-row.ts'
import type { ShiftCardData } from '#features/events/events/views/shift-card.ts'
import type { Staffing } from '#features/staffing/staffing/views/staffing.ts'
import type { Tone } from '#platform/ui/badge.ts'

const at = (text: string) => new Date(text)

export const SAMPLE_NOW = at('2026-11-02T09:00:00Z')

export const SAMPLE_STAFFING: Staffing[] = [
  { confirmed: 6, requested: 3, minimum: 8, maximum: 8 },
  { confirmed: 0, requested: 0, minimum: 4, maximum: 6 },
  { confirmed: 4, requested: 1, minimum: 4, maximum: 6 },
  { confirmed: 8, requested: 2, minimum: 6, maximum: 8 },
  { confirmed: 41, requested: 12, minimum: 60, maximum: 80 },
  { confirmed: 3, requested: 0, minimum: 0, maximum: null },
]

export const SAMPLE_SHIFTS: ShiftCardData[] = [
  {
    title: 'First aid, north',
    href: '#',
    start: at('2026-11-14T07:00:00Z'),
    end: at('2026-11-14T15:00:00Z'),
    meeting: at('2026-11-14T06:30:00Z'),
    location: 'Gate 4',
    type: { name: 'First aid', colour: '#c0392b' },
    staffing: { confirmed: 6, requested: 1, minimum: 8, maximum: 8 },
    positions: [
      { label: 'Driver', person: 'Ann' },
      { label: 'Medic', person: 'Ben' },
      { label: 'Medic' },
      { label: 'Helper', person: 'Cem', requested: true },
    ],
    reason: { text: 'You can take part.' },
  },
  {
    title: 'Night watch',
    href: '#',
    start: at('2026-11-14T19:00:00Z'),
    end: at('2026-11-15T01:00:00Z'),
    type: { name: 'Training', colour: '#2c5fa8' },
    staffing: { confirmed: 2, requested: 0, minimum: 2, maximum: 4 },
    own: { tone: 'good', text: 'You are confirmed' },
    reason: { text: 'Declining is possible until Fri 13 Nov.' },
  },
  {
    title: 'Clearing up',
    start: at('2026-11-15T08:00:00Z'),
    end: at('2026-11-15T12:00:00Z'),
    staffing: { confirmed: 5, requested: 2, minimum: 3, maximum: 5 },
    own: { tone: 'warn', text: 'Requested, not yet decided' },
    reason: { text: 'You need the qualification “Medic”.', link: { href: '#', label: 'Your qualifications' } },
  },
]

export const SAMPLE_EVENTS: EventRowData[] = [
  {
    href: '#',
    title: 'City marathon',
    start: at('2026-11-14T07:00:00Z'),
    end: at('2026-11-14T17:00:00Z'),
    type: { name: 'First aid', colour: '#c0392b' },
    location: 'Stadium',
    shifts: 3,
    staffing: { confirmed: 6, requested: 3, minimum: 8, maximum: 8 },
    own: { tone: 'good', text: 'confirmed' },
  },
  {
    href: '#',
    title: 'Training: radio and reporting with the partners from the other side of the river',
    start: at('2026-11-18T17:30:00Z'),
    end: at('2026-11-18T20:00:00Z'),
    type: { name: 'Training', colour: '#2c5fa8' },
    location: 'Room 2.14, fire station east',
    shifts: 1,
    staffing: { confirmed: 12, requested: 0, minimum: 4, maximum: 20 },
  },
  {
    href: '#',
    title: 'New Year’s Eve watch',
    start: at('2026-12-31T19:00:00Z'),
    end: at('2027-01-01T03:00:00Z'),
    type: { name: 'Watch', colour: '#8a6d00' },
    shifts: 2,
    staffing: { confirmed: 8, requested: 2, minimum: 6, maximum: 8 },
    own: { tone: 'warn', text: 'requested' },
    notes: [{ tone: 'info', text: 'from Nord' }],
  },
  {
    href: '#',
    title: 'Spring camp',
    start: at('2027-04-02T14:00:00Z'),
    end: at('2027-04-05T10:00:00Z'),
    shifts: 6,
    notes: [{ tone: 'quiet', text: 'draft' }],
    past: true,
  },
]

export const SAMPLE_PEOPLE: { name: string; groups: string[]; state: { tone: Tone; text: string }; hours: number }[] = [
  { name: 'Ann Berg', groups: ['North', 'Drivers'], state: { tone: 'good', text: 'active' }, hours: 1240.5 },
  { name: 'Ben Oduya', groups: ['South'], state: { tone: 'good', text: 'active' }, hours: 86 },
  { name: 'Cem Kaya', groups: ['North'], state: { tone: 'quiet', text: 'left' }, hours: 0 },
]
