import type { ShiftSummary } from '#features/events/browse/rules/summaries.ts'
import { familyPath } from '#features/staffing/participations/rules/links.ts'

export const FAMILY = '/family/'
export const childPath = (
  childId: number,
  part: 'details' | 'propose' | 'availability' | 'calendar' | 'end' | '' = '',
): string => (part ? `${familyPath(childId)}${part}/` : familyPath(childId))
export const guardiansPath = (userId: number, part: 'end' | '' = ''): string =>
  `/manage/people/${userId}/guardians/${part ? `${part}/` : ''}`

/** A coming shift of a child of the reader. */
export type ChildShift = { child: { userId: number; name: string }; shift: ShiftSummary; isConfirmed: boolean }
