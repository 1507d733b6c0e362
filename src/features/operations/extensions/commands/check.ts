import { EXTENSION_INTERFACE_VERSION, type Extension } from '#extension'
import { fitsInterface } from '../rules/compatibility.ts'
import { findFaults } from '../schema.ts'
import { BUDGETS } from './guard.ts'
import { importExtension, type Located, locate } from './import.ts'

/** What the code in a folder defines, if it fits the interface. Throws the reason. */
export async function importChecked(located: Located, limitMs: number): Promise<Extension> {
  const given = (await importExtension(located, limitMs)) as Extension
  const fits = typeof given?.turnout === 'string' ? fitsInterface(given.turnout, EXTENSION_INTERFACE_VERSION) : undefined
  if (fits === false)
    throw new Error(`it is for version ${given.turnout} of the interface, and this is ${EXTENSION_INTERFACE_VERSION}`)
  const faults = [...(fits === undefined ? ['turnout: must be a range such as ^1.0'] : []), ...findFaults(given)]
  if (faults.length) throw new Error(faults.slice(0, 5).join('; '))
  return given
}

type Checked = { name: string; version?: string; problem?: string }

/** For commands, which change nothing. */
export async function checkSource(source: string, workingFolder: string): Promise<Checked> {
  try {
    const { name, version } = await importChecked(locate(source, workingFolder), BUDGETS.importMs)
    return { name, version }
  } catch (error) {
    return { name: source, problem: (error as Error).message }
  }
}

/** By their names. Those that do not fit are left out. */
export const importExtensions = async (sources: readonly string[], workingFolder: string): Promise<Map<string, Extension>> =>
  new Map((await findImportable(sources, workingFolder)).map(({ extension }) => [extension.name, extension]))

/** Those that fit, as the operator names them. */
export async function findImportable(
  sources: readonly string[],
  workingFolder: string,
): Promise<{ source: string; extension: Extension }[]> {
  const found: { source: string; extension: Extension }[] = []
  for (const source of sources) {
    const extension = await importNamed(source, workingFolder)
    if (extension) found.push({ source, extension })
  }
  return found
}

async function importNamed(source: string, workingFolder: string): Promise<Extension | undefined> {
  try {
    return await importChecked(locate(source, workingFolder), BUDGETS.importMs)
  } catch {
    return undefined
  }
}
