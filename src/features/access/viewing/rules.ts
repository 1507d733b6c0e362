/** As long as a proof counts for sensitive pages. */
export const VIEWING_MINUTES = 15

export const STOP = '/viewing/stop/'
