import { isTest, lineOf, type Source, withoutComments } from './source.ts'

/** Words of what features are about, in names and texts of code. */
const DOMAIN =
  /\b(?:\w*_)?(?:shift|participation|participant|roster|programme|qualification|staffing|disposition|planner|guardian|volunteer)s?\b|(?:shift|participation|participant|roster|programme|qualification|staffing|disposition|planner|guardian|volunteer)s?[A-Z_]\w*|\w+(?:Shift|Participation|Participant|Roster|Programme|Qualification|Staffing|Disposition|Planner|Guardian|Volunteer)s?\b/g

/** Why a file of the platform names the domain. */
const NAMES_DOMAIN: Record<string, string> = {
  'platform/auth/actor.ts': 'a user can be a guardian of others',
  'platform/auth/permissions.ts': 'names of permissions are stored and part of the API',
  'platform/db/renumbered.ts': 'names of migrations',
  'platform/db/tables.ts': 'generated from the migrations',
  'platform/http/batch.ts': 'an example in the description of the API',
  'platform/http/error-codes.ts': 'codes of all features, for the schema of the API',
  'platform/http/openapi.ts': 'the description of the API',
  'platform/http/path.ts': 'names of parameters that are ids',
  'platform/ui/assets.ts': 'the list of assets',
}

/** A method of arrays, a header of HTTP. */
const OTHER_MEANING = /\.shift\(|content-disposition/

/** Places of the platform that name what features are about, and exceptions that are not needed. */
export function domainViolations(sources: Source[]): string[] {
  const found = sources
    .filter(({ path }) => path.startsWith('platform/') && !/\/words\.\w+\.ts$/.test(path))
    .filter((source) => !isTest(source))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text)
      return [...code.matchAll(DOMAIN)].map((match) => ({ path, word: match[0], line: lineOf(code, match.index), code }))
    })
    .filter(({ code, line }) => !OTHER_MEANING.test(code.split('\n')[line - 1]!))
  const unneeded = Object.keys(NAMES_DOMAIN).filter(
    (path) => sources.some((source) => source.path === path) && !found.some((place) => place.path === path),
  )
  return [
    ...found
      .filter(({ path }) => !(path in NAMES_DOMAIN))
      .map(({ path, line, word }) => `${path}:${line} ${word}: the platform knows nothing of the domain`),
    ...unneeded.map((path) => `${path} is an exception without a reason: it names nothing of the domain`),
  ]
}
