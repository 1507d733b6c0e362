import { extensionPoint } from '#platform/features/extension-points.ts'

type SettingsPage = { extension: string; href: string }

/** Extensions with a page of settings, by their names. */
export const extensionSettings = extensionPoint<SettingsPage>('extensions.settings')
