import { deprecatedIn, type Parameters } from './parameters.ts'
import type { RawQuery } from './raw-query.ts'

/** Release date of 1.0. Old parameter names are deprecated from then on and may be removed two years later. */
const DEPRECATED_SINCE = new Date('2027-01-01T00:00:00Z')
const SUNSET = new Date('2029-01-01T00:00:00Z')

/** RFC 9745 and RFC 8594, for requests that used a deprecated parameter. */
export function deprecationHeaders(parameters: Parameters, query: RawQuery, siteUrl: string): Record<string, string> {
  if (!deprecatedIn(parameters, query).length) return {}
  return {
    deprecation: `@${DEPRECATED_SINCE.getTime() / 1000}`,
    sunset: SUNSET.toUTCString(),
    link: `<${siteUrl}/api/schema/swagger-ui/>; rel="deprecation"; type="text/html"`,
  }
}
