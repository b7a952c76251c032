import type { OperationId } from '../../functions/routes.ts';
import type { DocumentedOperation } from './documented-operation.ts';
import { LIST_OPERATIONS } from './list-operations.ts';
import { TRACKING_OPERATIONS } from './tracking-operations.ts';

/** Every route of the service: one that is missing here does not compile. */
export const OPERATIONS: Readonly<Record<OperationId, DocumentedOperation>> = {
  ...TRACKING_OPERATIONS,
  ...LIST_OPERATIONS,
};
