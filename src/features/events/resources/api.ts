import { scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint } from '#platform/http/endpoint.ts'
import {
  type CategoryRow,
  findCategoryRows,
  findResourceRows,
  getCategoryRow,
  getResourceRow,
  type ResourceRow,
} from './queries.ts'
import { resourceCategoryRecord, resourceRecord } from './schema.ts'

const presentResource = ({ id, title, category_id, category_name }: ResourceRow) => ({
  id,
  title,
  category: { id: category_id, name: category_name },
})
const presentResourceCategory = ({ id, name }: CategoryRow) => ({ id, name })

const tag = 'resources'

export const resourcesApi: Endpoint[] = [
  ...collectionEndpoints({
    path: '/api/resources/',
    access: scope('PUBLIC_READ'),
    name: 'Resource',
    tag,
    summary: 'Vehicles, rooms and material that shifts can use',
    recordSummary: 'One resource',
    parameters: {},
    record: resourceRecord,
    find: (context, _query, page) => findResourceRows(context, page),
    get: (context, { id }) => getResourceRow(context, id),
    present: presentResource,
  }),
  ...collectionEndpoints({
    path: '/api/resource-categories/',
    access: scope('PUBLIC_READ'),
    name: 'Resource Category',
    tag,
    summary: 'Categories of resources',
    recordSummary: 'One category of resources',
    parameters: {},
    record: resourceCategoryRecord,
    find: (context, _query, page) => findCategoryRows(context, page),
    get: (context, { id }) => getCategoryRow(context, id),
    present: presentResourceCategory,
  }),
]
