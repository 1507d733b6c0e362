/** Why a picture was refused, as exit codes of the process that reads it. Node itself uses 1 to 14. */
export const EXIT_CODES = { unreadable: 20, pixels: 21 } as const

export type PictureFault = keyof typeof EXIT_CODES
