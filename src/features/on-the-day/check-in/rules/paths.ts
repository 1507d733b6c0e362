export { checkInPath } from '#features/staffing/disposition/rules/paths.ts'

export const selfPath = (token: string, code?: string): string => `/check-in/${token}/${code ? `?code=${code}` : ''}`
