import type { MatchPosition, Seat } from './model.ts'

/** `beyond`: places for people whom a responsible assigned beyond the maximum. */
type SeatKind = 'required' | 'optional' | 'beyond'

/** Places with the same needs, between a minimum and a maximum: required ones, optional ones, and those beyond the maximum. */
export function boundedSeats(
  { id, rank, min, max, people }: { id: string; rank: number; min: number; max: number | null; people: number },
  {
    designatedFor,
    ...more
  }: Pick<MatchPosition, 'needs' | 'designatedFor'> & Partial<MatchPosition> & Pick<Seat, 'place' | 'label'>,
): Seat[] {
  const { place, label, ...position } = more
  const needed = Math.min(min, max ?? min)
  const seat = (kind: SeatKind, places: number): Seat => ({
    place,
    label,
    isUnlimited: kind === 'optional' && max === null,
    position: {
      id: `${id}.${kind}`,
      rank: 3 * rank + ['required', 'optional', 'beyond'].indexOf(kind),
      places,
      required: kind === 'required',
      real: kind !== 'beyond',
      designationOnly: kind === 'beyond',
      ...position,
      designatedFor,
    },
  })
  const optional = max === null ? people + 1 : max - needed
  const beyond = max === null ? 0 : Math.max(designatedFor.size - max, 0)
  return [
    ...(needed ? [seat('required', needed)] : []),
    ...(optional > 0 ? [seat('optional', optional)] : []),
    ...(beyond ? [seat('beyond', beyond)] : []),
  ]
}
