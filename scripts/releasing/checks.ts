/** What runs before a release, in this order: short checks first, so that a mistake shows early. */
export const RELEASE_CHECKS: readonly (readonly string[])[] = [
  ['test'],
  ['check:exhaustive'],
  ['check:zones'],
  ['check:burst', '--people', '200'],
  ['check:clients', '--count', '2000'],
  ['check:backup', '--rounds', '20'],
  ['check:restart', '--rounds', '20', '--stops', '40'],
  ['check:outage', '--rounds', '50'],
  ['check:crash', '--rounds', '100'],
  ['check:packages'],
  ['check:api-tools'],
  ['check:import', '--participations', '1000000'],
  ['check:load'],
  ['check:soak', '--hours', '1'],
  ['check:fuzz', '--runs', '1000000'],
  ['check:race', '--rounds', '500', '--crowd', '500'],
]

/** They need another machine, or do not pass or fail. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'check:cluster': 'needs root on Debian and installs programs',
  'check:html': 'needs Java; the tests check a part of it',
  'check:mutation': 'measures tests in samples and takes days as a whole',
  'check:all': 'runs the others',
}
