export { checkInPath } from '#features/disposition/rules/paths.ts'

export const selfPath = (token: string, code?: string): string => `/check-in/${token}/${code ? `?code=${code}` : ''}`
