/** Scopes of the API. None implies another, so a program that reads and writes needs both scopes of an area. */
export const SCOPES = ['PUBLIC_READ', 'PUBLIC_WRITE', 'ME_READ', 'ME_WRITE', 'CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE'] as const

export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)
