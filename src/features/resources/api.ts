import { scope } from '#platform/http/access.ts'
import { type Endpoint, listEndpoint, recordEndpoint } from '#platform/http/endpoint.ts'
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
  listEndpoint({
    path: '/api/resources/',
    access: scope('PUBLIC_READ'),
    name: 'Resource List',
    operationId: 'resources_list',
    tag,
    summary: 'Vehicles, rooms and material that shifts can use',
    parameters: {},
    item: resourceRecord,
    find: (context, _query, page) => findResourceRows(context, page),
    present: presentResource,
  }),
  recordEndpoint({
    path: '/api/resources/{id}/',
    access: scope('PUBLIC_READ'),
    name: 'Resource Instance',
    operationId: 'resources_retrieve',
    tag,
    summary: 'One resource',
    parameters: {},
    record: resourceRecord,
    get: (context, { id }) => getResourceRow(context, id),
    present: presentResource,
  }),
  listEndpoint({
    path: '/api/resource-categories/',
    access: scope('PUBLIC_READ'),
    name: 'Resource Category List',
    operationId: 'resource_categories_list',
    tag,
    summary: 'Categories of resources',
    parameters: {},
    item: resourceCategoryRecord,
    find: (context, _query, page) => findCategoryRows(context, page),
    present: presentResourceCategory,
  }),
  recordEndpoint({
    path: '/api/resource-categories/{id}/',
    access: scope('PUBLIC_READ'),
    name: 'Resource Category Instance',
    operationId: 'resource_categories_retrieve',
    tag,
    summary: 'One category of resources',
    parameters: {},
    record: resourceCategoryRecord,
    get: (context, { id }) => getCategoryRow(context, id),
    present: presentResourceCategory,
  }),
]
