/** A row of the table `migration`, or of the list of migrations in the manifest of a backup. */
export type Applied = { name: string; checksum: string }

/**
 * The history of databases that version 0.1.0 created before its migrations were merged into 0001 to 0011. Both histories
 * lead to the same schema, so a backup with the former one can be restored. A database cannot be taken over: its list of
 * applied migrations would no longer describe how it was made.
 */
export const FORMER_HISTORY: readonly Applied[] = Object.entries({
  '0001_people': '4c4d981efecf5a403f48c3a3086737a4f132e7ee60efe610791aa17338da2b68',
  '0002_sign_in': '36382c8e8fa8fcda431b8d0193b6432b568bf520f620731b232b183ab770682b',
  '0003_building_blocks': 'f4f1c4dcc33493a05f3d2d992f1cb16a6475638c10498f5f29023e357bf31348',
  '0004_events': '56ffd3a8fd59874900cab7847f15002a26db1837de67aeef5d9bbafe424448dc',
  '0005_participations': 'c65876e078e7d1cbaba36010eed110280a8e3d6716e5d9ec4d3e717541a7ee6b',
  '0006_access': '05811e36f3699fa03996fecde8fff52935dab31fb6b947541f6ef7d7151a6f35',
  '0007_federation': 'bfb19c21803d5bb60197eebb18aba2730253931ef6a3dcfb82b4f4815266d150',
  '0008_journal': '3b6648b0494bbbc000541e76f25516c98f826c67f0aa41d095d1cb6ed97fd855',
  '0009_lists': 'ca9c791a5fb5db0129838dff9fce780a64b40f697bcbe8701981f3ff0a559107',
  '0012_planning': '3b579fed0534d5399222bb104cbe88dd5dcc6b8950edf09c4867ba0f160400f0',
  '0014_notifications': '9b67372b0e614b03e86b9a5adb6252195344bdea6d23e863095d75a5abfbb088',
  '0015_management': '21d2a30567017e37499a484985759203afd10595b5a22bb4675f8c859e9eb79f',
  '0017_catalogue': '7ac0c2b08a28726105efcf612535d257da8485180cc90c994dc3d742393bde77',
  '0018_moved_in': '7852ba3348c8948d631ac7be5e9afbc55bf8afab3988ebff73e2334655454924',
  '0019_federation_links': '7f104ebfe1ea17387c7e480ade9d613aae59d660e9da10c5a86a5d19cdfcef89',
  '0023_finding': '1833c4dc9a1e331bb1de4e1b284b4432580a452255fdd8ec91333e4308034dd9',
}).map(([name, checksum]) => ({ name, checksum }))

/** The last of the merged migrations. */
const LAST_MERGED = '0011_instance'

const keyOf = ({ name, checksum }: Applied): string => `${name} ${checksum}`
const former = new Set(FORMER_HISTORY.map(keyOf))

/** True when any of the former migrations has been applied, also if the history stops before its end. */
export const hasFormerHistory = (applied: readonly Applied[]): boolean =>
  applied.some((migration) => former.has(keyOf(migration)))

/** Replaces a complete former history by the merged migrations, which create the same schema. Returns others unchanged. */
export function translateHistory(applied: readonly Applied[], known: readonly Applied[]): readonly Applied[] {
  const isComplete = applied.length === former.size && applied.every((migration) => former.has(keyOf(migration)))
  return isComplete ? known.filter(({ name }) => name <= LAST_MERGED) : applied
}
