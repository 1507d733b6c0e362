/** Where the buttons of the try-out lead. */
export const TRY_OUT = '/accounts/try-out/'

/** People of the sample data, by what they do in it. */
export const SAMPLE_PEOPLE = {
  volunteer: 'ann@demo.example',
  planner: 'paul@demo.example',
  administrator: 'olga@demo.example',
} as const
export type SampleRole = keyof typeof SAMPLE_PEOPLE
export const SAMPLE_ROLES = Object.keys(SAMPLE_PEOPLE) as [SampleRole, ...SampleRole[]]

/** Whether the address is of the same machine. */
export const isLoopback = (ip: string): boolean => ip === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(ip)
