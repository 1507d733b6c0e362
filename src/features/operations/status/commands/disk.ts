import { statfs } from 'node:fs/promises'
import { type Check, type CheckInput, type Fact, isOwnMachine } from '../schema.ts'

const LEAST_FREE_BYTES = 1e9
const LEAST_FREE_PART = 0.05

type Space = { free: number; size: number }

/** Large disks need less than 5 %, small ones need a gigabyte. */
export const isNearlyFull = ({ free, size }: Space): boolean =>
  free < LEAST_FREE_BYTES || free < Math.min(size * LEAST_FREE_PART, 10 * LEAST_FREE_BYTES)

const gigabytes = (bytes: number): number => Math.round(bytes / 1e8) / 10

function describe({ words, config }: CheckInput, folder: string, space: Space): Fact {
  const amounts = { folder, free: gigabytes(space.free), size: gigabytes(space.size) }
  return isNearlyFull(space)
    ? { state: isOwnMachine(config) ? 'info' : 'bad', text: words.t('status.disk_full', amounts) }
    : { state: 'good', text: words.t('status.disk_free', amounts) }
}

async function spaceOf(folder: string): Promise<Space | undefined> {
  // A folder that does not exist yet is the concern of other checks.
  const found = await statfs(folder).catch(() => undefined)
  return found && { free: found.bavail * found.bsize, size: found.blocks * found.bsize }
}

export const diskCheck: Check = {
  area: 'disk',
  find: async (input) => {
    const { config } = input
    const folders = [config.dataDir, ...(config.backupDir ? [config.backupDir] : [])]
    const spaces = await Promise.all(folders.map(async (folder) => ({ folder, space: await spaceOf(folder) })))
    return spaces.flatMap(({ folder, space }) => (space ? [describe(input, folder, space)] : []))
  },
}
