import { hash } from 'node:crypto'
import { stableStringify } from './changes.ts'

/** A short hash of each value that the form was loaded with, to detect concurrent changes when it is saved. */
export type FormVersion = Record<string, string>

const hashValue = (value: unknown): string => hash('sha256', stableStringify(value) ?? '', 'base64url').slice(0, 12)

export function makeFormVersion(fields: Record<string, unknown>): FormVersion {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hashValue(value)]))
}

/** Fields whose stored value changed since the form was loaded and differs from the submitted value. */
export function changedSince(version: FormVersion, now: Record<string, unknown>, wished: Record<string, unknown>): string[] {
  return Object.entries(now).flatMap(([name, value]) => {
    const mark = hashValue(value)
    return version[name] === undefined || version[name] === mark || hashValue(wished[name]) === mark ? [] : [name]
  })
}

/** Invalid input is treated as an empty version. */
export function parseFormVersion(text: string): FormVersion {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
  } catch {
    return {}
  }
}
