// Entries of one list, such as imported people, have its request: the log shows what was done with the list, and each entry on request.

const PREFIX = 'list-'

export const listRequest = (id: number, { isUndo }: { isUndo: boolean }): string => `${PREFIX}${id}${isUndo ? '-undo' : ''}`

export const isListRequest = (text: string): boolean => /^list-\d{1,15}(-undo)?$/.test(text)

/** For LIKE. */
export const LIST_REQUESTS = `${PREFIX}%`
