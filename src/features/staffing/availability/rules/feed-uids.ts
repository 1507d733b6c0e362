/** Of an entry in a calendar that this instance publishes. */
export const feedUid = ({ key, childId, host }: { key: string; childId?: number | undefined; host: string }): string =>
  `${key}${childId === undefined ? '' : `-for-${childId}`}@${host}`

/** Participations are known anyway, so a calendar that contains them must not make the person busy. */
export const isFeedUid = (uid: string, host: string): boolean => {
  const at = uid.lastIndexOf('@')
  return uid.slice(at + 1) === host && /^(shift-\d+|abroad-\d+-\d+)(-for-\d+)?$/.test(uid.slice(0, Math.max(at, 0)))
}
