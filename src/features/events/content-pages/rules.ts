const MAX_SLUG_LENGTH = 250

/** A slug for a title: `Häufige Fragen!` → `häufige-fragen`. Empty if the title has no letters or digits. */
export function suggestSlug(title: string): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.join('-').slice(0, MAX_SLUG_LENGTH).replace(/-+$/, '')
}

const LEGAL_SLUGS: Record<'imprint' | 'privacy', RegExp> = {
  imprint: /^(imprint|impressum|legal-notice)$/i,
  privacy: /^(privacy|privacy-policy|data-protection|datenschutz|datenschutzerkl(ae|ä)rung)$/i,
}

/** The legal page of the settings that a usual slug means. */
export function legalPageOf(slug: string): 'imprint' | 'privacy' | undefined {
  if (LEGAL_SLUGS.imprint.test(slug)) return 'imprint'
  return LEGAL_SLUGS.privacy.test(slug) ? 'privacy' : undefined
}
