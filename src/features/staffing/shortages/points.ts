import { extensionPoint } from '#platform/features/extension-points.ts'
import type { PlainKey } from '#platform/i18n/words.ts'
import type { IconName } from '#platform/ui/icon.ts'

/** `isFor`: not for every reader of the page. */
type PageLink = { href: string; label: PlainKey; icon: IconName; isFor?: (reader: { isPlanner: boolean }) => boolean }

/** What features add to the page of shifts that need people. */
export const shortagesPage = { action: extensionPoint<PageLink>('shortages.page.action') }
