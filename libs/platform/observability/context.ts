import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields of a log line that identify its request or job. Ids only. */
export interface ContextFields {
  requestId?: string;
  queue?: string;
  jobId?: string;
  workspaceId?: string;
  keyId?: string;
  userId?: string;
}

const storage = new AsyncLocalStorage<ContextFields>();

/** Runs `work` with its own context; lines logged inside carry the fields. */
export function runInContext<T>(fields: ContextFields, work: () => T): T {
  return storage.run({ ...fields }, work);
}

/** Adds fields to the context of the running request or job; without effect outside of one. */
export function setContext(fields: ContextFields): void {
  Object.assign(storage.getStore() ?? {}, fields);
}

export function contextFields(): Readonly<ContextFields> {
  return storage.getStore() ?? {};
}
