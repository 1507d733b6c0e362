import { familyPath } from '#features/participations/rules/links.ts'

export const FAMILY = '/family/'
export const childPath = (
  childId: number,
  part: 'details' | 'propose' | 'availability' | 'calendar' | 'end' | '' = '',
): string => (part ? `${familyPath(childId)}${part}/` : familyPath(childId))
export const guardiansPath = (userId: number, part: 'end' | '' = ''): string =>
  `/manage/people/${userId}/guardians/${part ? `${part}/` : ''}`
