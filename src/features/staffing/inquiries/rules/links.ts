/** What a link is bound to: one question to one person about one shift, until a time. */
export type AskedPerson = { id: number; userId: number; shiftId: number; expiresAt: Date }

/** Names the purpose, so that a signature made for something else cannot be used here. */
export const textToSign = ({ id, userId, shiftId, expiresAt }: AskedPerson): string =>
  `answer to inquiry ${id} ${userId} ${shiftId} ${expiresAt.getTime()}`

export const formatToken = (id: number, signature: string): string => `${id}.${signature}`

/** Undefined if the token is malformed. The signature is not checked here. */
export function parseToken(token: string): { id: number; signature: string } | undefined {
  const [, id, signature = ''] = /^([1-9]\d{0,14})\.([\w-]{43})$/.exec(token) ?? []
  return id === undefined ? undefined : { id: Number(id), signature }
}

export const answerPath = (token: string): string => `/asked/${token}/`
export const answerCalendarPath = (token: string): string => `/asked/${token}/calendar.ics`
export const answerSignupPath = (token: string, shiftId: number): string => `/asked/${token}/shifts/${shiftId}/signup/`
export const stopPath = (shiftId: number, inquiryId: number): string => `/shifts/${shiftId}/ask/${inquiryId}/stop/`
