import { layoutPart } from '#platform/features/layout.ts'
import { type BrandingValues, brandingValues, readBranding } from './queries.ts'
import { logoPath } from './views.ts'

/** Name and logo of the organisation, and links to its legal pages. */
export const brandingPart = layoutPart({
  read: () => brandingValues,
  show: (values: BrandingValues, { words }) => {
    const { name, logoVersion, hasImprint, hasPrivacy } = readBranding(values)
    return {
      ...(name === undefined ? {} : { siteName: name }),
      logo: logoVersion && logoPath(logoVersion),
      footLinks: [
        ...(hasImprint ? [{ href: '/imprint/', label: words.t('instance.imprint') }] : []),
        ...(hasPrivacy ? [{ href: '/privacy/', label: words.t('instance.privacy') }] : []),
      ],
    }
  },
})
