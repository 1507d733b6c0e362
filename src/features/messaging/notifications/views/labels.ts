import type { Words } from '#platform/i18n/words.ts'
import { getKind } from '../kinds/registry.ts'

/** Of a kind in the table. Kinds of former versions have no label. */
export function kindLabel(words: Words, name: string): string {
  const kind = getKind(name)
  return kind ? words.t(`notification.${kind.name}.label`) : name
}
