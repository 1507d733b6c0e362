import { extensionPoint } from '#platform/features/extension-points.ts'
import type { RequestKind } from './access.ts'

/** Kinds of requests that people decide about others. */
export const requestKinds = extensionPoint<RequestKind>('requests.kind')
