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
export async function importExtensions(sources: readonly string[], workingFolder: string): Promise<Map<string, Extension>> {
  const found = new Map<string, Extension>()
  for (const source of sources) {
    const given = await importNamed(source, workingFolder)
    if (given) found.set(given.name, given)
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
