import { deprecatedIn, type Parameters } from './parameters.ts'
import type { RawQuery } from './raw-query.ts'

/** The day of release 1.0: from then on the old names are deprecated, two years later they may go. */
export const DEPRECATED_SINCE = new Date('2027-01-01T00:00:00Z')
const SUNSET = new Date('2029-01-01T00:00:00Z')

/** RFC 9745 and RFC 8594, on answers to requests that used an old name. */
export function deprecationHeaders(parameters: Parameters, query: RawQuery, siteUrl: string): Record<string, string> {
  if (!deprecatedIn(parameters, query).length) return {}
  return {
    deprecation: `@${DEPRECATED_SINCE.getTime() / 1000}`,
    sunset: SUNSET.toUTCString(),
    link: `<${siteUrl}/api/schema/swagger-ui/>; rel="deprecation"; type="text/html"`,
  }
}
