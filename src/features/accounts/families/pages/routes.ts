import type { Page } from '#platform/http/page.ts'
import { childPages } from './child.ts'
import { familyPage } from './family.ts'
import { guardianPages } from './guardians.ts'

export const familyPages: Page[] = [familyPage, ...childPages, ...guardianPages]
