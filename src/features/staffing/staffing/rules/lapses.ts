import { STATE, type State } from './model.ts'

/** Why a confirmed person does not count any more: they lost a qualification that the place needs, or left the group of the event. */
export type Lapse = 'unqualified' | 'left_group'

/** What is remembered about a confirmed place. */
export type PlaceBasis = { wasQualified: boolean; hasLeftGroup: boolean }

/** `isQualified` undefined: the place needs no qualification. A person who was confirmed without being qualified counts. */
export function findLapse(basis: PlaceBasis | undefined, isQualified: boolean | undefined): Lapse | undefined {
  if (basis?.hasLeftGroup) return 'left_group'
  return basis?.wasQualified && isQualified === false ? 'unqualified' : undefined
}

/** Confirmed, and still meets what the place needs. */
export const holdsPlace = ({ state, lapse }: { state: State; lapse?: Lapse | undefined }): boolean =>
  state === STATE.confirmed && !lapse
