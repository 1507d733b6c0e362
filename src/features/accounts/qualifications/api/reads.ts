import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint } from '#platform/http/endpoint.ts'
import {
  type CatalogueEntry,
  type CategoryEntry,
  findCatalogueEntries,
  findCategoryEntries,
  getCatalogueEntry,
  getCategoryEntry,
} from '../queries.ts'
import { catalogueRecord, qualificationCategoryRecord } from '../schema.ts'

/** The order of the keys is part of the contract. */
const presentCatalogueEntry = (entry: CatalogueEntry) => ({
  id: entry.id,
  uuid: entry.uuid,
  title: entry.title,
  abbreviation: entry.abbreviation,
  category: entry.category,
  includes: entry.includes,
  category_id: entry.category_id,
  direct_includes: entry.direct_includes,
  valid_months: entry.valid_months,
})

export async function presentQualification(context: RequestContext, id: number): Promise<object | undefined> {
  const entry = await getCatalogueEntry(context, id)
  return entry && presentCatalogueEntry(entry)
}

const presentCategory = ({ id, uuid, title, show_with_user, rank }: CategoryEntry) => ({
  id,
  uuid,
  title,
  show_with_user,
  rank,
})

export async function presentCategoryOf(context: RequestContext, id: number): Promise<object | undefined> {
  const category = await getCategoryEntry(context, id)
  return category && presentCategory(category)
}

const tag = 'qualifications'

export const qualificationsApi: Endpoint[] = [
  ...collectionEndpoints({
    path: '/api/qualifications/',
    access: scope('PUBLIC_READ'),
    name: 'Qualification',
    tag,
    summary: 'The catalogue of qualifications',
    recordSummary: 'One qualification',
    parameters: {},
    record: catalogueRecord,
    find: (context, _query, page) => findCatalogueEntries(context, page),
    get: (context, { id }) => getCatalogueEntry(context, id),
    present: presentCatalogueEntry,
  }),
  ...collectionEndpoints({
    path: '/api/qualification-categories/',
    access: scope('PUBLIC_READ'),
    name: 'Qualification Category',
    tag,
    summary: 'Categories of qualifications',
    recordSummary: 'One category of qualifications',
    parameters: {},
    record: qualificationCategoryRecord,
    find: (context, _query, page) => findCategoryEntries(context, page),
    get: (context, { id }) => getCategoryEntry(context, id),
    present: presentCategory,
  }),
]
