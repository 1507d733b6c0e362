const RANGE = /^\^(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?$/

/** Whether an extension that asks for `wanted`, such as `^1.2`, runs with this version of the interface; undefined: not a range. */
export function fitsInterface(wanted: string, version: string): boolean | undefined {
  const [, ...parts] = RANGE.exec(wanted) ?? []
  if (parts[0] === undefined) return undefined
  const [major = 0, minor = 0, patch = 0] = parts.map((part) => Number(part ?? 0))
  const [ownMajor = 0, ownMinor = 0, ownPatch = 0] = version.split('.').map(Number)
  if (major !== ownMajor) return false
  return minor < ownMinor || (minor === ownMinor && patch <= ownPatch)
}
