import type { Page } from '#platform/http/page.ts'
import { allocationPage, weekPage } from './allocation.ts'
import { categoryPage, deleteCategoryPage, listPage, newCategoryPage } from './categories.ts'
import { deleteResourcePage, newResourcePage, resourcePage } from './resources.ts'

export const resourcePages: Page[] = [
  listPage,
  weekPage,
  newCategoryPage,
  categoryPage,
  deleteCategoryPage,
  newResourcePage,
  resourcePage,
  deleteResourcePage,
  allocationPage,
]
