import { createRequire } from 'node:module'

type Library = typeof import('graphile-worker')

const require = createRequire(import.meta.url)
let library: Library | undefined

/**
 * The library of background jobs. While it is loaded, it looks for files with settings in the working directory and above, and runs those that
 * are programs. Commands are called from any folder, also from one of somebody else or from one that the user of the service cannot
 * read, so it looks beside the program instead.
 */
export function loadGraphileWorker(): Library {
  if (library) return library
  const { cwd } = process
  process.cwd = () => import.meta.dirname
  try {
    library = require('graphile-worker') as Library
  } finally {
    process.cwd = cwd
  }
  return library
}
