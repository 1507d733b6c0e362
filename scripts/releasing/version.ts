/** Changes of files for a release, as functions of their text. */

const VERSION = /^\d+\.\d+\.\d+$/
const UNRELEASED = '## [Unreleased]\n'

export class ReleaseError extends Error {}

export function checkVersion(next: string, current: string): void {
  if (!VERSION.test(next)) throw new ReleaseError(`${next} is not a version such as 1.2.3`)
  const [a, b] = [next, current].map((version) => version.split('.').map(Number)) as [number[], number[]]
  const at = a.findIndex((part, n) => part !== b[n])
  if (at < 0 || a[at]! < b[at]!) throw new ReleaseError(`${next} is not later than ${current}`)
}

/** What has changed gets the version and the day as its heading, below an empty section for what comes next. */
export function closeUnreleased(changelog: string, version: string, day: string): string {
  const [before, after, ...more] = changelog.split(UNRELEASED)
  if (after === undefined || more.length > 0) throw new ReleaseError('CHANGELOG.md needs one section [Unreleased]')
  const [section = ''] = after.split(/^## /m)
  if (section.trim() === '') throw new ReleaseError('[Unreleased] in CHANGELOG.md is empty: there is nothing to release')
  if (changelog.includes(`## [${version}]`)) throw new ReleaseError(`CHANGELOG.md has a section ${version} already`)
  return `${before}${UNRELEASED}\n## [${version}] - ${day}\n${after}`
}

/** The version of a manifest, which npm writes with two spaces and a line break at the end. */
export function setVersion(manifest: string, version: string): string {
  const content = JSON.parse(manifest)
  content.version = version
  if (content.packages?.[''] !== undefined) content.packages[''].version = version
  return `${JSON.stringify(content, null, 2)}\n`
}

/** Names of packages in commands of the documentation. */
export const renamePackages = (text: string, version: string): string =>
  text.replaceAll(/\bturnout([-_])\d+\.\d+\.\d+(?=(\.tgz|_\w+\.deb))/g, `turnout$1${version}`)
