import type { MatchPosition, Seat } from './model.ts'

/** `beyond`: places for those who were put there although nothing was free. */
type SeatKind = 'required' | 'optional' | 'beyond'

/** Places with a lower and an upper end that ask for the same: those that are needed, those on top, and those beyond. */
export function boundedSeats(
  { id, rank, min, max, people }: { id: string; rank: number; min: number; max: number | null; people: number },
  {
    designatedFor,
    ...more
  }: Pick<MatchPosition, 'needs' | 'designatedFor'> & Partial<MatchPosition> & Pick<Seat, 'place' | 'label'>,
): Seat[] {
  const { place, label, ...asked } = more
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
      ...asked,
      designatedFor,
    },
  })
  const onTop = max === null ? people + 1 : max - needed
  const beyond = max === null ? 0 : Math.max(designatedFor.size - max, 0)
  return [
    ...(needed ? [seat('required', needed)] : []),
    ...(onTop > 0 ? [seat('optional', onTop)] : []),
    ...(beyond ? [seat('beyond', beyond)] : []),
  ]
}
